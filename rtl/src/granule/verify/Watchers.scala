package granule.verify

import granule.arch.Checks
import granule.device.AxiBridge
import granule.ip.MmuIp
import granule.mmu.{Mmu, Walker}

/** Who looks at which component, in Verilog with checks. */
object Watchers {
  def begin(): Unit = Checks.watch {
    case walker: Walker                             => WalkChecks(walker)
    case mmu: Mmu                                   => MmuChecks(mmu)
    case ip: MmuIp if ip.devices && ip.config.posts => PostedChecks.of(ip)
    case bridge: AxiBridge                          => BridgeChecks(bridge)
  }
}
