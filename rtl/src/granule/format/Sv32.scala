package granule.format

/** The 32-bit descriptors of RISC-V Sv32 (privileged specification, chapter "Supervisor-Level
  * ISA"). Its two levels are numbered as Arm does: 2 and, for pages, 3. Access flag and dirty state
  * are software's (Svade).
  */
object Sv32 {
  private val read    = BitField(1)
  private val write   = BitField(2)
  private val execute = BitField(3)
  private val user    = BitField(4)
  private val access  = BitField(6)
  private val dirty   = BitField(7)

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

  /** 64 less the 32 bits of its one address space, of which each half is a part. */
  val tnsz = 32

  def shape(granule: Granule): Shape = Shape(
    name = "Sv32",
    regime = Regime.Sv32,
    granule = granule,
    layout = layout,
    root = Satp.base,
    address = AddressField(BitField(10, 22) -> 12),
    blockLevels = Set(2),
    minTnsz = tnsz,
    maxTnsz = tnsz
  )
}
