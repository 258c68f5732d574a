package granule.cache

/** How a cache chooses the way that a fill replaces. */
sealed trait Replacement
object Replacement {
  case object TrueLru extends Replacement
  case object TreePlru extends Replacement
  case object Nru extends Replacement
  case object Random extends Replacement
}

/** What a data cache does with a physical line that is reached under several colours, which exist
  * where a way is larger than a page.
  */
sealed trait Aliases
object Aliases {

  /** Indexed by virtual address; a line is under one colour at a time. */
  case object OneCopy extends Aliases

  /** Indexed by virtual address; a line that nobody writes may be under several colours. */
  case object Copies extends Aliases

  /** Indexed by physical address: a line has one place. */
  case object Physical extends Aliases
}

/** Geometry of a level-1 cache.
  *
  * @param sizeBytes   data capacity. Requires: power of two, at least ways * lineBytes.
  * @param ways        associativity. Requires: power of two, 1 to 16.
  * @param lineBytes   line size. Requires: power of two, 16 to 128.
  * @param replacement victim choice.
  * @param aliases     for a data cache.
  */
case class CacheConfig(
    sizeBytes: Int,
    ways: Int,
    lineBytes: Int = 64,
    replacement: Replacement = Replacement.TrueLru,
    aliases: Aliases = Aliases.OneCopy
) {
  private def isPow2(n: Int) = n > 0 && (n & (n - 1)) == 0
  require(isPow2(ways) && ways <= 16, s"ways is $ways; use a power of two up to 16")
  require(
    isPow2(lineBytes) && lineBytes >= 16 && lineBytes <= 128,
    s"lineBytes is $lineBytes; use a power of two from 16 to 128"
  )
  require(
    isPow2(sizeBytes) && sizeBytes >= ways * lineBytes,
    s"sizeBytes is $sizeBytes; use a power of two from ways * lineBytes = ${ways * lineBytes}"
  )

  /** Bytes of one way: above the page size, the index has virtual bits that translation changes. */
  def wayBytes: Int = sizeBytes / ways
  def sets: Int = wayBytes / lineBytes

  /** Places of different colour where a line can sit, seen from the smallest page (4 KiB). */
  def colours: Int = (wayBytes / 4096).max(1)
}
