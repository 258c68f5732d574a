package granule.device

import granule.mmu.Access
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** One burst as it comes from the client: AR or AW of AXI4.
  *
  * @field stream   row of the context table, from AxUSER.
  * @field sequence how many of its direction and ID came before; only checks look at it.
  */
case class Transaction(config: BridgeConfig) extends Bundle {
  val write = Bool()
  val va = UInt(64 bits)
  val stream = UInt(log2Up(config.streams) bits)
  val id = UInt(config.idWidth bits)
  val len = UInt(8 bits)
  val size = UInt(3 bits)
  val burst = Bits(2 bits)
  val lock = Bool()
  val cache, qos = Bits(4 bits)
  val prot = Bits(3 bits)
  val sequence = GenerationFlags.simulation(UInt(8 bits))

  /** What it does to memory. An instruction fetch says so in AxPROT. */
  def access: Access.C = {
    val access = Access()
    access := Access.read
    when(prot(2)) { access := Access.execute }
    when(write) { access := Access.write }
    access
  }

  /** The bridge cannot pass it on: it leaves its 4 KiB, its beats are wider than the bus, or it is
    * no burst of AXI (A3.4.1). FIXED stays at its address, and WRAP inside of what it wraps in.
    */
  def illegal: Bool = {
    val largest = log2Up(config.dataWidth / 8)
    val sizes = 0 to largest
    def bySize[T <: Data](of: Int => T): T = size
      .resize(log2Up(largest + 1))
      .muxListDc(
        (0 until 1 << log2Up(largest + 1)).map(s => s -> of(s min largest))
      )
    val start = bySize(s => U(va(11 downto s) ## B(0, s bits))) // of the beat that holds the VA
    val last = start +^ bySize(s => (len << s).resize(12))
    val unaligned = va(largest - 1 downto 0) =/= start(largest - 1 downto 0)
    val wraps = Seq(1, 3, 7, 15).map(len === _).orR && !unaligned
    val legal = burst.mux(
      B(Transaction.fixed) -> (len < 16),
      B(Transaction.incr) -> !last.msb,
      B(Transaction.wrap) -> wraps,
      default -> False
    )
    size > largest || !legal
  }
}

object Transaction {
  val fixed = "00"
  val incr = "01"
  val wrap = "10"

  def of(ax: Axi4Ax, write: Boolean, config: BridgeConfig): Transaction = {
    val transaction = Transaction(config)
    transaction.write := Bool(write)
    transaction.va := ax.addr
    transaction.stream := ax.user.asUInt.resized
    transaction.id := ax.id
    transaction.len := ax.len
    transaction.size := ax.size
    transaction.burst := ax.burst
    transaction.lock := ax.lock.asBool
    transaction.cache := ax.cache
    transaction.prot := ax.prot
    transaction.qos := ax.qos
    if (transaction.sequence != null) transaction.sequence := 0
    transaction
  }
}

/** The two sides of the bridge. */
object BridgeBus {
  private def axi(config: BridgeConfig, addressWidth: Int) = Axi4Config(
    addressWidth = addressWidth,
    dataWidth = config.dataWidth,
    idWidth = config.idWidth,
    useRegion = false
  )

  /** Of the client: virtual addresses, and the stream in AxUSER. */
  def virtual(config: BridgeConfig): Axi4Config = axi(config, 64).copy(
    arUserWidth = log2Up(config.streams),
    awUserWidth = log2Up(config.streams)
  )

  def physical(config: BridgeConfig, paWidth: Int): Axi4Config = axi(config, paWidth)
}
