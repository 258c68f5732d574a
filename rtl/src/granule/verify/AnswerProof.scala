package granule.verify

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu.{DecodedContext, Mmu}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Every translate command is answered, on either port, whatever the other port does, but for the
  * time that a suspect makes it wait.
  *
  * Of its cycles those count that the memory does not make a walk wait, since the last one in which
  * an invalidation has dropped a walk, the registers have changed, or a swap was lost. Walker,
  * sweep and TLBs are left out: the walker keeps its [[WalkerContract]] and [[WalkerBound]], and
  * what a TLB installs hits in the next cycle ([[MicroProof]]). What hits otherwise is anything.
  *
  * They count since the last one, too, in which the command waited for a suspect of an
  * invalidation; what is one is anything, but not what was just installed.
  */
case class AnswerProof(config: MmuConfig) extends Component {
  val mmu = Mmu(config)
  private val io = mmu.io
  anyseq(io.context)
  anyseq(io.invalidate.cmd.valid)
  anyseq(io.invalidate.cmd.payload)
  Setting.memory(io.walk)
  private val walk = WalkerContract(mmu.walker)
  private val bound = WalkerBound(mmu.walker, walk)
  for ((_, holds) <- walk.rules) assume(holds)
  assume(bound.holds)

  private val context = DecodedContext.of(io.context, TableFormats(config))
  private val again = walk.dropped || bound.lost || context.asid =/= RegNext(context.asid)

  for ((name, port, unit) <- Seq(("fetch", io.fetch, mmu.fetch), ("data", io.data, mmu.data))) {
    anyseq(port.ahead.valid)
    anyseq(port.ahead.payload)
    anyseq(port.cmd.valid)
    anyseq(port.cmd.payload)
    val owed = RegNext(port.cmd.isStall) init False
    assume(!owed || port.cmd.valid && port.cmd.payload === RegNext(port.cmd.payload))
    assume(port.isAnnounced)
    val installed = RegNext(unit.tlb.io.install.valid.pull()) init False
    assume(!installed || unit.tlb.io.hit.pull())
    val matches = CombInit(unit.tlb.io.waits.pull())
    assume(!(installed && matches))
    val suspect = matches && unit.c1.compared.pull()

    // Since its cycles count: how many walks have ended, and how long nobody walks.
    val waits = port.cmd.isStall && !again && !suspect
    val late = Reg(UInt(7 bits)) init 0
    val ended = Reg(UInt(3 bits)) init 0
    val idle = Reg(UInt(3 bits)) init 0
    val asks = CombInit(unit.io.request.valid.pull())
    val waited = RegInit(False) setWhen (port.cmd.isStall && suspect) clearWhen !port.cmd.isStall
    val asked = RegInit(False) setWhen (asks && unit.io.request.ready.pull() && waited) clearWhen
      !port.cmd.isStall
    when(!waits) { late := 0 } elsewhen (!bound.waits) { late := late + 1 }
    when(!waits) { ended := 0 } elsewhen (walk.ends) { ended := ended + 1 }
    when(!waits || walk.underWay) { idle := 0 } elsewhen (!bound.waits) { idle := idle + 1 }

    Claim.always(s"no more than ${AnswerProof.walks} walks end before $name is answered") {
      ended <= AnswerProof.walks
    }
    Claim.always(s"while $name waits a walk begins in ${AnswerProof.idle} cycles") {
      idle <= AnswerProof.idle
    }
    Claim.always(s"cycles of $name are those of walks and between them") {
      val before = ended.muxList(
        U(0),
        (0 to AnswerProof.walks).map { n =>
          n -> U(n * AnswerProof.each, 7 bits)
        }
      )
      val now = walk.underWay ? (bound.cycles + AnswerProof.idle + 1).resize(7) | idle.resize(7)
      late <= before + now
    }
    Claim.always(s"$name is answered in ${AnswerProof.cycles} cycles") {
      late <= AnswerProof.cycles
    }
    Claim.always(s"what $name need not translate is answered at once") {
      !(port.cmd.valid && (port.cmd.untranslated || !context.enabled)) || port.cmd.ready
    }
    Claim.always(s"$name asks for no walk while it waits for a suspect") {
      !(asks && matches)
    }
    Claim.reached(s"$name is answered after a walk that began behind a suspect") {
      asked && ended =/= 0 && port.cmd.fire
    }
    Claim.reached(s"as many walks end before $name is answered")(ended === AnswerProof.walks)
    Claim.reached(s"$name is answered after a walk")(ended =/= 0 && port.cmd.fire)
  }
}

object AnswerProof {
  val walks = 3
  val idle = 4
  private[verify] val each = WalkerBound.cycles + idle + 2
  val cycles = walks * each + idle
}
