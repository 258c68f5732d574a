package granule.options

import granule.arch.{Checks, CoverPoint, FaultStatus, MmuConfig}
import granule.mmu.{Access, Stage1Off, TranslatePort}
import spinal.core._
import spinal.lib._

/** Physical memory protection of accesses that are not translated (M-mode, Bare, SCTLR.M = 0),
  * before a translate port. Translated ones pass: what a leaf maps was checked with its walk.
  *
  * M-mode passes at once while no entry is locked. Else [[PmpGuard]] is asked, and lets this access
  * pass in the cycle after its answer, or refuses it. The 4 MiB around one untranslated access are
  * remembered if they are open, or else its page if that is, so that what stays there passes at
  * once. A write of the entries ends that, and the answer to a question that began before is not
  * remembered: an access without translation needs no fence (privileged ISA 1.12, 3.7.2).
  *
  * Ports: `port` is asked, `unit` is what it wraps. `enabled`: accesses are translated, but those
  * that say otherwise; else they are untranslated if `bare`, or go through the flat map.
  * `ignoresTop`: TBI ignores the top byte of the command. `machine`: the command is of M-mode.
  * `bindsMachine` and `changes` are those of [[Pmp]].
  *
  * Latency: none for what is remembered. Else four cycles, seven in a page that is open alone, and
  * ten for one access, and those of a descriptor that is being read.
  */
case class PmpDirect(config: MmuConfig, bare: Boolean) extends Component {
  private[granule] val pageShift = config.granules.min

  val io = new Bundle {
    val port = slave(TranslatePort(config.paWidth))
    val unit = master(TranslatePort(config.paWidth))
    val enabled, ignoresTop, machine, bindsMachine, changes = in(Bool())
    val question = master(PmpQuestion(config))
  }
  private val cmd = io.port.cmd
  private[granule] val untranslated =
    if (bare) cmd.untranslated || !io.enabled else cmd.untranslated
  private val direct = cmd.untranslated || !io.enabled
  private val unchecked = io.machine && !io.bindsMachine
  private val answer = io.question.answer

  /** What was announced in the cycle before is the command; or the translate unit `has` it. */
  private val expected = RegNext(!cmd.isStall || io.port.held) init False
  private val has = RegNext(io.unit.cmd.isStall) init False

  private[granule] val open = new Area {
    private def pieceOf(va: UInt) = va(31 downto PmpGuard.directPiece)
    private def pageOf(va: UInt) = va(PmpGuard.directPiece - 1 downto pageShift)

    /** The entries have changed since the question began: its answer may be that of the old ones,
      * so nothing is learnt of it.
      */
    val stale = RegInit(False)
    stale clearWhen io.question.begins setWhen io.changes
    private val learns = answer.valid && answer.open && io.question.asks && !answer.byWord &&
      untranslated && !stale && !io.changes
    val known = RegInit(False)
    val piece = RegNextWhen(pieceOf(cmd.va), learns)
    val page = RegNextWhen(pageOf(cmd.va), learns)
    val byPage = RegNextWhen(answer.byPage, learns)
    val machine = RegNextWhen(io.machine, learns) // what is open to S-mode is open to M-mode
    known setWhen learns
    known clearWhen io.changes

    private val next = io.port.ahead.payload
    private val inside = piece === pieceOf(next) && (!byPage || page === pageOf(next))
    val matches = RegNext(known && !io.changes && inside) init False
    val holds = matches && untranslated && (!machine || io.machine)
  }

  private def answered(here: Bool) =
    RegNext(answer.valid && io.question.asks && here) init False
  private val opened = answered(answer.open)
  private[granule] val refused = answered(!answer.open)
  private[granule] val remembered = direct && open.holds

  // A flat address that is too wide is a fault of its own, and nothing is asked.
  private val tooWide =
    if (bare) False else !cmd.untranslated && Stage1Off.tooWide(cmd.va, io.ignoresTop, config)
  private val passes = expected && (unchecked || open.holds) || opened || refused || tooWide
  private val asks = direct && !passes
  private val waits = asks || !expected && !has

  // Translation may go off under a command that the unit has: that cannot be withdrawn. The unit
  // answers it at once, nobody hears of it, and it comes there again when it may pass.
  io.unit.ahead << io.port.ahead
  io.unit.cmd.valid := cmd.valid && (!waits || has)
  io.unit.cmd.payload := cmd.payload
  cmd.ready := io.unit.cmd.ready && !waits
  io.port.rsp := io.unit.rsp
  when(direct && refused) {
    io.port.rsp.fault := True
    io.port.rsp.status := FaultStatus.accessAbort
    io.port.rsp.wnr := cmd.access === Access.write
    io.port.rsp.dirty := False
  }

  io.question.asks := cmd.valid && asks
  io.question.word := (cmd.va >> 32).resize(config.paWidth - 32).andMask(!untranslated) @@
    cmd.va(31 downto 2)
  io.question.access := cmd.access
  io.question.machine := io.machine

  Checks {
    assert(
      !(opened || refused) || cmd.valid && io.port.held,
      "protection: an answer is of another access than the one that waits"
    )
    assert(
      !(direct && io.unit.cmd.valid) || io.unit.cmd.ready,
      "protection: the translate unit lets an access wait that is not translated"
    )
    CoverPoint("pmp.abandons")(has && asks)
    CoverPoint("pmp.remembers")(cmd.valid && !unchecked && remembered)
    CoverPoint("pmp.forgets")(open.known && io.changes)
  }
}
