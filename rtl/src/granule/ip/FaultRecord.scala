package granule.ip

import granule.arch.{BitField, Esr}
import spinal.core._
import spinal.lib._

/** Keeps the last fault that the CPU took, in Arm's format (spec 7.3, ISV = 0). */
case class FaultRecord(report: Flow[FaultReport]) extends Area {

  /** 0x20, 0x21: instruction abort from EL0, EL1; 0x24, 0x25: data abort from EL0, EL1. Arm has no
    * code for M-mode: its faults, which are of the bus or of protection, are from EL0 here.
    */
  private val exceptionClass = B"100" ## !report.execute ## B"0" ## report.el1

  val esr = RegNextWhen(
    BitField.word(64)(
      Esr.dirty -> report.dirty,
      Esr.ec -> exceptionClass,
      Esr.il -> True,
      Esr.wnr -> (report.wnr && !report.execute),
      Esr.fsc -> report.status
    ),
    report.valid
  ) init 0
  val far = RegNextWhen(report.va.asSInt.resize(64 bits).asBits, report.valid) init 0
}

/** A data or fetch fault at the moment in which the CPU takes its trap; never speculative. */
case class FaultReport() extends Bundle {
  val va = UInt(32 bits)
  val status = Bits(6 bits)
  val execute = Bool()
  val wnr = Bool()
  val dirty = Bool()
  val el1 = Bool()
}
