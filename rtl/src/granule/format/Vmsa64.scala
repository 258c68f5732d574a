package granule.format

/** The 64-bit descriptors of VMSAv8-64 with 48-bit addresses (spec chapters 3 and 4). */
object Vmsa64 {
  val granule4k: Granule =
    Granule("4K", log2Bytes = 12, tg0 = 0, tg1 = 2, tlbiTg = 1, blockLevels = Set(1, 2))
  val granule16k: Granule =
    Granule("16K", log2Bytes = 14, tg0 = 2, tg1 = 1, tlbiTg = 2, blockLevels = Set(2))
  val granule64k: Granule = Granule(
    "64K",
    log2Bytes = 16,
    tg0 = 1,
    tg1 = 3,
    tlbiTg = 3,
    blockLevels = Set(2),
    zeroBits = Some(BitField(12, 4))
  )

  val format: DescriptorFormat = DescriptorFormat(
    name = "VMSAv8-64",
    log2Bytes = 3,
    vaBits = 48,
    addressBits = 48,
    firstLevel = 0,
    lastLevel = 3,
    granules = Seq(granule4k, granule16k, granule64k),
    minTnsz = 16,
    maxTnsz = (g, smallTables) => if (!smallTables) 39 else if (g == granule64k) 47 else 48,
    valid = BitField(0),
    table = BitField(1),
    leafFields = LeafFields(
      attrIndex = BitField(2, 3),
      el0 = BitField(6),
      readOnly = BitField(7),
      shareability = BitField(8, 2),
      accessFlag = BitField(10),
      notGlobal = BitField(11),
      dirtyModifier = BitField(51),
      contiguous = BitField(52),
      pxn = BitField(53),
      uxn = BitField(54),
      software = BitField(55, 4)
    ),
    tableFields = TableFields(
      pxn = BitField(59),
      uxn = BitField(60),
      noEl0 = BitField(61),
      noWrite = BitField(62)
    )
  )
}
