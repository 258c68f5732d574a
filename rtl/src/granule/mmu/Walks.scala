package granule.mmu

import spinal.core._

/** Who makes walks in an [[Mmu]]: the walker, or a [[WalkOption]] with the walker behind it.
  *
  * @field port     is asked for walks; `memory`: by this port descriptors are read.
  * @field underWay the walk that an invalidation finds.
  * @field busy     somebody waits for an answer.
  */
case class Walks(port: WalkPort, memory: WalkMemoryPort, underWay: WalkUnderWay, busy: Bool)

/** An option of an [[Mmu]]. It stands between who asks for walks and the walker, and has their
  * ports on both sides.
  */
trait WalkOption {

  /** It keeps entries: an invalidation has a [[FurtherSweepPort]] for them. */
  def isSwept: Boolean = false

  /** Builds it in `mmu`, before `walks`. */
  def wrap(mmu: Mmu, walks: Walks): Walks
}
