package granule.device

/** Everything that is decided about a DMA engine before it is built; its bus is that of the bridge
  * behind which it stands.
  *
  * @param burstBeats beats of its longest burst. Requires: a power of two from 2 to 256.
  * @param bursts     bursts that may be under way, each with a place in the buffer for all of its
  *                   data. Requires: a power of two from 2 to 8.
  */
case class DmaConfig(bus: BridgeConfig = BridgeConfig(), burstBeats: Int = 16, bursts: Int = 4) {
  for (
    (name, value, least, most) <- Seq(("burstBeats", burstBeats, 2, 256), ("bursts", bursts, 2, 8))
  )
    require(
      value >= least && value <= most && (value & (value - 1)) == 0,
      s"$name is $value; use a power of two from $least to $most"
    )
  def beatBytes: Int = bus.dataWidth / 8
  require(
    burstBeats * beatBytes <= 4096,
    s"burstBeats is $burstBeats, with beats of $beatBytes bytes; a burst has at most 4096 bytes"
  )
}
