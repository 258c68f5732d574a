package granule.arch

import spinal.core._

/** What the systems of RISC-V have in common (privileged specification, chapter "Supervisor-Level
  * ISA"). Levels are numbered as Arm does: pages are at 3. Access flag and dirty state are
  * software's (Svade).
  *
  * @param bits of an address. There is one address space, of which each half is a part.
  */
abstract class RiscV(name: String, bits: Int) extends TranslationSystem {
  override val inputBits: Option[Int] = Some(bits)
  val controls: Set[Control] = Set(Control.Mxr)

  /** The only way to lay out tables, if it is `built`; leaves may be at every level.
    *
    * @param page where a descriptor has its page number.
    */
  protected def tableFormat(
      config: MmuConfig,
      built: Boolean,
      layout: DescriptorLayout,
      root: AddressField,
      page: BitField,
      contiguous: Map[Int, Int] = Map()
  ): Seq[TableFormat] = Granule.of(config).filter(_.log2Bytes == 12 && built).map { granule =>
    val found = TableFormat(
      name = name,
      system = this,
      granule = granule,
      layout = layout,
      root = root,
      address = AddressField(page -> 12),
      blockLevels = Set(),
      contiguous = contiguous,
      minTnsz = 64 - bits,
      maxTnsz = 64 - bits
    )
    found.copy(blockLevels = found.levels.init.toSet)
  }
}

object RiscV {
  private val read = BitField(1)
  private val write = BitField(2)
  private val execute = BitField(3)
  private val user = BitField(4)
  private val global = BitField(5)
  private val access = BitField(6)
  private val dirty = BitField(7)

  /** @param reserved must be zero; `napot`: the N bit of Svnapot. */
  def layout(
      name: String,
      log2Bytes: Int,
      reserved: Seq[BitField] = Nil,
      napot: Option[BitField] = None
  ): DescriptorLayout = DescriptorLayout(
    name = name,
    log2Bytes = log2Bytes,
    valid = BitField(0),
    kind = TypeScheme.AnyPermission(
      read,
      write,
      execute,
      reserved,
      reservedInTable = Seq(user, access, dirty) ++ napot
    ),
    permissions = PermissionScheme.RiscV(read, write, execute, user, dirty),
    accessFlag = access,
    notGlobal = global,
    notGlobalWhen = false,
    contiguous = napot,
    groupInLeaf = napot.nonEmpty,
    alignedLeaf = true
  )

  /** satp holds the root of both halves. */
  case class Root(asidField: BitField) extends RootRegisters {
    def enabled(context: MmuContext): Bool = True
    def root(context: MmuContext, upper: Boolean): Bits = context.satp
    def asid(context: MmuContext): Bits = asidField.of(context.satp).resize(16)
    def outputSize(context: MmuContext): Bits = B(Tcr.ipsCode(56), Tcr.ips.width bits)
  }
}

/** The tables of RV64: descriptors of 64 bits, with Svnapot and without Svpbmt. Addresses are
  * numbers with a sign.
  *
  * @param mode satp.MODE.
  */
sealed abstract class RiscV64(name: String, bits: Int, mode: Int) extends RiscV(name, bits) {
  override val signExtended: Boolean = true
  val registers: RootRegisters = RiscV.Root(Satp64.asid)

  def tableFormats(config: MmuConfig): Seq[TableFormat] = tableFormat(
    config,
    built = config.rv64 && config.vaBits >= bits,
    layout = RiscV64.layout,
    root = Satp64.base,
    page = BitField(10, 44),
    contiguous = Map(3 -> 4)
  )

  def selected(context: MmuContext, config: MmuConfig): Bool = Satp64.mode.of(context.satp) === mode
}

object Sv39 extends RiscV64("Sv39", bits = 39, mode = 8)
object Sv48 extends RiscV64("Sv48", bits = 48, mode = 9)

object RiscV64 {
  private val reserved = BitField(54, 9) // PBMT is 62:61
  private val napot = BitField(63)

  val layout: DescriptorLayout =
    RiscV.layout("RV64", log2Bytes = 3, reserved = Seq(reserved), napot = Some(napot))
}

/** Sv32: two levels of tables whose descriptors have 32 bits. */
object Sv32 extends RiscV("Sv32", bits = 32) {
  val layout: DescriptorLayout = RiscV.layout("Sv32", log2Bytes = 2)
  val registers: RootRegisters = RiscV.Root(Satp.asid)

  def tableFormats(config: MmuConfig): Seq[TableFormat] =
    tableFormat(config, built = config.sv32, layout, Satp.base, page = BitField(10, 22))

  /** Beside RV64 it is a satp of 32 bits that selects Sv32; without, there is no other. */
  def selected(context: MmuContext, config: MmuConfig): Bool = {
    val short = if (config.rv64) Satp.high.of(context.satp) === 0 else True
    Satp.mode.bool(context.satp) && short
  }
}
