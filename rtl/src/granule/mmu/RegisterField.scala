package granule.mmu

import granule.config.MmuConfig
import spinal.core._
import spinal.lib.bus.regif._

/** One field of a context register; bits that no field names are RES0: they read as zero. */
case class RegisterField(name: String, lsb: Int, width: Int, doc: String) {
  def inHighWord: RegisterField = copy(lsb = lsb - 32)

  def addTo(register: RegInst): Unit =
    register.fieldAt(lsb, Bits(width bits), AccessType.RW, 0, doc)(SymbolName(name))
}

/** Fields in the order of their bits (spec 1.1-1.4); only what this MMU implements. */
case class RegisterFields(config: MmuConfig) {
  private def flag(name: String, bit: Int, doc: String) = RegisterField(name, bit, 1, doc)

  val sctlr: Seq[RegisterField] = Seq(
    flag("m", 0, "stage 1 translation on"),
    flag("c", 2, "data accesses to Normal memory may be cached"),
    flag("i", 12, "fetches from Normal memory may be cached"),
    flag("wxn", 19, "what is writable is not executable"),
    flag("epan", 57, "PAN also stops EL1 access to what EL0 may only execute")
  )

  private def walkAttributes(half: Int, lsb: Int) = Seq(
    RegisterField(s"irgn$half", lsb, 2, "inner cacheability of walks; walks use the data cache"),
    RegisterField(s"orgn$half", lsb + 2, 2, "outer cacheability of walks"),
    RegisterField(s"sh$half", lsb + 4, 2, "shareability of walks")
  )

  val tcr: Seq[RegisterField] =
    Seq(
      RegisterField("t0sz", 0, 6, "lower half has 2^(64-T0SZ) bytes"),
      flag("epd0", 7, "no walks through TTBR0")
    ) ++ walkAttributes(0, 8) ++ Seq(
      RegisterField("tg0", 14, 2, "granule: 0 4K, 1 64K, 2 16K"),
      RegisterField("t1sz", 16, 6, "upper half has 2^(64-T1SZ) bytes"),
      flag("a1", 22, "ASID is that of TTBR1"),
      flag("epd1", 23, "no walks through TTBR1")
    ) ++ walkAttributes(1, 24) ++ Seq(
      RegisterField("tg1", 30, 2, "granule: 1 16K, 2 4K, 3 64K"),
      RegisterField("ips", 32, 3, "output size: 32, 36, 40, 42, 44, 48, 52 or 56 bits"),
      flag("as", 36, "ASIDs have 16 bits"),
      flag("tbi0", 37, "top byte ignored, lower half"),
      flag("tbi1", 38, "top byte ignored, upper half")
    ) ++ (if (config.hardwareUpdates)
            Seq(
              flag("ha", 39, "hardware sets the access flag"),
              flag("hd", 40, "hardware keeps the dirty state; needs HA")
            )
          else Nil) ++ Seq(
      flag("hpd0", 41, "hierarchical permissions off, lower half"),
      flag("hpd1", 42, "hierarchical permissions off, upper half"),
      flag("tbid0", 51, "TBI0 is for data only"),
      flag("tbid1", 52, "TBI1 is for data only"),
      flag("e0pd0", 55, "EL0 may not use the lower half"),
      flag("e0pd1", 56, "EL0 may not use the upper half")
    ) ++ (if (config.lpa2) Seq(flag("ds", 59, "52-bit descriptors with the 4K and 16K granules"))
          else Nil)

  val tcr2: Seq[RegisterField] = Seq(
    flag("pie", 1, "indirect permissions; D128 implies it"),
    flag("d128", 5, "128-bit descriptors"),
    flag("disch0", 14, "no contiguous hints in the first table, lower half"),
    flag("disch1", 15, "no contiguous hints in the first table, upper half"),
    flag("fng0", 17, "all translations are non-global, lower half"),
    flag("fng1", 18, "all translations are non-global, upper half")
  )

  val ttbrHigh: Seq[RegisterField] =
    Seq(RegisterField("baddr", 16, 8, "table base, bits 55:48, with 128-bit descriptors"))

  /** PIR and PIRE0: a permission for each index. */
  val permissions: Seq[RegisterField] =
    (0 until 16).map(i => RegisterField(s"perm$i", 4 * i, 4, s"permission of index $i"))

  val ttbr: Seq[RegisterField] = Seq(
    flag("cnp", 0, "common not private; no effect with one CPU"),
    RegisterField("baddr_low", 1, 31, "table base, bits 31:1"),
    RegisterField("baddr_high", 32, 16, "table base, bits 47:32"),
    RegisterField("asid", 48, 16, "address space identifier")
  )

  private def memoryTypes(first: Int): Seq[RegisterField] = (0 until 8).map { i =>
    RegisterField(s"attr${first + i}", 8 * i, 8, s"memory type of AttrIndx = ${first + i}")
  }
  val mair: Seq[RegisterField]  = memoryTypes(0)
  val mair2: Seq[RegisterField] = memoryTypes(8)
}
