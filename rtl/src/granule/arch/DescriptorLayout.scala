package granule.arch

import spinal.core._

/** How a leaf says what may be done with it. */
sealed trait PermissionScheme {

  /** It can refuse EL1 to read. */
  def refusesEl1Read: Boolean = true
}
object PermissionScheme {

  /** AP[2:1], PXN, UXN and the bits of the tables above (spec 5.2, 5.3); with TCR2.PIE instead a
    * permission index of four bits, least significant first, and nDirty in the place of AP[2].
    */
  case class Direct(
      el0: BitField,
      readOnly: BitField,
      pxn: BitField,
      uxn: BitField,
      dirtyModifier: BitField,
      index: Seq[BitField]
  ) extends PermissionScheme {
    override def refusesEl1Read: Boolean = false
  }

  /** A permission index into PIR and PIRE0 (spec 5.5). */
  case class Indirect(index: Seq[BitField], notDirty: BitField) extends PermissionScheme

  /** R, W, X, U of RISC-V; a page that is not `dirty` may not be written. */
  case class RiscV(
      read: BitField,
      write: BitField,
      execute: BitField,
      user: BitField,
      dirty: BitField
  ) extends PermissionScheme
}

/** How a descriptor says whether it is a table or a leaf. */
sealed trait TypeScheme
object TypeScheme {

  /** A bit tells tables (and, at the last level, pages) from blocks (spec 4.1). */
  case class TableBit(bit: BitField) extends TypeScheme

  /** The levels that are skipped below; a leaf when none is left (spec 10.4). */
  case class SkipLevel(skip: BitField) extends TypeScheme

  /** A leaf may be read or executed; to write without reading is reserved, and so are some fields:
    * they must be zero.
    */
  case class AnyPermission(
      read: BitField,
      write: BitField,
      execute: BitField,
      reserved: Seq[BitField] = Nil,
      reservedInTable: Seq[BitField]
  ) extends TypeScheme
}

/** Fields of a table descriptor that take permissions away from all below it (spec 4.5, 5.2). */
case class TableFields(pxn: BitField, uxn: BitField, noEl0: BitField, noWrite: BitField)

/** How hardware updates a descriptor (spec chapter 6, 10.5): the access flag is set, and what is
  * written first becomes dirty, when `dirty` becomes `dirtyWhen`.
  */
case class HardwareUpdate(accessFlag: BitField, dirty: BitField, dirtyWhen: Boolean) {
  def of(descriptor: Bits, marksDirty: Bool): Bits = {
    val updated = CombInit(descriptor)
    accessFlag.set(updated, True)
    when(marksDirty) { dirty.set(updated, Bool(dirtyWhen)) }
    updated
  }
}

/** What the bits of a descriptor mean, as data.
  *
  * @param log2Bytes     log2 of the bytes of a descriptor.
  * @param attrIndex     AttrIndx; None: all memory is Normal Write-Back.
  * @param notGlobal     the leaf belongs to its ASID when this bit is `notGlobalWhen`.
  * @param contiguous    the leaf is one of a group.
  * @param groupInLeaf   the address of such a leaf says how large the group is: of the bits inside
  *                      of it, the topmost alone is set; else Translation fault. Otherwise
  *                      the address is that of the leaf, and `contiguous` a hint.
  * @param noContiguous  of a table: the hint does not count in it.
  * @param shareability  None: it comes from TCR.
  * @param tableFields   None: hierarchical permissions do not exist.
  * @param update        None: software keeps access flag and dirty state.
  * @param alignedLeaf   address bits inside a leaf's span must be zero; else Translation fault.
  */
case class DescriptorLayout(
    name: String,
    log2Bytes: Int,
    valid: BitField,
    kind: TypeScheme,
    permissions: PermissionScheme,
    accessFlag: BitField,
    notGlobal: BitField,
    notGlobalWhen: Boolean = true,
    attrIndex: Option[BitField] = None,
    shareability: Option[BitField] = None,
    contiguous: Option[BitField] = None,
    groupInLeaf: Boolean = false,
    noContiguous: Option[BitField] = None,
    tableFields: Option[TableFields] = None,
    update: Option[HardwareUpdate] = None,
    alignedLeaf: Boolean = false
) {
  def bits: Int = 8 << log2Bytes
}
