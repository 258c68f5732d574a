package granule.cache

import granule.arch.CacheMaintain
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}
import spinal.lib.bus.misc.SizeMapping
import spinal.lib.bus.regif._

/** Register block of the caches (APB3, 4 KiB): what was built ([[CacheIdentity]]), and whole-cache
  * maintenance. A write to MAINTAIN is acknowledged (PREADY) when the operation is complete. A
  * read of an address without a register answers with a slave error; a write there does nothing.
  *
  * @param icache the instruction cache as built.
  * @param dcache the data cache as built.
  * @param l2     the level-2 cache behind them. Nobody reads memory past it: it is the point of
  *               coherence and of unification, so maintenance ends at level 1.
  */
case class CacheRegisters(
    icache: CacheConfig,
    dcache: CacheConfig,
    l2: Option[CacheConfig] = None
) extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(CacheRegisters.apbConfig))
    val maintain = master(MaintainPort())
    val asyncError = in(Bool())
  }
  val bus = BusInterface(io.apb, SizeMapping(0, 4096), 0, "")
  bus.setReservedAddressErrorState(true)

  private def register(at: Int, name: String, doc: String) = bus.newRegAt(at, doc)(SymbolName(name))

  /** Read-only fields, from bit 0 upwards: (name, width, what it is, value); no name: reserved. */
  private def readOnly(at: Int, name: String, doc: String)(
      fields: (String, Int, String, UInt)*
  ): Unit = {
    val reg = register(at, name, doc)
    for ((field, width, text, value) <- fields)
      if (field.isEmpty) reg.field(Bits(width bits), AccessType.NA, text)(SymbolName("reserved"))
      else
        reg.field(UInt(width bits), AccessType.RO, text)(SymbolName(field)) := value.resize(width)
  }
  private def gap(width: Int) = ("", width, "reserved, reads 0", U(0))

  private val one = U(1)
  readOnly(0x00, "clidr", "which caches there are (CLIDR_EL1)")(
    ("ctype1", 3, "level 1: 3 = separate instruction and data caches", U(3)),
    ("ctype2", 3, "level 2: 4 = a unified cache, 0 = none", U(if (l2.isDefined) 4 else 0)),
    gap(15),
    ("louis", 3, "level of unification, inner shareable", one),
    ("loc", 3, "level of coherence", one),
    ("louu", 3, "level of unification, uniprocessor", one)
  )

  private val csselr = register(0x08, "csselr", "cache that CCSIDR describes (CSSELR_EL1)")
  private val instruction =
    csselr.field(Bool(), AccessType.RW, "1: instruction cache, 0: data cache")(SymbolName("ind"))
  private val selectedLevel =
    csselr.field(UInt(3 bits), AccessType.RW, "cache level minus 1")(SymbolName("level"))

  // What does not exist reads as zero.
  private def described(value: CacheConfig => Int): UInt =
    (instruction ## selectedLevel).mux(
      0 -> U(value(dcache), 24 bits),
      1 -> U(l2.fold(0)(value), 24 bits),
      8 -> U(value(icache), 24 bits),
      default -> U(0, 24 bits)
    )
  readOnly(0x10, "ccsidr_lo", "geometry of the selected cache (CCSIDR_EL1, FEAT_CCIDX), low word")(
    ("linesize", 3, "log2(bytes of a line) - 4", described(CacheIdentity.lineSizeCode)),
    ("associativity", 21, "ways - 1", described(_.ways - 1))
  )
  readOnly(0x14, "ccsidr_hi", "geometry of the selected cache, high word")(
    ("numsets", 24, "sets - 1", described(_.sets - 1))
  )

  readOnly(0x2c, "ccsidr_narrow", "the same in the format of CCSIDR_EL1 without FEAT_CCIDX")(
    ("linesize", 3, "log2(bytes of a line) - 4", described(CacheIdentity.lineSizeCode)),
    ("associativity", 10, "ways - 1", described(_.ways - 1)),
    ("numsets", 15, "sets - 1", described(_.sets - 1))
  )

  private val iWords = U(log2Up(icache.lineBytes / 4))
  private val dWords = U(log2Up(dcache.lineBytes / 4))
  readOnly(0x18, "ctr_lo", "cache type (CTR_EL0), low word; IDC = DIC = 0: FENCE.I is needed")(
    ("iminline", 4, "log2(words of an instruction cache line)", iWords),
    gap(10),
    ("l1ip", 2, "2 = VIPT, 3 = PIPT to software", U(CacheIdentity.l1Ip(icache))),
    ("dminline", 4, "log2(words of a data cache line)", dWords),
    ("erg", 4, "log2(words of an LR reservation)", dWords),
    ("cwg", 4, "log2(words of the largest write-back)", dWords),
    ("idc", 1, "1: no clean is needed for fetches to see stores", U(0)),
    ("dic", 1, "1: no invalidation is needed for fetches to see stores", U(0)),
    gap(1),
    ("res1", 1, "reads 1", one)
  )
  readOnly(0x1c, "ctr_hi", "cache type, high word")(
    ("tminline", 6, "log2(words of tags); there are no tags", U(0))
  )

  private val maintain =
    register(0x20, "maintain", "does an operation on a whole cache when written")
  for (
    (name, bits, text) <- Seq(
      ("clean", CacheMaintain.clean, "write every dirty line back"),
      ("invalidate", CacheMaintain.invalidate, "drop every line (after its write-back with clean)"),
      (
        "instruction",
        CacheMaintain.instruction,
        "1: instruction cache (drops its lines), 0: data cache"
      )
    )
  ) maintain.fieldAt(bits.lsb, Bool(), AccessType.RW, text)(SymbolName(name))

  readOnly(0x24, "l1d_info", "what the data cache's description cannot say")(
    (
      "replacement",
      2,
      "0 true LRU, 1 tree-PLRU, 2 NRU, 3 random",
      U(CacheIdentity.replacementCode(dcache.replacement))
    ),
    gap(2),
    (
      "aliases",
      2,
      "a line under several colours: 0 PIPT, none; 1 VIPT, one copy; 2 VIPT, copies of clean lines",
      U(CacheIdentity.aliasCode(dcache.aliases))
    )
  )

  private val errors = register(0x28, "errors", "errors that belong to no access; write 1 to clear")
  private val writeback =
    errors.field(Bool(), AccessType.W1C, "the bus refused a write-back")(SymbolName("writeback"))
  when(io.asyncError) { writeback := True }

  // ---- MAINTAIN: the bus waits ------------------------------------------------------------------
  private val wanted =
    io.apb.PSEL(0) && io.apb.PENABLE && io.apb.PWRITE && io.apb.PADDR === maintain.addr
  private val something = CacheMaintain.action.of(io.apb.PWDATA) =/= 0
  io.maintain.cmd.valid := wanted && something
  io.maintain.cmd.clean := CacheMaintain.clean.bool(io.apb.PWDATA)
  io.maintain.cmd.invalidate := CacheMaintain.invalidate.bool(io.apb.PWDATA)
  io.maintain.cmd.instructionCache := CacheMaintain.instruction.bool(io.apb.PWDATA)
  when(wanted && something && !io.maintain.done) { bus.writeHalt() }
}

object CacheRegisters {
  val apbConfig: Apb3Config = Apb3Config(addressWidth = 12, dataWidth = 32)
}
