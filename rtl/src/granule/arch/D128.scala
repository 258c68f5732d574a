package granule.arch

import spinal.core._

/** The 128-bit descriptors of VMSAv9-128 (spec chapter 10). */
object D128 extends Vmsa {
  private val skip = BitField(109, 2)
  private val index = (115 to 118).map(BitField(_))
  private val access = BitField(10)
  private val notDirty = BitField(7)

  val layout: DescriptorLayout = DescriptorLayout(
    name = "VMSAv9-128",
    log2Bytes = 4,
    valid = BitField(0),
    kind = TypeScheme.SkipLevel(skip),
    permissions = PermissionScheme.Indirect(index, notDirty),
    accessFlag = access,
    notGlobal = BitField(11),
    attrIndex = Some(BitField(2, 4)),
    shareability = Some(BitField(8, 2)),
    contiguous = Some(BitField(111)),
    noContiguous = Some(BitField(112)),
    update = Some(HardwareUpdate(access, notDirty, dirtyWhen = false))
  )

  private val contiguous = Map(
    12 -> Map(1 -> 2, 2 -> 4, 3 -> 4),
    14 -> Map(1 -> 2, 2 -> 4, 3 -> 6),
    16 -> Map(2 -> 6, 3 -> 4)
  )

  def selected(context: MmuContext, config: MmuConfig): Bool = Tcr2.d128.bool(context.tcr2)

  /** Those of direct permissions have no meaning. */
  val controls: Set[Control] = Vmsa64.controls -- Set(Control.Wxn, Control.Epan)

  override val rootSkip: Option[BitField] = Some(Ttbr.skl)
  override def indirect(context: MmuContext): Bool = True

  /** As the architecture has it, software invalidates between the two. */
  override def tlbIdentity: TranslationSystem = Vmsa64

  def tableFormats(config: MmuConfig): Seq[TableFormat] =
    if (config.d128) Granule.of(config).map(tableFormat(config, _)) else Nil

  private def tableFormat(config: MmuConfig, granule: Granule): TableFormat = {
    val g = granule.log2Bytes
    TableFormat(
      name = s"${granule.name}, D128",
      system = this,
      granule = granule,
      layout = layout,
      root = Ttbr.base56,
      address = AddressField(BitField(g, 56 - g) -> g),
      blockLevels = if (g == 12) Set(0, 1, 2) else Set(1, 2),
      contiguous = if (config.contiguous) contiguous(g) else Map(),
      minTnsz = (64 - config.vaBits).max(9),
      maxTnsz = if (!config.smallTables) 39 else if (g == 16) 47 else 48,
      maxSkip = if (g == 12) 3 else 2,
      maxRootSkip = 3
    )
  }
}
