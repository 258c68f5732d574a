package granule.ip

import granule.arch._
import spinal.core._
import spinal.lib.bus.regif._

/** One field of a context register; bits that no field names are RES0: they read as zero. */
case class RegisterField(name: String, bits: BitField, doc: String) {
  def inHighWord: RegisterField = copy(bits = bits.from(32))

  def addTo(register: RegInst): Unit =
    register.fieldAt(bits.lsb, Bits(bits.width bits), AccessType.RW, 0, doc)(SymbolName(name))
}

/** Fields in the order of their bits (spec 1.1-1.4); only what this MMU implements. */
case class RegisterFields(config: MmuConfig) {
  private def field(name: String, bits: BitField, doc: String) = RegisterField(name, bits, doc)

  val sctlr: Seq[RegisterField] = Seq(
    field("m", Sctlr.m, "stage 1 translation on"),
    field("c", Sctlr.c, "data accesses to Normal memory, and walks, may be cached"),
    field("i", Sctlr.i, "fetches may be cached, as their port says; this L1 cache always does"),
    field("wxn", Sctlr.wxn, "what is writable is not executable"),
    field("epan", Sctlr.epan, "PAN also stops EL1 access to what EL0 may only execute")
  )

  private def walkAttributes(half: Int, of: HalfField => BitField) = Seq(
    field(s"irgn$half", of(Tcr.irgn), "inner cacheability of walks; 0 goes past the data cache"),
    field(s"orgn$half", of(Tcr.orgn), "outer cacheability of walks"),
    field(s"sh$half", of(Tcr.sh), "shareability of walks")
  )

  val tcr: Seq[RegisterField] =
    Seq(
      field("t0sz", Tcr.tnsz.lower, "lower half has 2^(64-T0SZ) bytes"),
      field("epd0", Tcr.epd.lower, "no walks through TTBR0")
    ) ++ walkAttributes(0, _.lower) ++ Seq(
      field("tg0", Tcr.tg.lower, "granule: 0 4K, 1 64K, 2 16K"),
      field("t1sz", Tcr.tnsz.upper, "upper half has 2^(64-T1SZ) bytes"),
      field("a1", Tcr.a1, "ASID is that of TTBR1"),
      field("epd1", Tcr.epd.upper, "no walks through TTBR1")
    ) ++ walkAttributes(1, _.upper) ++ Seq(
      field("tg1", Tcr.tg.upper, "granule: 1 16K, 2 4K, 3 64K"),
      field("ips", Tcr.ips, "output size: 32, 36, 40, 42, 44, 48, 52 or 56 bits"),
      field("as", Tcr.as, "ASIDs have 16 bits"),
      field("tbi0", Tcr.tbi.lower, "top byte ignored, lower half"),
      field("tbi1", Tcr.tbi.upper, "top byte ignored, upper half")
    ) ++ (if (config.hardwareUpdates)
            Seq(
              field("ha", Tcr.ha, "hardware sets the access flag"),
              field("hd", Tcr.hd, "hardware keeps the dirty state; needs HA")
            )
          else Nil) ++ Seq(
      field("hpd0", Tcr.hpd.lower, "hierarchical permissions off, lower half"),
      field("hpd1", Tcr.hpd.upper, "hierarchical permissions off, upper half"),
      field("tbid0", Tcr.tbid.lower, "TBI0 is for data only"),
      field("tbid1", Tcr.tbid.upper, "TBI1 is for data only"),
      field("e0pd0", Tcr.e0pd.lower, "EL0 may not use the lower half"),
      field("e0pd1", Tcr.e0pd.upper, "EL0 may not use the upper half")
    ) ++ (if (config.lpa2)
            Seq(field("ds", Tcr.ds, "52-bit descriptors with the 4K and 16K granules"))
          else Nil)

  val tcr2: Seq[RegisterField] = Seq(
    field("pie", Tcr2.pie, "indirect permissions; 128-bit descriptors imply it"),
    field("d128", Tcr2.d128, "128-bit descriptors"),
    field("disch0", Tcr2.disch.lower, "no contiguous hints in the first table, lower half"),
    field("disch1", Tcr2.disch.upper, "no contiguous hints in the first table, upper half"),
    field("fng0", Tcr2.fng.lower, "all translations are non-global, lower half"),
    field("fng1", Tcr2.fng.upper, "all translations are non-global, upper half")
  )

  val htab: Seq[RegisterField] = Seq(
    field("enable", Htab.enable, "the table is probed and filled"),
    field("groups", Htab.groups, "log2 of the number of groups of 128 bytes, up to 18"),
    field("base_low", Htab.baseLow, "its address, bits 31:12, a multiple of its size"),
    field("base_high", Htab.baseHigh, "its address, bits 47:32")
  )

  val ttbrHigh: Seq[RegisterField] = Seq(
    field("baddr", Ttbr.baddrTop.from(64), "table base, bits 55:48, with 128-bit descriptors")
  )

  /** PIR and PIRE0: a permission for each index. */
  val permissions: Seq[RegisterField] =
    (0 until 16).map(i => field(s"perm$i", Pir.perm(i), s"permission of index $i"))

  val ttbr: Seq[RegisterField] = Seq(
    field("cnp", Ttbr.cnp, "common not private; no effect with one CPU"),
    field("baddr_low", Ttbr.baddrLow, "table base, bits 31:1"),
    field("baddr_high", Ttbr.baddrHigh, "table base, bits 47:32"),
    field("asid", Ttbr.asid, "address space identifier")
  )

  private def memoryTypes(indices: Range): Seq[RegisterField] =
    indices.map(i => field(s"attr$i", Mair.attr(i), s"memory type of AttrIndx = $i"))
  val mair: Seq[RegisterField] = memoryTypes(0 until 8)
  val mair2: Seq[RegisterField] = memoryTypes(8 until 16)
}
