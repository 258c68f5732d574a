package granule.mmu

import granule.arch.{DescriptorLayout, PermissionScheme, TableFormats}
import spinal.core._
import spinal.lib._

/** What table descriptors took away on the way down (spec 5.2). */
case class Hierarchy() extends Bundle {
  val noEl0, noWrite, uxn, pxn = Bool()

  /** With one more table on the way. */
  def under(descriptor: Bits, layout: DescriptorLayout): Hierarchy = {
    val below = CombInit(this)
    for (fields <- layout.tableFields) {
      below.noEl0 setWhen fields.noEl0.bool(descriptor)
      below.noWrite setWhen fields.noWrite.bool(descriptor)
      below.uxn setWhen fields.uxn.bool(descriptor)
      below.pxn setWhen fields.pxn.bool(descriptor)
    }
    below
  }
}

object Hierarchy {

  /** Nothing was taken away yet. */
  def none: Hierarchy = Hierarchy().getZero
}

/** Permissions of a translation before PAN, WXN and MXR, which belong to the access.
  *
  * @field el1Read exists with formats that can refuse it; else EL1 may always read.
  * @field user    PAN stops EL1's data accesses; exists with the same formats, else it is el0Read.
  * @field notDirty nothing may be written before software marks the page dirty, although the write
  *                permissions allow it (nDirty, spec 10.7); exists with indirect permissions.
  */
case class Permissions(formats: TableFormats) extends Bundle {
  private val mixed = formats.refusesEl1Read
  private val indirect = formats.indirect

  val el0Read, el0Write, el0Execute, el1Write, el1Execute = Bool()
  val el1ReadBit = mixed generate Bool()
  val userBit = mixed generate Bool()
  val notDirtyBit = indirect generate Bool()

  def el1Read: Bool = if (mixed) el1ReadBit else True
  def user: Bool = if (mixed) userBit else el0Read
  def notDirty: Bool = if (indirect) notDirtyBit else False
}

/** A leaf's permissions, and whether a write must first mark it dirty. */
case class LeafPermissions(formats: TableFormats) extends Bundle {
  val permissions = Permissions(formats)
  val writableClean = Bool()
}

object LeafPermissions {

  def of(
      layout: DescriptorLayout,
      leaf: Bits,
      above: Hierarchy,
      context: WalkContext,
      formats: TableFormats
  ): LeafPermissions = layout.permissions match {
    case s: PermissionScheme.Direct =>
      val ap = direct(s, leaf, above, context.setsDirty, formats)
      if (!formats.indirect) ap
      else {
        val notDirty = s.readOnly.bool(leaf)
        context.pie ? indirect(s.index, notDirty, leaf, context, formats) | ap
      }
    case s: PermissionScheme.Indirect =>
      indirect(s.index, s.notDirty.bool(leaf), leaf, context, formats)
    case s: PermissionScheme.RiscV => riscV(s, leaf, formats)
  }

  /** Spec 5.3 and 6.3: writable-clean counts as writable in all of it. With `managed` hardware
    * keeps the dirty state (TCR.HA and HD).
    */
  private def direct(
      scheme: PermissionScheme.Direct,
      leaf: Bits,
      above: Hierarchy,
      managed: Bool,
      formats: TableFormats
  ) = {
    val result = LeafPermissions(formats)
    val p = result.permissions
    val readOnly = scheme.readOnly.bool(leaf)
    val clean = managed && scheme.dirtyModifier.bool(leaf) && readOnly
    val writable = (!readOnly || clean) && !above.noWrite
    p.el0Read := scheme.el0.bool(leaf) && !above.noEl0
    p.el0Write := p.el0Read && writable
    p.el1Write := writable
    p.el1Execute := !(scheme.pxn.bool(leaf) || above.pxn || p.el0Write)
    p.el0Execute := !(scheme.uxn.bool(leaf) || above.uxn)
    if (p.el1ReadBit != null) {
      p.el1ReadBit := True
      p.userBit := p.el0Read
    }
    if (p.notDirtyBit != null) p.notDirtyBit := False
    result.writableClean := clean && writable
    result
  }

  /** Spec 5.5 and 10.7. */
  private def indirect(
      indexBits: Seq[granule.arch.BitField],
      notDirty: Bool,
      leaf: Bits,
      context: WalkContext,
      formats: TableFormats
  ) = {
    val managed = context.setsDirty
    val index = Vec(indexBits.map(_.bool(leaf))).asBits.asUInt
    val nibble = Seq(context.pire0, context.pir).map(_.subdivideIn(4 bits)(index).asUInt)
    def has(nibbles: Int*)(n: UInt) = nibbles.map(n === _).orR
    def read(n: UInt) = has(0x1, 0x3, 0x5, 0x6, 0x7, 0x8, 0x9, 0xa, 0xc, 0xe)(n)
    def write(n: UInt) = has(0x5, 0x6, 0x7, 0xc, 0xe)(n)
    def execute(n: UInt) = has(0x2, 0x3, 0x6, 0x7, 0xa, 0xe)(n)
    def guardedStack(n: UInt) = has(0x9)(n)
    def neverBoth(n: UInt) = has(0x6)(n) // WXN is part of the permission

    val Seq(el0, el1) = nibble
    // What EL1 may execute and EL0 may write is usable by neither.
    val usable = !((execute(el1) || guardedStack(el1)) && (write(el0) || guardedStack(el0)))

    val result = LeafPermissions(formats)
    val p = result.permissions
    p.el0Read := read(el0) && usable
    p.el1ReadBit := read(el1) && usable
    p.el0Write := write(el0) && usable
    p.el1Write := write(el1) && usable
    p.el0Execute := execute(el0) && usable && !neverBoth(el0)
    p.el1Execute := execute(el1) && usable && !neverBoth(el1)
    p.userBit := el0 =/= 0
    p.notDirtyBit := notDirty && !managed
    result.writableClean := notDirty && managed
    result
  }

  /** Supervisor mode never executes what belongs to users, and reaches it only with SUM. */
  private def riscV(scheme: PermissionScheme.RiscV, leaf: Bits, formats: TableFormats) = {
    val result = LeafPermissions(formats)
    val p = result.permissions
    val user = scheme.user.bool(leaf)
    val read = scheme.read.bool(leaf)
    val write = scheme.write.bool(leaf) && scheme.dirty.bool(leaf)
    val execute = scheme.execute.bool(leaf)
    p.userBit := user
    p.el0Read := read && user
    p.el0Write := write && user
    p.el0Execute := execute && user
    p.el1ReadBit := read
    p.el1Write := write
    p.el1Execute := execute && !user
    if (p.notDirtyBit != null) p.notDirtyBit := False
    result.writableClean := False
    result
  }
}

/** What decides about an access beside the permissions of the translation. `el1` and `pan` are
  * those of the access; WXN and EPAN count with direct permissions only (spec 5.5).
  *
  * @field mxr a load may read what can be executed (RISC-V only).
  */
case class AccessControl() extends Bundle {
  val access = Access()
  val el1, pan, epan, wxn, mxr = Bool()

  def execute: Bool = access === Access.execute
  def writes: Bool = access === Access.write || access === Access.atomic
}

object AccessControl {

  /** Of an access, while `system` is in force. */
  def of(
      access: Access.C,
      el1: Bool,
      pan: Bool,
      mxr: Bool,
      system: SystemControl
  ): AccessControl = {
    val control = AccessControl()
    control.access := access
    control.el1 := el1
    control.pan := pan
    control.mxr := mxr && system.mxr
    control.epan := system.epan
    control.wxn := system.wxn
    control
  }
}

/** Whether an access is permitted (spec 5.4): it needs some rights and is stopped by others. Both
  * sets follow from the access alone, so they are ready before the TLB has found the entry.
  */
case class PermissionCheck(control: AccessControl) extends Area {
  import control.{el1, execute, mxr}
  private val write = control.writes
  private val guarded = el1 && control.pan && !execute // PAN stops data accesses to users' memory

  private val needs = new Area {
    val el0Read = !el1 && !execute
    val el0Write = !el1 && write
    val el0Execute = !el1 && execute
    val el1Read = el1 && !execute
    val el1Write = el1 && write
    val el1Execute = el1 && execute
  }
  private val stops = new Area {
    val user = guarded
    val el0Write = !el1 && execute && control.wxn
    val el0Execute = guarded && control.epan
    val el1Write = el1 && execute && control.wxn
  }

  private def el0Readable(p: Permissions) = p.el0Read || mxr && p.el0Execute
  private def el1Readable(p: Permissions) = p.el1Read || mxr && (p.el0Execute || p.el1Execute)

  private def permitted(p: Permissions): Bool = Seq(
    (needs.el0Read, False, el0Readable(p)),
    (needs.el0Write, stops.el0Write, p.el0Write),
    (needs.el0Execute, stops.el0Execute, p.el0Execute),
    (needs.el1Read, False, el1Readable(p)),
    (needs.el1Write, stops.el1Write, p.el1Write),
    (needs.el1Execute, False, p.el1Execute),
    (False, stops.user, p.user)
  ).map { case (need, stop, has) => !(need && !has || stop && has) }.andR

  def allowed(p: Permissions): Bool = permitted(p) && !(write && p.notDirty)

  /** It is not allowed, and all that is missing is that the page is dirty. */
  def dirty(p: Permissions): Bool = permitted(p) && write && p.notDirty

  /** When not allowed: it is the write permission that is missing. */
  def wnr(p: Permissions): Bool =
    control.access === Access.write || control.access === Access.atomic && (el1 ?
      (el1Readable(p) && !(stops.user && p.user || stops.el0Execute && p.el0Execute))
      | el0Readable(p))
}
