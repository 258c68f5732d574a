package granule.mmu

import granule.arch.TableFormats
import spinal.core._
import spinal.lib._

/** An access that no TLB could translate.
  *
  * @field highCanonical the VA bits above the widest half are as they must be (spec 2.2). The
  *                      requester knows it anyway, and before it knows that it has to ask.
  * @field translateOnly an AT operation: the permission is checked by the walk, and no descriptor
  *                      is changed.
  */
case class WalkRequest() extends Bundle {
  val va = UInt(64 bits)
  val highCanonical = Bool()
  val access = Access()
  val el1, pan, mxr = Bool()
  val translateOnly = Bool()
}

/** Why an access has no translation; `dirty` is that of [[TranslateRsp]]. */
case class WalkFault() extends Bundle {
  val status = Bits(6 bits)
  val wnr, dirty = Bool()
}

/** Port of the walker.
  *
  * @field cmd          is accepted when the walker is idle. Each accepted command ends once, in a
  *                     cycle of `leaf`, `fault` or `dropped`.
  * @field leaf         what was found. The payload is there in the cycle before `valid`, and stays
  *                     until `ready`. Only an option beside the walker makes it wait.
  * @field shareability that of the leaf; `permitted`: its permissions allow what was asked.
  * @field fault        why there is no leaf.
  * @field dropped      an invalidation concerns the walk: ask again. A leaf that waits may end so.
  */
case class WalkPort(formats: TableFormats) extends Bundle with IMasterSlave {
  val cmd = Stream(WalkRequest())
  val leaf = Stream(Translation(formats))
  val shareability = Bits(2 bits)
  val permitted = Bool()
  val fault = Flow(WalkFault())
  val dropped = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    slave(leaf, fault)
    in(shareability, permitted, dropped)
  }
}

/** The walk under way as an invalidation sees it: what it will find, nobody knows yet.
  *
  * @field upper    the half of the address space that it is for.
  * @field mayStore it was killed, and its compare-and-swap may still be performed.
  */
case class WalkUnderWay(formats: TableFormats) extends Bundle {
  val upper = Bool()
  val asid = Bits(formats.config.asidBits bits)
  val mayStore = Bool()
}

/** What the walker tells the counters.
  *
  * @field read        a descriptor is read: at level 0 or above it, at levels 1, 2, 3.
  * @field cachedLast  a walk began at a remembered table of the last level.
  * @field cachedUpper a walk began at a remembered table above it.
  * @field single      a walk that ended after one read.
  */
case class WalkEvents() extends Bundle {
  val walk, cycle, restart = Bool()
  val read = Vec(Bool(), 4)
  val cachedLast = Bool()
  val cachedUpper = Bool()
  val single = Bool()
}

/** Who makes walks in an [[Mmu]]: the walker, or a [[MmuOption]] with the walker behind it.
  *
  * @field port     is asked for walks; `memory`: by this port descriptors are read.
  * @field underWay the walk that an invalidation finds.
  * @field busy     somebody waits for an answer.
  */
case class Walks(port: WalkPort, memory: WalkMemoryPort, underWay: WalkUnderWay, busy: Bool)

object Walks {

  /** The walker makes them. */
  def of(walker: Walker): Walks =
    Walks(walker.io.walk, walker.io.memory, walker.io.underWay, walker.io.events.cycle)
}

/** An option of an [[Mmu]]. It stands between who asks for walks and the walker, and has their
  * ports on both sides; or it only looks.
  */
trait MmuOption {

  /** It keeps entries: an invalidation has a [[FurtherSweepPort]] for them. */
  def isSwept: Boolean = false

  /** Builds it in `mmu`, before `walks`. */
  def wrap(mmu: Mmu, walks: Walks): Walks

  /** What it has before the translate port of `fetch` or of data; built after [[wrap]]. */
  def front(mmu: Mmu, port: TranslatePort, fetch: Boolean): TranslatePort = port
}

/** What a [[Walker]] tells the counters ([[WalkEvents]]). */
private[mmu] object WalkCounting {
  def apply(walker: Walker): Unit = {
    import walker.{io, isIn, next, readTaken, reads, remembered}
    val formats = walker.geometry.formats
    val begins = io.walk.cmd.fire

    // That a read was taken is known late in its cycle; it is counted in the next one.
    def late(event: Bool) = RegNext(event) init False

    io.events.walk := begins
    io.events.cycle := !isIn(walker.State.idle)
    io.events.restart := io.walk.dropped
    for ((event, l) <- io.events.read.zipWithIndex) {
      val counted = if (l == 0) formats.levels.filter(_ <= 0) else Seq(l)
      event := late(readTaken && counted.map(level => next.level(formats.code(level))).orR)
    }
    io.events.single := (io.walk.leaf.fire || io.walk.fault.valid) && reads === 1
    val found = readTaken && reads === 0 && remembered
    val last = io.tables.found.level(formats.code(formats.lastLevel))
    io.events.cachedLast := late(found && last)
    io.events.cachedUpper := late(found && !last)
  }
}
