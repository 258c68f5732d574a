package granule.arch

import spinal.core._
import spinal.lib._

/** TTBR0 and TTBR1 hold a root for each half, TCR the rest. */
object VmsaRegisters extends RootRegisters {
  def enabled(context: MmuContext): Bool = Sctlr.m.bool(context.sctlr)

  def root(context: MmuContext, upper: Boolean): Bits =
    if (upper) context.ttbr1High ## context.ttbr1 else context.ttbr0High ## context.ttbr0

  /** ASID in use (spec 8.1). */
  def asid(context: MmuContext): Bits = {
    val full = Ttbr.asid.of(Tcr.a1.bool(context.tcr) ? context.ttbr1 | context.ttbr0)
    (Asid.high.of(full) & B(8 bits, default -> Tcr.as.bool(context.tcr))) ## Asid.low.of(full)
  }

  def outputSize(context: MmuContext): Bits = Tcr.ips.of(context.tcr)
}

/** What VMSAv8-64 and VMSAv9-128 have in common. */
trait Vmsa extends TranslationSystem {
  val registers: RootRegisters = VmsaRegisters

  /** By granule, TCR.DS and the output size; a reserved granule code selects the first granule
    * (spec 1.1).
    */
  override def inForce(
      tableFormats: Seq[TableFormat],
      context: MmuContext,
      upper: Boolean
  ): Seq[Bool] = {
    val granules = tableFormats.map(_.granule).distinct
    val code = Tcr.tg(upper).of(context.tcr)
    val named = granules.tail.map(g => g -> (code === (if (upper) g.tg1 else g.tg0)))
    val chosen = ((granules.head -> !named.map(_._2).orR) +: named).toMap
    val ds = Tcr.ds.bool(context.tcr)
    val wideOutput = Tcr.ips.of(context.tcr) === Tcr.ipsCode(52)
    def want(wanted: Option[Boolean], bit: Bool) = wanted match {
      case None        => True
      case Some(true)  => bit
      case Some(false) => !bit
    }
    tableFormats.map(s => chosen(s.granule) && want(s.ds, ds) && want(s.wideOutput, wideOutput))
  }
}

/** The 64-bit descriptors of VMSAv8-64 (spec chapters 3 and 4), with LPA, LPA2 and LVA. */
object Vmsa64 extends Vmsa {
  private val el0 = BitField(6)
  private val readOnly = BitField(7)
  private val access = BitField(10)
  private val dirty = BitField(51)
  private val pxn = BitField(53)
  private val uxn = BitField(54)

  val layout: DescriptorLayout = DescriptorLayout(
    name = "VMSAv8-64",
    log2Bytes = 3,
    valid = BitField(0),
    kind = TypeScheme.TableBit(BitField(1)),
    permissions = PermissionScheme
      .Direct(el0, readOnly, pxn, uxn, dirtyModifier = dirty, index = Seq(el0, dirty, pxn, uxn)),
    accessFlag = access,
    notGlobal = BitField(11),
    attrIndex = Some(BitField(2, 3)),
    shareability = Some(BitField(8, 2)),
    contiguous = Some(BitField(52)),
    update = Some(HardwareUpdate(access, readOnly, dirtyWhen = false)),
    tableFields = Some(
      TableFields(
        pxn = BitField(59),
        uxn = BitField(60),
        noEl0 = BitField(61),
        noWrite = BitField(62)
      )
    )
  )

  /** Address bits 51:50 take the place of the shareability. */
  private val ds = layout.copy(name = "VMSAv8-64, DS = 1", shareability = None)

  private def plain(low: Int) = AddressField(BitField(low, 48 - low) -> low)

  private val contiguous = Map(
    12 -> Map(1 -> 4, 2 -> 4, 3 -> 4),
    14 -> Map(2 -> 5, 3 -> 7),
    16 -> Map(2 -> 5, 3 -> 5)
  )

  /** It is what there is if nothing else is asked for. */
  def selected(context: MmuContext, config: MmuConfig): Bool = True

  val controls: Set[Control] = {
    import Control._
    Set(Tbi, Epd, E0pd, Hpd, Hafdbs, Disch, Fng, Wxn, Epan, Cacheability)
  }

  override def indirect(context: MmuContext): Bool = Tcr2.pie.bool(context.tcr2)

  def tableFormats(config: MmuConfig): Seq[TableFormat] =
    Granule.of(config).flatMap(tableFormats(config, _))

  private def tableFormats(config: MmuConfig, granule: Granule): Seq[TableFormat] = {
    val g = granule.log2Bytes
    val widest = 64 - config.vaBits
    val largest = if (!config.smallTables) 39 else if (g == 16) 47 else 48
    val base = TableFormat(
      name = granule.name,
      system = this,
      granule = granule,
      layout = layout,
      root = Ttbr.base48,
      address = plain(g),
      blockLevels = if (g == 12) Set(1, 2) else Set(2),
      contiguous = if (config.contiguous) contiguous(g) else Map(),
      minTnsz = widest.max(16),
      maxTnsz = largest
    )
    if (g == 16 && config.lpa) {
      val lpa = base.copy(
        address = AddressField(BitField(16, 32) -> 16, BitField(12, 4) -> 48),
        blockLevels = Set(1, 2),
        minTnsz = widest.max(12)
      )
      Seq(
        lpa.copy(wideOutput = Some(false)),
        lpa.copy(name = "64K, 52-bit", root = Ttbr.base52, wideOutput = Some(true))
      )
    } else if (g == 16)
      Seq(base.copy(zeroBits = Some(BitField(12, 4)), minTnsz = widest.max(12)))
    else if (config.lpa2)
      Seq(
        base.copy(ds = Some(false)),
        base.copy(
          name = s"${granule.name}, DS = 1",
          layout = ds,
          ds = Some(true),
          root = Ttbr.base52,
          address = AddressField(BitField(g, 50 - g) -> g, BitField(8, 2) -> 50),
          blockLevels = base.blockLevels + (if (g == 12) 0 else 1),
          minTnsz = widest.max(12)
        )
      )
    else Seq(base)
  }
}

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
