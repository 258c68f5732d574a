/* What comes to machine mode: calls, the timer, misaligned accesses. All else is S-mode's own. */
#include "sbi/trap.h"
#include "lib/csr.h"
#include "lib/printf.h"
#include "lib/regs.h"
#include "sbi/exit.h"
#include "sbi/misaligned.h"
#include "sbi/sbi.h"
#include "sbi/supervisor.h"

static void unexpected(const struct regs *regs, struct fault trap)
{
    kprintf("sbi: trap in machine mode: cause 0x%08x, pc 0x%08x, tval 0x%08x, mstatus 0x%08x\n",
            trap.cause, regs->x[REG_PC], trap.value, regs->status);
    machine_exit(EXIT_PANIC);
}

void trap(struct regs *regs)
{
    struct fault trap = {csr_read_named(mcause), csr_read_named(mtval)};

    switch (trap.cause) {
    case CAUSE_ECALL_S:
        sbi_call(regs);
        break;
    case CAUSE_M_TIMER: /* S-mode's, until it asks for the next one */
        csr_clear_named(mie, IP_MTIP);
        csr_set_named(mip, IP_STIP);
        break;
    case CAUSE_LOAD_MISALIGNED:
    case CAUSE_STORE_MISALIGNED:
        misaligned_access(regs, trap);
        break;
    default:
        unexpected(regs, trap);
    }
}
