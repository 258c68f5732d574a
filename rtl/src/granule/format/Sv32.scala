package granule.format

import granule.config.MmuConfig
import spinal.core._

/** RISC-V Sv32 (privileged specification, chapter "Supervisor-Level ISA"). Its two levels are
  * numbered as Arm does: 2 and, for pages, 3. Access flag and dirty state are software's (Svade).
  */
object Sv32 extends TranslationSystem {
  private val read = BitField(1)
  private val write = BitField(2)
  private val execute = BitField(3)
  private val user = BitField(4)
  private val access = BitField(6)
  private val dirty = BitField(7)

  val layout: DescriptorLayout = DescriptorLayout(
    name = "Sv32",
    log2Bytes = 2,
    valid = BitField(0),
    kind = TypeScheme.AnyPermission(read, write, execute, reserved = Seq(user, access, dirty)),
    permissions = PermissionScheme.RiscV(read, write, execute, user, dirty),
    accessFlag = access,
    notGlobal = BitField(5),
    notGlobalWhen = false,
    alignedLeaf = true
  )

  /** One address space of 32 bits, of which each half is a part. */
  override val inputBits: Option[Int] = Some(32)
  private val tnsz = 64 - 32

  def tableFormats(config: MmuConfig): Seq[TableFormat] = Granule
    .of(config)
    .filter(_.log2Bytes == 12 && config.sv32)
    .map(granule =>
      TableFormat(
        name = "Sv32",
        system = this,
        granule = granule,
        layout = layout,
        root = Satp.base,
        address = AddressField(BitField(10, 22) -> 12),
        blockLevels = Set(2),
        minTnsz = tnsz,
        maxTnsz = tnsz
      )
    )

  def selected(context: MmuContext): Bool = Satp.mode.bool(context.satp)
  val controls: Set[Control] = Set(Control.Mxr)

  object registers extends RootRegisters {
    def enabled(context: MmuContext): Bool = True
    def root(context: MmuContext, upper: Boolean): Bits = context.satp
    def asid(context: MmuContext): Bits = Satp.asid.of(context.satp).resize(16)
    def outputSize(context: MmuContext): Bits = B(Tcr.ipsCode(56), Tcr.ips.width bits)
  }
}
