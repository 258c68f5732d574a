package granule.walk

import granule.format.TableFormats
import spinal.core._

/** The held descriptor as a leaf: what it permits, and the update that the access makes to it (spec
  * chapters 5 and 6).
  *
  * @param hierarchy what the tables above it took away.
  */
case class HeldLeaf(
    entry: HeldEntry,
    descriptor: Bits,
    hierarchy: Hierarchy,
    request: WalkRequest,
    context: WalkContext,
    geometry: Geometry,
    formats: TableFormats
) extends Area {
  private val config = formats.config
  private val tableFormat = context.half.tableFormat

  val granted = geometry.select(tableFormat, _.layout.permissions) { s =>
    LeafPermissions.of(
      s.layout,
      descriptor.resize(s.layout.bits),
      hierarchy,
      context,
      context.setsDirty,
      formats
    )
  }
  val control = AccessControl()
  control.access := request.access
  control.el1 := request.el1
  control.pan := request.pan
  control.mxr := request.mxr && context.mxr
  control.epan := context.epan
  control.wxn := context.wxn
  val permitted = PermissionCheck(control)
  val marksDirty = control.writes && granted.clean
  val needsUpdate = if (config.hardwareUpdates) !entry.entry.accessFlag || marksDirty else False

  /** The descriptor with the update made. */
  val updated =
    geometry.select(tableFormat, formats.update)(formats.update(_).of(descriptor, marksDirty))
}
