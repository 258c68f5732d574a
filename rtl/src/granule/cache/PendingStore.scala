package granule.cache

import spinal.core._
import spinal.lib._

/** A store that hit, on its way into the data RAM. Lookups that come too early to read it there are
  * given it from here.
  *
  * {{{
  *   c1   the store's lookup hits: valid, ways, set, word, early and keeps are loaded
  *   c2   `write`: its bytes are put together with what the lookup found, and written
  *   c3   a read that the RAM was asked for in c2 does not have it yet
  * }}}
  */
case class PendingStore(geometry: CacheGeometry) extends Area {
  val valid = RegInit(False)
  val ways = Reg(geometry.waysType)
  val set = Reg(geometry.setType)
  val word = Reg(geometry.wordType)
  val early = Reg(Bits(64 bits)) // known without the lookup
  val keeps = Reg(Bits(8 bits)) // bytes that stay as the lookup found them

  val write = Flow(DataWrite(geometry))
  write.valid := valid
  write.payload.ways := ways
  write.payload.set := set
  write.payload.word := word

  /** In c2: what the lookup of c1 found. */
  def complete(found: Bits): Unit =
    write.data := early | (found & Cat(keeps.asBools.map(keep => Repeat(keep, 8))))

  private val written = RegNext(write)
  written.valid init False

  /** The word is that of this store, or of the one before. */
  private def same(inSet: UInt, atWord: UInt): (Bool, Bool) = {
    def same(s: Flow[DataWrite]) = s.valid && s.set === inSet && s.word === atWord
    (same(write), same(written))
  }

  /** For cover points: what hits in `hits` is given from here. */
  def forwards(inSet: UInt, atWord: UInt, hits: Bits): (Bool, Bool) = {
    val (isWriting, wasWritten) = same(inSet, atWord)
    (isWriting && (hits & ways).orR, wasWritten && (hits & written.ways).orR)
  }

  /** What each way has at a word, of which the RAM says `data`. */
  def over(data: Vec[Bits], inSet: UInt, atWord: UInt): Vec[Bits] = {
    val (isWriting, wasWritten) = same(inSet, atWord)
    Vec(data.zipWithIndex.map { case (data, w) =>
      Mux(isWriting && ways(w), write.data, Mux(wasWritten && written.ways(w), written.data, data))
    })
  }
}
