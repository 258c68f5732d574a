package granule.options

import granule.arch._
import granule.mmu._
import spinal.core._
import spinal.lib._

/** One AT operation.
  *
  * @field el1 S1E1 forms; `pan`: the forms that end in P, as if PSTATE.PAN were set.
  */
case class AddressTranslateCmd() extends Bundle {
  val va = UInt(64 bits)
  val write, el1, pan = Bool()
}

/** The AT operation (spec 1.5): translates an address as an access would and tells the outcome in
  * PAR. Nothing is changed, in memory or in a TLB; a writable-clean page counts as writable.
  *
  * Ports: `cmd` is held until `ready`, one cycle in which `par` is the answer. It stands between
  * `port` and the `walker`, which `port` cannot ask from ask to done: the operation is next then.
  * `bare` is that of [[granule.mmu.TranslateUnit]].
  *
  * {{{
  * in     it holds      when                                      to
  * idle   nothing       a command                                 ask
  * ask    the command   no walk is needed: PAR                    done
  *                      the walk is accepted, with this context   walk
  * walk   a walk        leaf or fault: PAR                        done
  *                      dropped                                   ask
  * done   PAR           at once                                   idle
  * }}}
  *
  * Latency: 3 cycles more than the walk; it always walks. An external abort on the walk is reported
  * in PAR, as nothing else could take it.
  */
case class AddressTranslate(config: MmuConfig, bare: Boolean) extends Component {
  private val formats = TableFormats(config)

  val io = new Bundle {
    val cmd = slave(Stream(AddressTranslateCmd()))
    val par = out(Bits(128 bits))
    val context = in(DecodedContext(formats))
    val port = slave(WalkPort(formats))
    val walker = master(WalkPort(formats))
  }

  object State extends SpinalEnum { val idle, ask, walk, done = newElement() }
  private val state = RegInit(State.idle)
  private val par = Reg(Bits(128 bits)) init 0

  private val half = io.context.half(VirtualAddress.upper(io.cmd.va))
  private val flat = new Area {
    val active = !io.context.enabled
    val faulty = Stage1Off.tooWide(io.cmd.va, half.tbi, config)
  }
  private val forbidden = half.e0pd && !io.cmd.el1

  /** PAR has the form that TCR2.D128 chooses, whatever the outcome: that of the walk, if there is
    * one.
    */
  private val is128 = Geometry(formats).is(half.tableFormat)(_.layout.log2Bytes == 4)
  private val walkIs128 = RegNextWhen(is128, state === State.ask)
  private val walks = !flat.active && !forbidden

  private val request = WalkRequest()
  request.va := io.cmd.va
  request.highCanonical := Geometry(formats).highBitsCanonical(io.cmd.va, half.tbi)
  request.access := io.cmd.write ? Access.write | Access.read
  request.el1 := io.cmd.el1
  request.pan := io.cmd.pan
  request.mxr := False
  request.translateOnly := True

  private val asks = state === State.ask
  private val owns = state === State.walk
  io.walker.cmd.valid := Mux(asks, walks, !owns && io.port.cmd.valid)
  io.walker.cmd.payload := Mux(asks, request, io.port.cmd.payload)
  io.port.cmd.ready := io.walker.cmd.ready && !asks && !owns
  io.port.leaf << io.walker.leaf.throwWhen(owns)
  io.port.shareability := io.walker.shareability
  io.port.permitted := io.walker.permitted
  io.port.fault << io.walker.fault.throwWhen(owns)
  io.port.dropped := io.walker.dropped && !owns

  /** The end of its walk, a cycle late: nobody waits for AT, and how a walk ends may hang on the
    * memory's answer.
    */
  private val end = new Area {
    val leaf = RegNext(io.walker.leaf.valid && owns) init False
    val mapping = RegNext(io.walker.leaf.mapping)
    val shareability = RegNext(io.walker.shareability)
    val fault = io.walker.fault.takeWhen(owns).stage()
    val dropped = RegNext(io.walker.dropped && owns) init False
  }

  private def fail(is128: Bool, status: Bits, dirty: Bool = False): Unit = {
    par := BitField
      .word(Par.dirty -> dirty, Par.res1 -> True, Par.fst -> status, Par.f -> True)
      .resized
    Par.d128.set(par, is128)
  }
  private def succeed(is128: Bool, pa: Bits, attributes: Bits, shareability: Bits): Unit = {
    val page = pa.resize(56) >> 12
    par := 0
    Par.sh.set(par, shareability)
    Par.ns.set(par, True)
    Par.res1.set(par, True)
    Par.attr.set(par, attributes)
    Par.d128.set(par, is128)
    when(is128) { Par.pa128.set(par, page) } otherwise { Par.pa.set(par, page.resized) }
  }

  switch(state) {
    is(State.idle) { when(io.cmd.valid) { state := State.ask } }
    is(State.ask) {
      when(walks) {
        when(io.walker.cmd.ready) { state := State.walk }
      } otherwise {
        state := State.done
        if (bare) {
          val pa = io.cmd.va(31 downto 0).asBits.resize(config.paWidth)
          succeed(is128, pa, B(MairByte.writeBack, 8 bits), B(Par.innerShareable, 2 bits))
        } else {
          val pa = io.cmd.va.asBits.resize(config.paWidth)
          succeed(is128, pa, B(MairByte.device, 8 bits), B"10")
          when(flat.faulty) { fail(is128, FaultStatus.addressSize.atLevel0) }
        }
        when(!flat.active) { fail(is128, FaultStatus.translation.atLevel0) }
      }
    }
    is(State.walk) {
      val inSpan = formats.spans.mask(end.mapping.span, formats.pageShift, config.paWidth)
      val page =
        end.mapping.page | (io.cmd.va.asBits.resize(config.paWidth) >> formats.pageShift) & inSpan
      when(end.dropped) { state := State.ask }
      when(end.leaf) {
        val pa = page ## B(0, formats.pageShift bits)
        succeed(walkIs128, pa, end.mapping.attributes.mair, end.shareability)
        state := State.done
      }
      when(end.fault.valid) {
        fail(walkIs128, end.fault.status, end.fault.dirty)
        state := State.done
      }
    }
    is(State.done) { state := State.idle }
  }
  io.cmd.ready := state === State.done
  io.par := par
}

/** An [[AddressTranslate]]. `cmd` and `par` are ports of the MMU. */
class AddressTranslateOption(config: MmuConfig) extends MmuOption {
  var at: AddressTranslate = _
  var cmd: Stream[AddressTranslateCmd] = _
  var par: Bits = _

  def wrap(mmu: Mmu, walks: Walks): Walks = {
    cmd = slave(Stream(AddressTranslateCmd())).setName("io_at")
    par = out(Bits(128 bits)).setName("io_par")
    at = AddressTranslate(config, mmu.bare).setName("at")
    at.io.cmd << cmd
    par := at.io.par
    at.io.context := mmu.context
    at.io.walker <> walks.port
    walks.copy(port = at.io.port)
  }
}
