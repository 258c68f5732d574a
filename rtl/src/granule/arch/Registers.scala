package granule.arch

import spinal.core._

/** Bits `lsb + width - 1 : lsb` of a descriptor or register. */
case class BitField(lsb: Int, width: Int = 1) {
  def of(word: Bits): Bits = word(lsb, width bits)
  def bool(word: Bits): Bool = {
    require(width == 1, s"field at bit $lsb has $width bits; use `of`")
    word(lsb)
  }

  /** The topmost bit: the sign of an address. */
  def msb(word: Bits): Bool = word(lsb + width - 1)

  def set(word: Bits, value: Bits): Unit = word(lsb, width bits) := value
  def set(word: Bits, value: Bool): Unit = {
    require(width == 1, s"field at bit $lsb has $width bits; give as many")
    word(lsb) := value
  }

  /** A constant with `value` in this field. */
  def holding(value: BigInt): BigInt = {
    require(value >= 0 && value < (BigInt(1) << width), s"$value does not fit into $width bits")
    value << lsb
  }

  /** The same field, counted from a bit of the register: in a word that begins there. */
  def from(bit: Int): BitField = copy(lsb = lsb - bit)

  /** As manuals write it. */
  def range: String = if (width == 1) s"$lsb" else s"${lsb + width - 1}:$lsb"
}

object BitField {

  /** A word of these fields, the topmost first, as wide as that reaches; what no field names is
    * zero.
    */
  def word(fields: (BitField, Data)*): Bits =
    word(fields.head._1.lsb + fields.head._1.width)(fields: _*)

  def word(width: Int)(fields: (BitField, Data)*): Bits = {
    val (pieces, lowest) = fields.foldLeft((Seq[Data](), width)) {
      case ((above, bottom), (field, value)) =>
        val gap = bottom - field.lsb - field.width
        require(gap >= 0, s"field ${field.range} is out of order: write the topmost first")
        require(
          widthOf(value) == field.width,
          s"a value of ${widthOf(value)} bits for field ${field.range}: resize it"
        )
        (above ++ zeros(gap) :+ value, field.lsb)
    }
    (pieces ++ zeros(lowest)).reduceLeft((high, low) => high ## low).asBits
  }

  private def zeros(width: Int): Seq[Bits] = if (width > 0) Seq(B(0, width bits)) else Nil
}

/** An address in pieces: each field goes to an address bit; bits without a piece are zero. */
case class AddressField(pieces: (BitField, Int)*) {
  val width: Int = pieces.map { case (field, to) => to + field.width }.max

  /** The bit of the word that holds an address bit; None: the address bit is zero. */
  def source(bit: Int): Option[Int] = pieces.collectFirst {
    case (field, to) if bit >= to && bit < to + field.width => field.lsb + bit - to
  }

  def of(word: Bits, width: Int): Bits = {
    val address = B(0, width bits)
    for ((field, to) <- pieces if to < width)
      address(to, field.width.min(width - to) bits) := field.of(word).resized
    address
  }
}

/* The registers, operands and commands of translation as data: where each field lies (spec 1.1 to
 * 1.5, 1.7, 5.5, 7.3, 8.3, 8.4, 10.3; RISC-V's satp). The register blocks, the logic and the CPU
 * take every bit position from here; fault status codes are in [[FaultStatus]]. */

/** A field of which each half of the address space has its own. */
case class HalfField(lower: BitField, upper: BitField) {
  def apply(isUpper: Boolean): BitField = if (isUpper) upper else lower
}

/** SCTLR_EL1. */
object Sctlr {
  val m = BitField(0)
  val c = BitField(2)
  val i = BitField(12)
  val wxn = BitField(19)
  val epan = BitField(57)
}

/** TCR_EL1. */
object Tcr {
  val tnsz = HalfField(BitField(0, 6), BitField(16, 6))
  val epd = HalfField(BitField(7), BitField(23))
  val irgn = HalfField(BitField(8, 2), BitField(24, 2))
  val orgn = HalfField(BitField(10, 2), BitField(26, 2))
  val sh = HalfField(BitField(12, 2), BitField(28, 2))
  val tg = HalfField(BitField(14, 2), BitField(30, 2))
  val a1 = BitField(22)
  val ips = BitField(32, 3)
  val as = BitField(36)
  val tbi = HalfField(BitField(37), BitField(38))
  val ha = BitField(39)
  val hd = BitField(40)
  val hpd = HalfField(BitField(41), BitField(42))
  val tbid = HalfField(BitField(51), BitField(52))
  val e0pd = HalfField(BitField(55), BitField(56))
  val ds = BitField(59)

  /** IRGN or ORGN: Non-cacheable. */
  val nonCacheable = 0

  /** What IPS is for an output size. */
  def ipsCode(bits: Int): Int = MmuConfig.paRanges.indexOf(bits)
}

/** TCR2_EL1. */
object Tcr2 {
  val pie = BitField(1)
  val d128 = BitField(5)
  val disch = HalfField(BitField(14), BitField(15))
  val fng = HalfField(BitField(17), BitField(18))
}

/** TTBR0_EL1 and TTBR1_EL1; the bits from 64 up exist with 128-bit descriptors.
  *
  * @field base48 the first table; `base52`: with 52-bit output addresses; `base56`: with 128-bit
  *               descriptors.
  * @field skl    levels that the first table skips, with 128-bit descriptors.
  */
object Ttbr {
  val cnp = BitField(0)
  val skl = BitField(1, 2)
  val baddrLow = BitField(1, 31)
  val baddrHigh = BitField(32, 16)
  val asid = BitField(48, 16)
  val baddrTop = BitField(80, 8)

  val base48 = AddressField(BitField(4, 44) -> 4)
  val base52 = AddressField(BitField(6, 42) -> 6, BitField(2, 4) -> 48)
  val base56 = AddressField(BitField(5, 43) -> 5, baddrTop -> 48)
}

/** An ASID of 16 bits, of which TCR.AS = 0 leaves the low byte. */
object Asid {
  val low = BitField(0, 8)
  val high = BitField(8, 8)
}

/** RISC-V's satp of RV32, of which `high` is zero. */
object Satp {
  val ppn = BitField(0, 22)
  val asid = BitField(22, 9)
  val mode = BitField(31)
  val high = BitField(32, 32)

  val base = AddressField(ppn -> 12)
}

/** RISC-V's satp of RV64. */
object Satp64 {
  val ppn = BitField(0, 44)
  val asid = BitField(44, 16)
  val mode = BitField(60, 4)

  val base = AddressField(ppn -> 12)
}

/** MAIR_EL1 and, from index 8 on, MAIR2_EL1: a byte for each value of AttrIndx. */
object Mair {
  def attr(index: Int): BitField = BitField(8 * (index % 8), 8)
}

/** One byte of MAIR: memory whose inner half is zero or `nonCacheableInner` is not cached. */
object MairByte {
  val inner = BitField(0, 4)
  val outer = BitField(4, 4)

  val nonCacheableInner = 0x4
  val device = 0x00
  val nonCacheableXs = 0x40 // with FEAT_XS
  val nonCacheable = 0x44
  val writeThrough = 0xaa
  val writeBack = 0xff
}

/** PIR_EL1 and PIRE0_EL1. */
object Pir {
  def perm(index: Int): BitField = BitField(4 * index, 4)
}

/** HTAB: the hashed table; `groups` is log2 of how many it has. */
object Htab {
  val enable = BitField(0)
  val groups = BitField(1, 5)
  val baseLow = BitField(12, 20)
  val baseHigh = BitField(32, 16)

  val base = AddressField(baseLow -> 12, baseHigh -> 32)
}

/** The operand of a TLBI by address (`va`) or by range (the others); `asid` is in both. */
object TlbiOperand {
  val va = BitField(0, 44) // VA[55:12]
  val base = BitField(0, 37)
  val num = BitField(39, 5)
  val scale = BitField(44, 2)
  val tg = BitField(46, 2)
  val asid = BitField(48, 16)

  val low = BitField(0, 32)
  val high = BitField(32, 16)
}

/** TLBI_COMMAND. */
object TlbiCommand {
  val kind = BitField(0, 3)
  val lastLevel = BitField(3)
  val posted = BitField(4)
  val notCpu = BitField(5)
  val notDevices = BitField(6)
}

/** TLBI_SYNC. */
object TlbiSync {
  val open = BitField(0, 4)
  val commands = BitField(8, 4)
  val held = BitField(16, 16)
}

/** AT_VA and AT_COMMAND; `write`, `el0` and `pan` are bits of the operation. */
object At {
  val vaLow = BitField(0, 32)
  val vaHigh = BitField(32, 32)
  val operation = BitField(0, 3)
  val write = BitField(0)
  val el0 = BitField(1)
  val pan = BitField(2)
}

/** PAR_EL1: `fst` and `dirty` after a fault, else the others; `pa128` is the place of the page
  * with 128-bit descriptors.
  */
object Par {
  val f = BitField(0)
  val fst = BitField(1, 6)
  val dirty = BitField(15)
  val sh = BitField(7, 2)
  val ns = BitField(9)
  val res1 = BitField(11)
  val pa = BitField(12, 40)
  val attr = BitField(56, 8)
  val d128 = BitField(64)
  val pa128 = BitField(76, 44)

  val low = BitField(0, 64)
  val high = BitField(64, 64)

  val innerShareable = 3 // of `sh`
}

/** ESR_EL1 of an abort; `dirty` is in ISS2. */
object Esr {
  val fsc = BitField(0, 6)
  val wnr = BitField(6)
  val il = BitField(25)
  val ec = BitField(26, 6)

  val dirty = BitField(37)
}

/** TLB_SELECT. */
object TlbSelect {
  val entry = BitField(0, 8)
  val data = BitField(8)
}

/** TLB_FLAGS. */
object TlbFlags {
  val valid = BitField(0)
  val global = BitField(1)
  val clean = BitField(2)
  val level = BitField(8, 3)
  val size = BitField(16, 8)
  val mair = BitField(24, 8)
}

/** ID_AA64MMFR0_EL1. */
object Mmfr0 {
  val paRange = BitField(0, 4)
  val asidBits = BitField(4, 4)
  val tGran16 = BitField(20, 4)
  val tGran64 = BitField(24, 4)
  val tGran4 = BitField(28, 4)
}

/** ID_AA64MMFR1_EL1. */
object Mmfr1 {
  val hafdbs = BitField(0, 4)
  val hpds = BitField(12, 4)
  val pan = BitField(20, 4)
}

/** ID_AA64MMFR2_EL1. */
object Mmfr2 {
  val vaRange = BitField(16, 4)
  val ccidx = BitField(20, 4)
  val st = BitField(28, 4)
  val e0pd = BitField(60, 4)
}

/** ID_AA64MMFR3_EL1. */
object Mmfr3 {
  val tcrx = BitField(0, 4)
  val s1pie = BitField(8, 4)
  val d128 = BitField(32, 4)
}

/** ID_AA64ISAR0_EL1. */
object Isar0 {
  val tlb = BitField(56, 4)
}

/** MAINTAIN of the caches; without any bit of `action` nothing is done. */
object CacheMaintain {
  val action = BitField(0, 2)
  val clean = BitField(0)
  val invalidate = BitField(1)
  val instruction = BitField(2)
}
