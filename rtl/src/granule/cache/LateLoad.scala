package granule.cache

import spinal.core._

/** A register whose `load` is known too late in its cycle to be the clock enable of many
  * flip-flops: what is offered is kept in any case, and a cycle later a flip-flop says whether it
  * counts. Behaves as `RegNextWhen(offered, load)`.
  */
object LateLoad {
  def apply[T <: Data](offered: T, load: Bool): T = {
    val last = RegNext(offered)
    val loaded = RegNext(load) init False
    val value = CombInit(last)
    val kept = RegNextWhen(value, loaded)
    when(!loaded) { value := kept }
    value
  }
}
