package granule.device

import granule.arch.TableFormats
import granule.mmu.WalkPort
import spinal.core._
import spinal.lib._

/** How the bridge asks for walks: the walker's port, and whose tables are walked. `root` is stable
  * from `walk.cmd.valid` until it is taken; the walker's context is `root.in(shared)`.
  */
case class BridgeWalkPort(formats: TableFormats) extends Bundle with IMasterSlave {
  val walk = WalkPort(formats)
  val root = StreamRoot()

  override def asMaster(): Unit = {
    master(walk)
    out(root)
  }
}

/** A fault as software reads it.
  *
  * @field status   fault status code with its level (spec 7.2); alignment: an illegal burst.
  * @field slot     names the transaction when it `stalls`.
  */
case class BridgeFault(config: BridgeConfig) extends Bundle {
  val va = UInt(64 bits)
  val stream = UInt(log2Up(config.streams) bits)
  val id = UInt(config.idWidth bits)
  val write, execute, stalls = Bool()
  val status = Bits(6 bits)
  val slot = UInt(log2Up(config.waiting) bits)
}

/** What software decides about a transaction that stalls.
  *
  * @field retry look it up again; else answer by SLVERR.
  */
case class BridgeResume(config: BridgeConfig) extends Bundle {
  val write = Bool()
  val slot = UInt(log2Up(config.waiting) bits)
  val retry = Bool()
}

/** What the counters count, each in one cycle.
  *
  * @field hit   a transaction is translated without a walk of its own.
  * @field miss  a walk is asked for.
  * @field fault a transaction faults; `stall`: and waits for software.
  */
case class BridgeEvents() extends Bundle {
  val hit, miss, fault, stall = Bool()
}
