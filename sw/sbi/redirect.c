/* A trap handed down to S-mode, as the hardware would have entered it (privileged ISA 3.1.6). */
#include "sbi/supervisor.h"

void supervisor_trap(struct regs *regs, struct fault fault)
{
    u32 status = regs->status & ~(MSTATUS_MPP_MASK | SSTATUS_SPP | SSTATUS_SPIE | SSTATUS_SIE);

    if ((regs->status & MSTATUS_MPP_MASK) == MSTATUS_MPP_S)
        status |= SSTATUS_SPP;
    if (regs->status & SSTATUS_SIE)
        status |= SSTATUS_SPIE;
    regs->status = status | MSTATUS_MPP_S;
    csr_write_named(scause, fault.cause);
    csr_write_named(stval, fault.value);
    csr_write_named(sepc, regs->x[REG_PC]);
    regs->x[REG_PC] = csr_read_named(stvec) & ~3u;
}
