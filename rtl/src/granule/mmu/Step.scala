package granule.mmu

import granule.arch.{FaultStatus, TableFormats}
import spinal.core._
import spinal.lib._

/** All that a step is decided from: registers of the [[Walker]]. They keep their values while the
  * walk stands at one descriptor.
  *
  * @field va              bits below the widest half; `upper`: VA[55].
  * @field first           nothing was read yet: `output` is the root, and there is no descriptor.
  * @field legal           TnSZ, EPD and the root permit a walk.
  * @field canonical       the high bits of the VA are as they must be.
  * @field descriptor      that was read last; `kind`: what it is; `readError`: its read failed.
  * @field level           of that descriptor, counted from the topmost one of the formats.
  * @field levelProperties what follows from `level`.
  * @field hierarchy       what the tables above the descriptor took away.
  * @field noGroups        contiguous hints do not count in its table.
  */
case class WalkState(formats: TableFormats) extends Bundle {
  val va = Bits(formats.vaBits bits)
  val upper = Bool()
  val request = WalkRequest()
  val context = WalkContext(formats)

  val first, legal, canonical = Bool()
  val descriptor = Bits(formats.descriptorBits bits)
  val kind = DescriptorKind()
  val readError = Bool()
  val output = OutputAddress(formats)
  val level = UInt(formats.levelWidth bits)
  val levelProperties = LevelProperties(formats)
  val hierarchy = Hierarchy()
  val noGroups = Bool()
}

/** What becomes of a walk that has read a descriptor, or is about to read its first one: exactly
  * one of `descends`, `maps` and `faults`. Combinational; the [[Walker]] acts on it in state
  * `step`.
  *
  * @param tableTooWide the descriptor that would be read next is outside of the output size.
  */
case class Step(walk: WalkState, tableTooWide: Bool, geometry: Geometry) extends Area {
  import walk.{context, first, request}
  private val formats = geometry.formats
  val descriptor = Descriptor.of(walk, geometry)

  private val permitted = walk.legal && walk.canonical
  private val readable = !walk.readError && descriptor.kind.valid
  private val accessed = descriptor.accessFlag || context.ha
  private val reserved = !(descriptor.kind.table || descriptor.kind.leaf)

  /** The walk goes on in a table, or ends with a leaf. */
  val descends = (first ? permitted | readable && descriptor.kind.table) && !tableTooWide
  val maps = !first && readable && descriptor.kind.leaf && !descriptor.misplaced &&
    !walk.output.leafTooWide && accessed

  /** Why it does neither. Of several reasons the topmost one is reported (spec 7.1). Below a reason
    * that holds, the rows mean nothing.
    */
  private val faultTable = Seq(
    FaultStatus.externalAbort -> (!first && walk.readError),
    FaultStatus.translation ->
      (first ? !permitted | (!descriptor.kind.valid || reserved || descriptor.misplaced)),
    FaultStatus.addressSize ->
      ((first || descriptor.kind.table) ? tableTooWide | walk.output.leafTooWide),
    FaultStatus.accessFlag -> (!first && descriptor.kind.leaf && !accessed)
  )
  val faults = !descends && !maps
  val status = PriorityMux(
    (faultTable.init.map(_._2) :+ True)
      .zip(faultTable.map { case (fault, _) => fault.at(walk.level, formats) })
  )

  /** For checks. */
  private[granule] val hasReason = GenerationFlags.simulation(faultTable.map(_._2).orR)

  /** The access, as a leaf's permissions are asked about it (spec chapter 5). */
  private val control =
    AccessControl.of(request.access, request.el1, request.pan, request.mxr, context)
  private val check = PermissionCheck(control)
  private val permissions = descriptor.granted.permissions
  val allowed = check.allowed(permissions)
  val deniedWnr = check.wnr(permissions)
  val deniedDirty = check.dirty(permissions)

  /** What the access changes in a leaf (spec chapter 6), and the descriptor with that change. */
  private val marksDirty = control.writes && descriptor.granted.writableClean
  val needsUpdate =
    if (formats.config.hardwareUpdates) !descriptor.accessFlag || marksDirty else False
  val updated = geometry.select(context.half.tableFormat, formats.update) {
    formats.update(_).of(walk.descriptor, marksDirty)
  }
}
