package granule.walk

import granule.format.DescriptorFormat
import granule.port.Access
import spinal.core._
import spinal.lib._

/** What table descriptors took away on the way down (spec 5.2). */
case class Hierarchy() extends Bundle {
  val noEl0, noWrite, uxn, pxn = Bool()

  def clear(): Unit = Seq(noEl0, noWrite, uxn, pxn).foreach(_ := False)

  def accumulate(descriptor: Bits, format: DescriptorFormat): Unit = {
    val fields = format.tableFields
    for (
      (bit, field) <- Seq(
        noEl0   -> fields.noEl0,
        noWrite -> fields.noWrite,
        uxn     -> fields.uxn,
        pxn     -> fields.pxn
      )
    ) when(field.bool(descriptor))(bit := True)
  }
}

/** Permissions of a translation before PAN and WXN, which belong to the access (spec 5.3). EL1 may
  * always read.
  */
case class Permissions() extends Bundle {
  val el0Read, el0Write, el0Execute, el1Write, el1Execute = Bool()
}

object Permissions {
  def of(leaf: Bits, above: Hierarchy, format: DescriptorFormat): Permissions = {
    val fields   = format.leafFields
    val p        = Permissions()
    val writable = !fields.readOnly.bool(leaf) && !above.noWrite
    p.el0Read    := fields.el0.bool(leaf) && !above.noEl0
    p.el0Write   := p.el0Read && writable
    p.el1Write   := writable
    p.el1Execute := !(fields.pxn.bool(leaf) || above.pxn || p.el0Write)
    p.el0Execute := !(fields.uxn.bool(leaf) || above.uxn)
    p
  }
}

/** Whether an access is permitted (spec 5.4): it needs some rights and is stopped by others. Both
  * sets follow from the access alone, so they are ready before the TLB has found the entry.
  *
  * @param epan SCTLR.EPAN: PAN also looks at what EL0 may only execute.
  * @param wxn  SCTLR.WXN: writable is not executable.
  */
case class PermissionCheck(access: Access.C, el1: Bool, pan: Bool, epan: Bool, wxn: Bool)
    extends Area {
  private val execute = access === Access.execute
  private val write   = access === Access.write || access === Access.atomic
  private val guarded = el1 && pan && !execute // PAN stops data accesses to what EL0 can use

  private val needs = new Area {
    val el0Read    = !el1 && !execute
    val el0Write   = !el1 && write
    val el0Execute = !el1 && execute
    val el1Write   = el1 && write
    val el1Execute = el1 && execute
  }
  private val stops = new Area {
    val el0Read    = guarded // EL0 writes only what it can read
    val el0Write   = !el1 && execute && wxn
    val el0Execute = guarded && epan
    val el1Write   = el1 && execute && wxn
  }

  def allowed(p: Permissions): Bool = Seq(
    (needs.el0Read, stops.el0Read, p.el0Read),
    (needs.el0Write, stops.el0Write, p.el0Write),
    (needs.el0Execute, stops.el0Execute, p.el0Execute),
    (needs.el1Write, stops.el1Write, p.el1Write),
    (needs.el1Execute, False, p.el1Execute)
  ).map { case (need, stop, has) => !(need && !has || stop && has) }.andR

  /** When not allowed: it is the write permission that is missing. */
  def wnr(p: Permissions): Bool = access === Access.write || access === Access.atomic &&
    (el1 ? !(stops.el0Read && p.el0Read || stops.el0Execute && p.el0Execute) | p.el0Read)
}
