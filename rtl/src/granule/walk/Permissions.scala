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

/** Whether an access is permitted (spec 5.4). `wnr`: what is missing is the write permission. */
case class PermissionCheck(
    permissions: Permissions,
    access: Access.C,
    el1: Bool,
    pan: Bool,
    epan: Bool,
    wxn: Bool
) extends Area {
  private val p          = permissions
  private val userCanUse = p.el0Read || p.el0Write || (epan && p.el0Execute)
  private val stopped    = pan && userCanUse
  private val write      = el1 ? p.el1Write | p.el0Write
  private val dataRead   = el1 ? !stopped | p.el0Read
  private val dataWrite  = write && !(el1 && stopped)
  private val execute    = (el1 ? p.el1Execute | p.el0Execute) && !(wxn && write)

  val allowed = access.mux(
    Access.read    -> dataRead,
    Access.write   -> dataWrite,
    Access.execute -> execute,
    Access.atomic  -> (dataRead && dataWrite)
  )
  val wnr = access === Access.write || access === Access.atomic && dataRead
}
