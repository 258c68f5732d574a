package granule.arch

import spinal.core._
import spinal.lib._

/** A control that some systems obey: of TCR, TCR2 and SCTLR, or of the access. */
sealed trait Control
object Control {
  case object Tbi extends Control // TCR.TBI and TBID: the top byte does not count
  case object Epd extends Control // TCR.EPD: no walks in a half
  case object E0pd extends Control // TCR.E0PD: EL0 may not use a half
  case object Hpd extends Control // TCR.HPD: tables take no permission away
  case object Hafdbs extends Control // TCR.HA and HD: hardware updates descriptors
  case object Disch extends Control // TCR2.DisCH: no contiguous hints in the first table
  case object Fng extends Control // TCR2.FNG: no translation is global
  case object Wxn extends Control // SCTLR.WXN, with direct permissions
  case object Epan extends Control // SCTLR.EPAN, with direct permissions
  case object Cacheability extends Control // SCTLR.C and I, TCR.IRGN and SH
  case object Mxr extends Control // sstatus.MXR of the access
}

/** The registers that hold a root: systems that share them differ in what the tables look like. */
trait RootRegisters {

  /** Addresses are translated, not passed on. */
  def enabled(context: MmuContext): Bool

  /** The register with the address of the first table, as `TableFormat.root` reads it. */
  def root(context: MmuContext, upper: Boolean): Bits

  /** 16 bits, of which a register may hold fewer. */
  def asid(context: MmuContext): Bits

  /** Output size as TCR.IPS writes it. */
  def outputSize(context: MmuContext): Bits
}

/** A system of translation tables, all of it data: when it is in force, where its registers are,
  * and which controls count in it. Its [[TableFormat]]s say what the tables look like.
  */
trait TranslationSystem {

  /** Its formats in a configuration; none: it is not built. */
  def tableFormats(config: MmuConfig): Seq[TableFormat]

  /** The registers ask for it. Of the systems that are asked for, the last one of
    * [[TranslationSystem.all]] is in force.
    */
  def selected(context: MmuContext, config: MmuConfig): Bool

  /** Which of its formats is in force in a half. */
  def inForce(tableFormats: Seq[TableFormat], context: MmuContext, upper: Boolean): Seq[Bool] = {
    require(
      tableFormats.size == 1,
      s"${tableFormats.map(_.name).mkString(", ")}: nothing chooses one of them"
    )
    Seq(True)
  }

  def registers: RootRegisters
  def controls: Set[Control]

  /** VA bits; None: 64 - TCR.TnSZ of the half. */
  def inputBits: Option[Int] = None

  /** Addresses are numbers with a sign: the bits above have the value of their topmost one. */
  def signExtended: Boolean = false

  /** Field of the root register with the levels that the first table skips. */
  def rootSkip: Option[BitField] = None

  /** Permissions are indices into PIR and PIRE0, whatever the layout says. */
  def indirect(context: MmuContext): Bool = False

  /** A TLB entry answers only in a system with the same identity: to change to one with another
    * needs no invalidation.
    */
  def tlbIdentity: TranslationSystem = this
}

object TranslationSystem {
  val all: Seq[TranslationSystem] = Seq(Vmsa64, D128, Sv32, Sv39, Sv48)
}

/** Which of the systems that are built is in force. */
case class SystemChoice(context: MmuContext, formats: TableFormats) {
  private val systems = formats.systems
  private val selected = systems.map(_.selected(context, formats.config))

  val active: Map[TranslationSystem, Bool] = systems.indices.map { i =>
    systems(i) -> (if (i + 1 < systems.size) selected(i) && !selected.drop(i + 1).orR
                   else selected(i))
  }.toMap

  /** The system in force is one of those with a property. */
  def is(property: TranslationSystem => Boolean): Bool = {
    val (having, lacking) = systems.partition(property)
    if (lacking.isEmpty) True
    else if (having.isEmpty) False
    else if (lacking.size < having.size) !lacking.map(active).orR
    else having.map(active).orR
  }

  /** Addresses are translated, not passed on. */
  def enabled: Bool = select(_.registers)(_.registers.enabled(context))

  def obeys(control: Control): Bool = is(_.controls(control))

  /** Selects by system; those with the same `key` share one input. */
  def select[K, T <: Data](key: TranslationSystem => K)(of: TranslationSystem => T): T = {
    val groups = systems.groupBy(key).values.toSeq.sortBy(group => systems.indexOf(group.head))
    groups.tail.foldLeft(of(groups.head.head)) { (others, group) =>
      Mux(group.map(active).orR, of(group.head), others)
    }
  }
}

/** The registers that choose a translation, in AArch64 layout (spec 1.1-1.4, 1.8, 5.5, 10.3). A
  * change acts on the next access; a walk that is under way ends with the values that it started
  * with.
  *
  * @field ttbr0High bits 127:64 of the 128-bit form; ttbr1High likewise.
  * @field satp      RISC-V's satp, with RV32 in bits 31:0; unless its MODE is Bare, the others do
  *                  not matter.
  */
case class MmuContext() extends Bundle {
  val tcr, ttbr0, ttbr1, mair, sctlr = Bits(64 bits)
  val tcr2, ttbr0High, ttbr1High, mair2, pir, pire0 = Bits(64 bits)
  val satp = Bits(64 bits)
}
