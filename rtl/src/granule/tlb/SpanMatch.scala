package granule.tlb

import granule.format.DescriptorFormat
import spinal.core._
import spinal.lib._

/** Comparison of two tags by segments: the bits between two neighbouring page or block sizes. A
  * segment that lies inside a span does not count. No carry, no decoder: a tree of ANDs.
  */
case class SpanMatch(a: Bits, b: Bits, format: DescriptorFormat) extends Area {
  private val differ = a ^ b
  private val edges  = format.spans.map(_ - format.pageShift)

  private val inner =
    edges.zip(edges.tail).map { case (low, high) => !differ(high - 1 downto low).orR }
  private val outer = !differ(differ.getWidth - 1 downto edges.last).orR

  /** The tags are equal outside `span`. */
  def equalOutside(span: Bits): Bool =
    (outer +: inner.zipWithIndex.map { case (same, i) => same || span(i) }).andR
}
