package granule.bench

import granule.cache.{AmoFunct, L1DataCmd, L1Op}
import spinal.core._
import spinal.lib._

/** What a data command does to the word `old`: the word to write, and its byte lanes. */
case class BenchAccess(cmd: L1DataCmd) extends Area {
  val old = Bits(32 bits)

  val isStore = cmd.op === L1Op.store
  val isAmo = cmd.op === L1Op.amo
  val forWrite = cmd.op =/= L1Op.load && cmd.op =/= L1Op.lr

  private val signedLess = old.asSInt < cmd.data.asSInt
  private val unsignedLess = old.asUInt < cmd.data.asUInt
  private val computed = cmd.amo.mux(
    AmoFunct.add -> (old.asUInt + cmd.data.asUInt).asBits,
    AmoFunct.xor -> (old ^ cmd.data),
    AmoFunct.or -> (old | cmd.data),
    AmoFunct.and -> (old & cmd.data),
    AmoFunct.min -> Mux(signedLess, old, cmd.data),
    AmoFunct.max -> Mux(signedLess, cmd.data, old),
    AmoFunct.minu -> Mux(unsignedLess, old, cmd.data),
    AmoFunct.maxu -> Mux(unsignedLess, cmd.data, old),
    default -> cmd.data // swap
  )
  private val lane = cmd.va(1 downto 0)

  val data = Mux(isAmo, computed, cmd.data |<< (lane @@ U"000"))
  val mask = cmd.size.mux(
    0 -> (B"0001" |<< lane),
    1 -> (B"0011" |<< lane),
    default -> B"1111"
  )
}
