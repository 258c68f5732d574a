package granule.format

import granule.config.MmuConfig
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
