package granule.tlb

import granule.format.DescriptorFormat
import spinal.core._
import spinal.lib._

/** Equality of two tags outside a span. The bits between two neighbouring page or block sizes are one
  * segment; a segment that lies inside the span does not count. No carry, no decoder: a tree of ANDs.
  */
object SpanMatch {
  def apply(a: Bits, b: Bits, span: Bits, format: DescriptorFormat): Bool = {
    val differ = a ^ b
    val edges  = format.spans.map(_ - format.pageShift)
    val inner  = edges.zip(edges.tail).zipWithIndex.map { case ((low, high), i) =>
      !differ(high - 1 downto low).orR || span(i)
    }
    val outer = !differ(differ.getWidth - 1 downto edges.last).orR
    (outer +: inner).andR
  }
}
