package granule.device

import granule.arch.BitField
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}
import spinal.lib.bus.misc.SizeMapping
import spinal.lib.bus.regif._

/** The register block of the DMA engine.
  *
  * A write of CONTROL.start while STATUS.busy is 1 does nothing. LIST, STREAMS and the flags of
  * STATUS are looked at while the engine works; software leaves LIST and STREAMS as they are until
  * it has ended. `ended` comes in the last cycle of `busy`; with `complete`, the whole list was
  * done.
  *
  * An APB transfer takes two cycles. A read of an address without a register answers with a slave
  * error; a write there does nothing.
  */
case class DmaRegisters(config: DmaConfig) extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(DmaRegisters.apbConfig))
    val start, stop = out(Bool())
    val list = out(UInt(64 bits))
    val streams = out(DmaStreamNumbers(config))
    val busy = in(Bool())
    val index, written = in(UInt(32 bits))
    val entryDone = in(Bool())
    val ended = slave(Flow(DmaEnd()))
    val complete = in(Bool())
    val interrupt = out(Bool())
  }

  val bus = BusInterface(io.apb, SizeMapping(0, 0x100), 0, "")
  bus.setReservedAddressErrorState(true)

  private def register(at: Int, name: String, doc: String) =
    bus.newRegAt(at, doc)(SymbolName(name))

  private def field(
      register: RegInst,
      bits: BitField,
      kind: AccessType,
      name: String,
      doc: String
  ) =
    register.fieldAt(bits.lsb, Bits(bits.width bits), kind, 0, doc)(SymbolName(name))

  private def shows(register: RegInst, bits: BitField, name: String, value: Data, doc: String) =
    field(register, bits, AccessType.RO, name, doc) := value.asBits.resized

  private val control = new Area {
    val register = DmaRegisters.this.register(0x00, "control", "writing 1 does it")
    field(register, DmaControl.start, AccessType.WO, "start", "begin the list, unless busy")
    field(register, DmaControl.stop, AccessType.WO, "stop", "begin no burst any more")
    io.start := register.hitDoWrite && DmaControl.start.bool(bus.writeData)
    io.stop := register.hitDoWrite && DmaControl.stop.bool(bus.writeData)
  }

  private val status = new Area {
    val register = DmaRegisters.this.register(0x04, "status", "all but busy: write 1 to clear")
    val enable = DmaRegisters.this.register(0x08, "interrupt", "which bits of STATUS interrupt")
    shows(register, DmaStatus.busy, "busy", io.busy, "a list is worked off")
    private val ended = io.ended.valid
    private val failed = io.ended.payload.failed
    private val begins = io.start && !io.busy
    private val interrupts = Seq(
      (DmaStatus.done, "done", "all of the list is done", ended && io.complete),
      (DmaStatus.error, "error", "ERROR ended the list", ended && failed),
      (DmaStatus.stopped, "stopped", "CONTROL.stop did", ended && !failed && !io.complete),
      (DmaStatus.entry, "entry", "an entry with the interrupt flag is done", io.entryDone)
    ).map { case (bits, name, doc, now) =>
      val flag = RegInit(False)
      when(begins || register.hitDoWrite && bits.bool(bus.writeData)) { flag := False }
      when(now) { flag := True }
      shows(register, bits, name, flag, doc)
      field(enable, bits, AccessType.RW, name, s"while STATUS.$name is 1").asBool && flag
    }
    io.interrupt := RegNext(interrupts.orR) init False
  }

  private val what = new Area {
    val streams = register(0x0c, "streams", "rows of the bridge's context table")
    private def number(bits: BitField, name: String, doc: String) =
      field(streams, bits, AccessType.RW, name, doc).asUInt.resize(io.streams.list.getWidth)
    io.streams.list := number(DmaStreams.list, "list", "of the list")
    io.streams.source := number(DmaStreams.source, "source", "of what is read")
    io.streams.destination := number(DmaStreams.destination, "destination", "of what is written")
    val list = Seq("lo" -> 0x10, "hi" -> 0x14).map { case (half, at) =>
      val doc = s"address of the list, $half word"
      field(register(at, s"list_$half", doc), BridgeWord.value, AccessType.RW, "address", doc)
    }
    io.list := (list.last ## list.head).asUInt
    io.list(log2Up(DmaEntry.bytes) - 1 downto 0) := 0
  }

  private val progress = new Area {
    private def word(at: Int, name: String, value: Bits, doc: String) =
      shows(register(at, name, doc), BridgeWord.value, "value", value, doc)
    word(0x18, "entry", io.index.asBits, "entries that are done; so the index of the next one")
    word(0x1c, "bytes", io.written.asBits, "bytes of the entry ENTRY that are written")
    val end = RegNextWhen(io.ended.payload, io.ended.valid)
    val error = register(0x20, "error", "means nothing without STATUS.error")
    val causes = "1 list, 2 read, 3 write, 4 illegal entry"
    shows(error, DmaErrorInfo.cause, "cause", end.cause, causes)
    shows(error, DmaErrorInfo.response, "response", end.response, "of the bus: 2 SLVERR, 3 DECERR")
    word(0x24, "error_va_lo", end.va(31 downto 0).asBits, "where, low word")
    word(0x28, "error_va_hi", end.va(63 downto 32).asBits, "where, high word")
  }
}

object DmaRegisters {
  val apbConfig = Apb3Config(addressWidth = 8, dataWidth = 32)
}
