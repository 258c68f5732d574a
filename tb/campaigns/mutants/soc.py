"""Seeded defects of what is around the core: registers, interrupts, time, vacant addresses."""

from campaigns.mutants.mutant import Mutant

SOC = "rtl/src/granule/soc"
PLIC, TIMER = "unit.soc.cocotb_plic", "unit.soc.cocotb_timer"
INTERCONNECT = "unit.soc.cocotb_interconnect"
DIRECTED = "unit.cpu.cocotb_directed"
CACHE = "unit.cache.cocotb_l1data_lines"


def mutant(name: str, defect: str, file: str, old: str, new: str, *rest, unit: str) -> Mutant:
    """`rest`: the module of the test, and its name."""
    return Mutant(f"soc-{name}", defect, "ours", file, old, new, *rest, unit=unit)


def plic(name: str, defect: str, old: str, new: str, killer: str) -> Mutant:
    file = f"{SOC}/Plic.scala"
    return mutant(f"plic-{name}", defect, file, old, new, PLIC, killer, unit="plic:teaching")


SOC_MUTANTS = [
    mutant(
        "narrow-store",
        "a store of a byte writes the whole register",
        f"{SOC}/Interconnect.scala",
        "bridge.io.apb.PWRITE && !bridge.io.axi.w.strb.andR",
        "False",
        INTERCONNECT,
        "a_part_of_a_register_is_not_written",
        unit="soc_interconnect:teaching",
    ),
    plic(
        "claim-below-threshold",
        "a claim asks for the threshold",
        "bus.read(best.number, claim)",
        "bus.read(best.number.andMask(interrupt), claim)",
        "the_threshold_keeps_an_interrupt_back_but_no_claim",
    ),
    plic(
        "completion-of-another",
        "a context completes what is not enabled in it",
        "io.apb.PWDATA === source.number && enabled",
        "io.apb.PWDATA === source.number",
        "a_completion_is_of_a_source_that_is_enabled_here",
    ),
    plic(
        "completion-cut",
        "the number of a completion is cut to the sources' width",
        "io.apb.PWDATA === source.number",
        "io.apb.PWDATA.resize(3) === source.number",
        "a_completion_is_of_a_source_that_is_enabled_here",
    ),
    plic(
        "priority-zero",
        "a source of priority zero is claimed",
        "(candidate(U(0, Plic.priorityBits bits), 0) +: wanted)",
        "wanted",
        "nothing_interrupts_after_reset",
    ),
    mutant(
        "mtime-read-only",
        "mtime cannot be written",
        f"{SOC}/Timer.scala",
        "bus.writeMultiWord(clint.time, 0xbff8)",
        "",
        TIMER,
        "time_is_written_as_two_words",
        unit="timer:teaching",
    ),
    mutant(
        "inhibit-early",
        "a write of mcountinhibit counts itself by its new value",
        "rtl/src/granule/cpu/Csr.scala",
        "io.counters.inhibit(2) := RegNext(inhibited(2)) init False",
        "",
        DIRECTED,
        "counters",
        unit="cpubench:teaching",
    ),
    mutant(
        "clean-of-nothing",
        "cache maintenance does not look whether memory is there",
        "rtl/src/granule/cache/CpuSide.scala",
        "(maintained && vacant)",
        "False",
        CACHE,
        "maintenance_of_nothing_is_an_access_fault",
        unit="l1data:teaching",
    ),
    mutant(
        "vacant-early",
        "maintenance of no line is answered before it is known what is there",
        "rtl/src/granule/cache/CpuSide.scala",
        "lineless && (RegNext(lineless) init False)",
        "lineless",
        CACHE,
        "maintenance_of_nothing_is_an_access_fault",
        unit="l1data:teaching",
    ),
]
