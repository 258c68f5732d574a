"""Seeded defects of the CPU's side of translation: satp, sfence.vma, sstatus."""

from campaigns.mutants.mutant import Mutant

CPU = "rtl/src/granule/cpu/Cpu.scala"
CSR = "rtl/src/granule/cpu/Csr.scala"
SERIAL = "rtl/src/granule/cpu/SerialOperations.scala"

DIRECTED = "unit.cpu.cocotb_directed"

CPU_MUTANTS = [
    Mutant(
        "satp-late",
        "what was fetched before satp was written is executed behind it",
        "ours",
        CPU,
        "SystemOp.csr -> csr.io.writesSatp,",
        "SystemOp.csr -> False,",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "sfence-by-value",
        "a zero in a register of sfence.vma counts as x0",
        "ours",
        SERIAL,
        "val byVa   = slot.instruction(19 downto 15) =/= 0",
        "val byVa = va =/= 0",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "sfence-bare",
        "sfence.vma spares what Bare mode does not name",
        "ours",
        SERIAL,
        "when(Satp.mode.bool(satp))",
        "when(True)",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "asid-8-bits",
        "sfence.vma sends eight bits of the ASID",
        "ours",
        SERIAL,
        "operandOf(asid,",
        "operandOf(asid(7 downto 0),",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "pan-for-user",
        "SUM is asked for in U-mode",
        "ours",
        CSR,
        "p.pan := m === Mode.supervisor && pan",
        "p.pan := pan",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "mxr-lost",
        "loads do not carry MXR",
        "ours",
        CSR,
        "!status.sum, status.mxr)",
        "!status.sum, False)",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "tvm-forgotten",
        "TVM does not keep S-mode off satp",
        "ours",
        CSR,
        "Some(!(isSupervisor && status.tvm))",
        "None",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
]
