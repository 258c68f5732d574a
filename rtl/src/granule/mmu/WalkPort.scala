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
  * @field direct        `va` is a physical address: only physical memory protection is asked, and
  *                      no table. `machine`: for M-mode. Both exist with `pmp`.
  */
case class WalkRequest(pmp: Boolean) extends Bundle {
  val va = UInt(64 bits)
  val highCanonical = Bool()
  val access = Access()
  val el1, pan, mxr = Bool()
  val translateOnly = Bool()
  val directBit, machine = pmp generate Bool()

  def direct: Bool = if (pmp) directBit else False
}

/** Why an access has no translation; `dirty` is that of [[TranslateRsp]]. */
case class WalkFault() extends Bundle {
  val status = Bits(6 bits)
  val wnr, dirty = Bool()
}

/** Port of the walker. `cmd` is accepted when the walker is idle. Each accepted command ends in one
  * cycle of `leaf`, `fault` or `dropped` (an invalidation concerns it: ask again). The payload
  * of `leaf` is there in the cycle before already; `shareability` goes with it.
  */
case class WalkPort(formats: TableFormats) extends Bundle with IMasterSlave {
  val cmd = Stream(WalkRequest(formats.config.pmp))
  val leaf = Flow(Translation(formats))
  val shareability = Bits(2 bits)
  val fault = Flow(WalkFault())
  val dropped = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    slave(leaf, fault)
    in(shareability, dropped)
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
