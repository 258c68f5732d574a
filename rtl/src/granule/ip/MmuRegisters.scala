package granule.ip

import granule.arch._
import granule.mmu._
import granule.options._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}
import spinal.lib.bus.misc.SizeMapping
import spinal.lib.bus.regif._

/** The register block of the MMU: context, identification, fault record and TLB invalidation.
  *
  * 64-bit registers are pairs of words. A write to LO is staged and takes effect together with the
  * write to HI; reads return what is in force. A write to TLBI_COMMAND is acknowledged on the bus
  * when the invalidation is complete, or, if it is posted, when [[InvalidateQueue]] has it; one to
  * TLBI_SYNC when all that were sent are complete; one to TLB_SELECT when no TLBI is `sweeping` any
  * more. `spared` belongs to what `invalidate` offers.
  * Where nothing can be posted, TLBI_COMMAND has no such bits: all TLBIs are for everybody and are
  * complete when their store is. An APB transfer takes two cycles otherwise. A read of an
  * address without a register answers with a slave error; a write there does nothing. Sources: spec
  * 1.1-1.4, 1.7, 7.3, 8.2.
  */
case class MmuRegisters(config: MmuConfig) extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(MmuRegisters.apbConfig))
    val context = out(MmuContext())
    val htab = config.hashedTable generate out(Bits(64 bits))
    val invalidate = master(InvalidatePort())
    val spared = config.posts generate out(SparedAgents())
    val fault = slave(Flow(FaultReport()))
    val satp = in(Bits(64 bits))
    val at = config.addressTranslate generate master(Stream(AddressTranslateCmd()))
    val par = config.addressTranslate generate in(Bits(128 bits))
    val selected = config.tlbReadOut generate out(UInt(9 bits))
    val view = config.tlbReadOut generate in(TlbView(TableFormats(config)))
    val viewKey = config.tlbReadOut generate in(SweptEntry(TableFormats(config)))
    val sweeping = config.tlbReadOut generate in(Bool())
  }

  val bus = BusInterface(io.apb, SizeMapping(0, 0x1000), 0, "")
  bus.setReservedAddressErrorState(true)

  private def half(at: Int, name: String, doc: String, fields: Seq[RegisterField]): RegInst = {
    val word = bus.newRegAt(at, doc)(SymbolName(name))
    fields.foreach(f => f.addTo(word))
    word
  }

  /** A pair that software writes; the value is all 64 bits, unimplemented ones zero. */
  private def pair(at: Int, name: String, doc: String, fields: Seq[RegisterField]): Bits = {
    val (low, high) = fields.partition(_.bits.lsb < 32)
    val lo = half(at, s"${name}_lo", s"$doc, bits 31:0, staged until HI is written", low)
    val hi = half(at + 4, s"${name}_hi", s"$doc, bits 63:32, commits", high.map(_.inHighWord))
    val committed = Reg(Bits(32 bits)).init(0).setName(s"${name}_committed")
    when(hi.hitDoWrite) { committed := lo.readBits() }
    lo.updateReadBits = committed
    hi.readBits() ## committed
  }

  private def readOnly(at: Int, name: String, doc: String, value: Bits): Unit =
    for ((suffix, i) <- Seq("lo", "hi").zipWithIndex)
      bus
        .newRegAt(at + 4 * i, s"$doc, bits ${32 * i + 31}:${32 * i}")(
          SymbolName(s"${name}_$suffix")
        )
        .field(Bits(32 bits), AccessType.RO, doc)(SymbolName("value")) := value(32 * i, 32 bits)

  private val id = IdRegisters(config)
  readOnly(0x00, "mmfr0", "ID_AA64MMFR0_EL1", B(id.mmfr0, 64 bits))
  readOnly(0x08, "mmfr1", "ID_AA64MMFR1_EL1", B(id.mmfr1, 64 bits))
  readOnly(0x10, "mmfr2", "ID_AA64MMFR2_EL1", B(id.mmfr2, 64 bits))
  readOnly(0x18, "isar0", "ID_AA64ISAR0_EL1", B(id.isar0, 64 bits))
  readOnly(0xc0, "mmfr3", "ID_AA64MMFR3_EL1", B(id.mmfr3, 64 bits))

  private val fields = RegisterFields(config)
  io.context.sctlr := pair(0x20, "sctlr", "SCTLR_EL1: system control", fields.sctlr)
  io.context.tcr := pair(0x28, "tcr", "TCR_EL1: translation control", fields.tcr)
  io.context.ttbr0 := pair(0x30, "ttbr0", "TTBR0_EL1: lower half", fields.ttbr)
  io.context.ttbr1 := pair(0x38, "ttbr1", "TTBR1_EL1: upper half", fields.ttbr)
  io.context.mair := pair(0x40, "mair", "MAIR_EL1: memory types", fields.mair)
  io.context.satp := io.satp

  /** Registers of 128-bit descriptors; without these they read as zero, as in the architecture. */
  private val large = new Area {
    def register(at: Int, name: String, doc: String, fields: Seq[RegisterField]): Bits =
      if (config.tcr2) pair(at, name, doc, fields) else B(0, 64 bits)
    io.context.tcr2 := register(0x90, "tcr2", "TCR2_EL1: more translation control", fields.tcr2)
    io.context.pir := register(0x98, "pir", "PIR_EL1: EL1's permissions", fields.permissions)
    io.context.pire0 := register(0xa0, "pire0", "PIRE0_EL1: EL0's", fields.permissions)
    io.context.mair2 := register(0xa8, "mair2", "MAIR2_EL1: more memory types", fields.mair2)
    io.context.ttbr0High := register(0xb0, "ttbr0_high", "TTBR0_EL1, 127:64", fields.ttbrHigh)
    io.context.ttbr1High := register(0xb8, "ttbr1_high", "TTBR1_EL1, 127:64", fields.ttbrHigh)
  }

  /** Without a hashed table it reads as zero, so that software can ask. */
  private val hashedTable = 0xf0 -> "HTAB: the hashed table of translations"
  if (config.hashedTable) io.htab := pair(hashedTable._1, "htab", hashedTable._2, fields.htab)
  else readOnly(hashedTable._1, "htab", hashedTable._2, B(0, 64 bits))

  private val record = FaultRecord(io.fault)
  readOnly(0x50, "esr", "ESR_EL1 of the last fault that the CPU took", record.esr)
  readOnly(0x58, "far", "FAR_EL1 of the last fault that the CPU took", record.far)

  private val operand = pair(
    0x60,
    "tlbi_operand",
    "operand of the next TLBI (spec 8.3, 8.4)",
    Seq(
      RegisterField("low", TlbiOperand.low, "VA[43:12], or the low bits of the range base"),
      RegisterField("high", TlbiOperand.high, "rest of the VA or base, TTL, NUM, SCALE, TG"),
      RegisterField("asid", TlbiOperand.asid, "ASID")
    )
  )

  private[granule] val queue = config.posts generate InvalidateQueue(config.postedTlbis)
  if (config.posts) {
    queue.io.port <> io.invalidate
    io.spared := queue.io.spared
  }

  private val command = new Area {
    val register = bus.newRegAt(
      0x68,
      "TLBI command: 0 all, 1 ASID, 2 VA, 3 VA all ASIDs, 4 range, 5 range all ASIDs; " +
        "the write is acknowledged when the invalidation is complete"
    )(SymbolName("tlbi_command"))
    RegisterField("kind", TlbiCommand.kind, "kind of the invalidation").addTo(register)
    RegisterField("last_level", TlbiCommand.lastLevel, "only leaf entries must go")
      .addTo(register)
    if (config.posts)
      for (
        (name, bit, doc) <- Seq(
          ("posted", TlbiCommand.posted, "the write is acknowledged at once: TLBI_SYNC waits"),
          ("not_cpu", TlbiCommand.notCpu, "the CPU's MMU need not know"),
          ("not_devices", TlbiCommand.notDevices, "the MMU of devices need not know")
        )
      ) RegisterField(name, bit, doc).addTo(register)

    val access = bus.askWrite && io.apb.PENABLE && bus.writeAddress() === register.addr
    val sent = Reg(Bool()) init False
    val cycles = Reg(UInt(32 bits)) init 0
    val posted = config.posts generate TlbiCommand.posted.bool(bus.writeData)
    def taken = if (config.posts) queue.io.sent.fire && !posted else io.invalidate.cmd.fire
    val ended =
      if (config.posts) posted ? queue.io.sent.ready | sent && queue.io.complete
      else io.invalidate.done
    when(access) {
      when(sent) { cycles := cycles + 1 }
      when(taken) {
        sent := True
        cycles := 1
      }
      when(ended) { sent := False }
      when(!ended) { bus.writeHalt() }
    }
    val offered = if (config.posts) queue.io.sent.command else io.invalidate.cmd.payload
    (if (config.posts) queue.io.sent.valid else io.invalidate.cmd.valid) := access && !sent
    if (config.posts) {
      queue.io.sent.spared.cpu := TlbiCommand.notCpu.bool(bus.writeData)
      queue.io.sent.spared.devices := TlbiCommand.notDevices.bool(bus.writeData)
    }
    offered.kind := InvalidateKind.of(TlbiCommand.kind.of(bus.writeData))
    offered.lastLevelOnly := TlbiCommand.lastLevel.bool(bus.writeData)
    offered.operand := operand
    offered.ds := (Tcr.ds.bool(io.context.tcr)
      || Tcr2.d128.bool(io.context.tcr2))
  }
  bus
    .newRegAt(0x6c, "cycles from acceptance to completion of the last TLBI")(
      SymbolName("tlbi_cycles")
    )
    .field(Bits(32 bits), AccessType.RO, "cycles")(SymbolName("value")) := command.cycles.asBits

  private[granule] val sync = config.posts generate TlbiSyncRegister(config, queue, bus, io.apb)

  if (config.addressTranslate) {
    val va = pair(
      0x70,
      "at_va",
      "address of the next AT",
      Seq(
        RegisterField("low", At.vaLow, "VA[31:0]"),
        RegisterField("high", At.vaHigh, "VA[63:32]")
      )
    )
    val register = bus.newRegAt(
      0x78,
      "AT: 0 S1E1R, 1 S1E1W, 2 S1E0R, 3 S1E0W, 4 S1E1RP, 5 S1E1WP; the write is acknowledged " +
        "when PAR is there"
    )(SymbolName("at_command"))
    RegisterField("operation", At.operation, "operation").addTo(register)
    val access = bus.askWrite && io.apb.PENABLE && bus.writeAddress() === register.addr
    val operation = At.operation.of(bus.writeData)
    io.at.valid := access
    io.at.va := va.asUInt
    io.at.write := At.write.bool(operation)
    io.at.el1 := !At.el0.bool(operation)
    io.at.pan := At.pan.bool(operation)
    when(access && !io.at.ready) { bus.writeHalt() }
    val par = RegNextWhen(io.par, io.at.fire) init 0
    readOnly(0x80, "par", "PAR_EL1: outcome of the last AT", Par.low.of(par))
    readOnly(0x88, "par_high", "PAR_EL1, 127:64", Par.high.of(par))
  }
  if (config.tlbReadOut) {
    val select = bus.newRegAt(0xd0, "TLB entry that is shown")(SymbolName("tlb_select"))
    val entry = select.fieldAt(
      TlbSelect.entry.lsb,
      UInt(TlbSelect.entry.width bits),
      AccessType.RW,
      0,
      "number"
    )(SymbolName("entry"))
    val which = select.fieldAt(TlbSelect.data.lsb, Bool(), AccessType.RW, 0, "0 fetch, 1 data")(
      SymbolName("data")
    )
    io.selected := (which ## entry).asUInt
    // A sweep goes on after its TLBI is complete.
    val selects = bus.askWrite && io.apb.PENABLE && bus.writeAddress() === select.addr
    when(selects && io.sweeping) { bus.writeHalt() }
    TlbReadOut(config, io.view, io.viewKey, bus)
  }
}

object MmuRegisters {
  val apbConfig = Apb3Config(addressWidth = 12, dataWidth = 32)
}
