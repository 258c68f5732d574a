package granule.device

import granule.arch.BitField
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}
import spinal.lib.bus.misc.SizeMapping
import spinal.lib.bus.regif._

/** The register block of the bridge: the context table, control, faults and counters.
  *
  * A row of the context table changes as a whole: STREAM names it, ROOT_LO and ROOT_HI are staged,
  * and a write to CONTEXT writes the row. `context` is the row of `stream` in the same cycle. Reset
  * leaves the table as it is; while CONTROL.run is 0 nothing enters, so software writes all rows
  * that clients may name before it sets it.
  *
  * An APB transfer takes two cycles. A read of an address without a register answers with a slave
  * error; a write there does nothing.
  */
case class BridgeRegisters(config: BridgeConfig) extends Component {
  private val streamBits = log2Up(config.streams)
  private val slotBits = log2Up(config.waiting)

  val io = new Bundle {
    val apb = slave(Apb3(BridgeRegisters.apbConfig))
    val stream = in(UInt(streamBits bits))
    val context = out(StreamContext())
    val run = out(Bool())
    val idle = in(Bool())
    val fault = slave(Flow(BridgeFault(config)))
    val stalled = in(Bits(2 * config.waiting bits))
    val resume = master(Flow(BridgeResume(config)))
    val events = in(BridgeEvents())
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

  private def word(register: RegInst, value: Bits, doc: String) =
    shows(register, BridgeWord.value, "value", value, doc)

  private def flag(register: RegInst, bits: BitField, name: String, doc: String): Bool =
    field(register, bits, AccessType.RW, name, doc).asBool

  private val queue = FaultQueue(config, io.fault)

  private val control = register(0x00, "control", "what the bridge does")
  io.run := flag(control, BridgeControl.run, "run", "new transactions are accepted")

  private val status = register(0x04, "status", "what goes on; overflow is cleared by writing 1")
  shows(status, BridgeStatus.idle, "idle", io.idle, "run is 0, and nothing is open")
  shows(status, BridgeStatus.fault, "fault", queue.pop.valid, "the fault queue has an entry")
  shows(status, BridgeStatus.overflow, "overflow", queue.overflow, "a fault found no room there")
  when(status.hitDoWrite && BridgeStatus.overflow.bool(bus.writeData)) { queue.overflow := False }

  private val enable = register(0x08, "interrupt", "which bits of STATUS interrupt")
  private val onFault = flag(enable, BridgeStatus.fault, "fault", "while STATUS.fault is 1")
  private val onOverflow =
    flag(enable, BridgeStatus.overflow, "overflow", "while STATUS.overflow is 1")
  io.interrupt := RegNext(onFault && queue.pop.valid || onOverflow && queue.overflow) init False

  private val table = new Area {
    val rows = Mem(StreamContext(), config.streams)
    io.context := rows.readAsync(io.stream)

    private def written(register: RegInst, bits: BitField, name: String, doc: String) =
      field(register, bits, AccessType.WO, name, doc)

    val select = register(0x10, "stream", "row of the context table that CONTEXT writes")
    val row = field(select, BridgeStream.number, AccessType.RW, "number", "AxUSER of the stream")
    val root = Seq("lo" -> 0x14, "hi" -> 0x18).map { case (half, at) =>
      val doc = s"root of the address space, $half word: TTBR0 with its ASID, or satp"
      val staged = register(at, s"root_$half", s"$doc; for the next write of CONTEXT")
      written(staged, BridgeWord.value, "value", doc)
    }
    val context = register(0x1c, "context", "the rest of the row; a write changes the row")
    written(context, BridgeRow.mode, "mode", "0 off: all faults, 1 bypass, 2 TTBR0, 3 satp")
    written(context, BridgeRow.privileged, "privileged", "accesses are EL1's, else EL0's")
    written(context, BridgeRow.stalls, "stalls", "what faults waits for RESUME, else SLVERR")
    val next = StreamContext()
    next.root := root.last ## root.head
    next.mode.assignFromBits(BridgeRow.mode.of(bus.writeData))
    next.privileged := BridgeRow.privileged.bool(bus.writeData)
    next.stalls := BridgeRow.stalls.bool(bus.writeData)
    rows.write(row.asUInt.resize(streamBits), next, enable = context.hitDoWrite)
  }

  private val faults = new Area {
    private val of = BridgeFaultInfo
    val oldest = queue.pop.payload
    val info = register(0x20, "fault_info", "the oldest fault; means nothing without STATUS.fault")
    shows(
      info,
      of.status,
      "status",
      oldest.status,
      "status code with its level, 0x21: illegal burst"
    )
    shows(info, of.write, "write", oldest.write, "it is a write")
    shows(info, of.execute, "execute", oldest.execute, "it is an instruction fetch")
    shows(info, of.stalls, "stalls", oldest.stalls, "it waits for RESUME")
    shows(info, of.slot, "slot", oldest.slot, "its name for RESUME, together with write")
    shows(info, of.stream, "stream", oldest.stream, "AxUSER")
    shows(info, of.id, "id", oldest.id, "AxID")
    for ((half, i) <- Seq("lo", "hi").zipWithIndex)
      word(
        register(0x24 + 4 * i, s"fault_va_$half", s"address of the oldest fault, $half word"),
        oldest.va.asBits(32 * i, 32 bits),
        "address"
      )
    val pop = register(0x2c, "fault_pop", "any write takes the oldest fault from the queue")
    field(pop, BridgeWord.value, AccessType.WO, "value", "does not matter")
    queue.pop.ready := pop.hitDoWrite
  }

  private val stall = new Area {
    val resume = register(0x30, "resume", "what becomes of a transaction that stalls")
    field(resume, BridgeResumed.retry, AccessType.WO, "retry", "1 look it up again, 0 SLVERR")
    field(resume, BridgeFaultInfo.write, AccessType.WO, "write", "FAULT_INFO.write")
    field(resume, BridgeFaultInfo.slot, AccessType.WO, "slot", "FAULT_INFO.slot")
    io.resume.valid := resume.hitDoWrite
    io.resume.retry := BridgeResumed.retry.bool(bus.writeData)
    io.resume.write := BridgeFaultInfo.write.bool(bus.writeData)
    io.resume.slot := BridgeFaultInfo.slot.of(bus.writeData).asUInt.resize(slotBits)
    val stalled = register(0x34, "stalled", "slots that wait for RESUME")
    val reads = io.stalled(0, config.waiting bits)
    val writes = io.stalled(config.waiting, config.waiting bits)
    shows(stalled, BridgeStalled.reads, "reads", reads, "a bit for each slot")
    shows(stalled, BridgeStalled.writes, "writes", writes, "likewise")
  }

  private val counters = new Area {
    val tally = Tally(Seq(io.events.hit, io.events.miss, io.events.fault, io.events.stall))
    tally.index := (io.apb.PADDR >> 2).resized
    for (
      ((name, doc), i) <- Seq(
        "hits" -> "transactions that were translated without a walk of their own",
        "misses" -> "walks that were asked for",
        "faults" -> "faults, those that found no room in the queue included",
        "stalls" -> "faults that waited for RESUME"
      ).zipWithIndex
    ) word(register(0x40 + 4 * i, name, s"$doc; wraps"), tally.value, "count")
  }
}

object BridgeRegisters {
  val apbConfig = Apb3Config(addressWidth = 8, dataWidth = 32)
}
