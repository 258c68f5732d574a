package granule.verify

import granule.arch.{MmuConfig, TableFormats, TlbiOperand}
import granule.mmu.{Holder, MicroTlb, Suspects, SweptEntry, Translation}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A micro TLB answers what it holds and nothing else, and nothing that a complete command covers.
  * It is that of data; that of fetch is the same. Around it everything is anything: lookups, what
  * is installed and when.
  *
  * A bit of what an entry answers tells the marked one from all others.
  */
case class MicroProof(config: MmuConfig) extends SweptSetting(config, Holder.DataTlb) {
  private val formats = TableFormats(config)
  val tlb = MicroTlb(config, config.dataTlbEntries)
  private val io = tlb.io
  private val leaf = io.install.payload
  for (input <- Seq(io.tag, io.identity, io.asid, io.writes, io.install.valid)) anyseq(input)
  anyseq(leaf)
  anyseq(sweep.io.underWay)
  io.clear := clears
  io.suspects << sweep.io.suspects
  io.compared := order.of(Holder.DataTlb, sweep.io.compared)
  log.io.found := leaf
  log.io.data << io.installed
  anyOther(log.io.fetch, io.installed)
  anyOther(log.io.tables, io.installed)
  assume(!(log.io.fetch.valid && log.io.tables.valid))
  anyseq(log.io.tableSpan)

  // What the walker's contract says of a leaf.
  assume(Setting.isSize(leaf.span) && Setting.isSize(leaf.mapping.span))
  assume((leaf.mapping.span & ~leaf.span) === 0)

  /** What the marked entry is installed with. */
  private val entry = Translation(formats)
  anyconst(entry)

  /** The entry is asked for: its ASID, a cycle later its address, and a cycle later the answer. */
  private def inSpan(tag: Bits) = (tag ^ entry.tag) & ~formats.spans
    .mask(entry.mapping.span, formats.pageShift, formats.vaBits)
    .resize(tag.getWidth)
  private val ofIt = (io.asid === entry.asid || entry.global) && io.identity === entry.tlbIdentity
  private val wanted = (RegNext(ofIt) init False) && inSpan(io.tag) === 0
  private val matched = Bool()
  private val suspect = tlb.suspect.map(_.pull()).asBits()(place)
  private val marked =
    Marked(
      io.installed,
      io.install.valid && matched,
      spares = !suspect,
      once = leaf.once
    )
  matched := RegNext(marked.here && wanted) init False
  assume(!io.install.valid || leaf.mapping.attributes.mair.lsb === marked.enters)
  assume(!marked.enters || leaf === entry)

  // No walk ends so soon after another. After a reset nothing was compared, and nobody is answered.
  assume(!(io.install.valid && (RegNext(io.install.valid) init True)))
  private val compared = RegNext(True) init False
  private val answers = io.hit && io.mapping.attributes.mair.lsb && compared
  private val entered = RegNext(marked.enters) init False
  private val fresh = RegNext(io.install.valid) init False
  private val waits = io.waits

  Claim.always("an entry answers addresses of its span and its ASID, if it is there") {
    !answers || entered || matched
  }
  Claim.always("an entry that is there answers all of them, but no write that must dirty it") {
    !matched || io.hit || io.writes
  }
  Claim.always("the cycle after an installation has what was installed") {
    !fresh || io.hit && io.mapping.attributes.mair.lsb === entered && !waits
  }
  if (config.pmp) Claim.always("what was found for one access answers in the next cycle alone") {
    !entry.once || !marked.here && (!answers || entered)
  }
  Claim.always("what answers is what was installed") {
    !answers || io.mapping === entry.mapping
  }
  Claim.always("nothing answers that a complete command covers") {
    !(answers && marked.stale) || waits
  }

  // That a command which names an address covers what answers it.
  private val command = watched.command
  private val asked = RegNext(io.tag)
  private val asidAsked = RegNext(RegNext(io.asid))
  private val named = command.isVa &&
    TlbiOperand.va.of(command.operand).asSInt === asked.asSInt.resized
  Claim.always("a command covers what answers the address that it names") {
    !(answers && !entered && named && (command.anyAsid || command.asid === asidAsked.resized)) ||
    watched.covered
  }

  // From here on, what makes the others follow.
  Claim.always("what a command covers is a suspect until it goes") {
    !(marked.sought && contract.age >= 2) || suspect
  }
  Claim.always("a suspect is one until it is compared") {
    !(marked.here && suspect) ||
    contract.age >= 2 && contract.age < contract.length && !contract.wasCompared
  }
  private val held = tlb.rework(new Area {
    val valid = CombInit(tlb.valid.asBits)
    val key = CombInit(tlb.key(place.pull()))
    val mapping = tlb.mappings.readAsync(place.pull())
    val reach = CombInit(tlb.reach(place.pull()))
    val bits = Vec(
      tlb.valid.indices.map(i =>
        tlb.mappings.readAsync(U(i, place.getWidth bits)).attributes.mair.lsb
      )
    ).asBits
  })
  private val (key, valid) = (held.key.pull(), held.valid.pull())
  Claim.always("the marked entry is in its place, and no other") {
    val mine = UIntToOh(place, valid.getWidth).andMask(marked.here)
    (valid & held.bits.pull()) === mine
  }
  Claim.always("its key and what it answers are there") {
    !marked.here || key.of.tag === entry.tag && key.of.asid === entry.asid &&
    key.of.identity === entry.tlbIdentity && key.span === entry.mapping.span &&
    key.global === entry.global && held.mapping.pull() === entry.mapping &&
    held.reach.pull() === Suspects.reach(entry.span, formats)
  }

  Claim.always("it was written down as it is") {
    val written = watched.entry
    !marked.here || written.asid === entry.asid && written.global === entry.global &&
    written.span === formats.spans.recode(entry.span, formats.sweptSpans) &&
    written.firstPage === SweptEntry.firstPage(entry.tag, written.span, formats) &&
    (entry.mapping.span & ~entry.span) === 0
  }

  Claim.reached("the marked entry answers")(answers && !entered)
  Claim.reached("an older one that is covered is looked for, and does not answer") {
    (RegNext(wanted && marked.stale) init False) && !io.hit
  }
  Claim.reached("another takes its place")(
    marked.here && io.install.valid && !marked.enters &&
      io.installed.payload === place
  )
}
