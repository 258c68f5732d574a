package granule.mmu

import granule.arch.TableFormats
import spinal.core._

/** What the registers say about one half of the address space (VA[55], spec 2.1). A control that
  * the system in force does not obey is off. Fields that only some formats need exist only with
  * these.
  *
  * @field tableFormat one-hot over `formats.tableFormats`.
  * @field root        the register with the address of the first table.
  * @field cacheable   descriptors may be read through the data cache: SCTLR.C, and TCR.IRGN is not
  *                    Non-cacheable.
  * @field skip        SKL of the first table.
  * @field noGroups    contiguous hints do not count in the first table (TCR2.DisCH).
  * @field local       every leaf is non-global (TCR2.FNG).
  */
case class HalfControl(formats: TableFormats) extends Bundle {
  val tableFormat = Bits(formats.tableFormats.size bits)
  val root = Bits(formats.descriptorBits bits)
  val tnsz = UInt(6 bits)
  val epd, tbi, tbid, hpd, e0pd = Bool()
  val shareability = Bits(2 bits)
  val cacheable = Bool()
  val skip = formats.skips generate UInt(2 bits)
  val noGroups, local = formats.config.tcr2 generate Bool()

  def rootSkip: UInt = if (formats.skips) skip else U(0, 2 bits)
  def firstNoGroups: Bool = if (formats.config.tcr2) noGroups else False
  def allLocal: Bool = if (formats.config.tcr2) local else False
}

/** What the registers say about both halves.
  *
  * @field ips         output size, as TCR.IPS writes it.
  * @field tlbIdentity which of `formats.tlbIdentities` is in force.
  * @field ha          hardware sets the access flag; `hd`: and the dirty state.
  * @field pie         indirect permissions.
  * @field mxr         MXR of an access counts.
  */
class SystemControl(formats: TableFormats) extends Bundle {
  private val config = formats.config

  val ips = UInt(3 bits)
  val asid = Bits(config.asidBits bits)
  val tlbIdentity = Bits(formats.tlbIdentityBits bits)
  val mair = Bits(64 bits)
  val mair2 = formats.mair2 generate Bits(64 bits)
  val ha, hd = config.hardwareUpdates generate Bool()
  val epan, wxn, mxr = Bool()
  val pie = formats.indirect generate Bool()
  val pir, pire0 = formats.indirect generate Bits(64 bits)

  def setsAccessFlag: Bool = if (config.hardwareUpdates) ha else False
  def setsDirty: Bool = if (config.hardwareUpdates) ha && hd else False
  def indirect: Bool = if (formats.indirect) pie else False
}

/** Everything that a walk takes from the registers; latched when it starts, so that a walk never
  * mixes two contexts.
  */
case class WalkContext(formats: TableFormats) extends SystemControl(formats) {
  val half = HalfControl(formats)
}
