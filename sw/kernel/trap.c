#include "kernel/trap.h"
#include "image.h"
#include "kernel/ipi.h"
#include "kernel/irq.h"
#include "kernel/uaccess.h"
#include "lib/csr.h"
#include "mm/mm.h"
#include "panic.h"

extern char uaccess_start[], uaccess_end[], uaccess_fault[];

struct trap_record last_trap;
volatile u32 timer_ticks;
u32 trap_depth;

void trap_record(char mode, u32 cause, u32 pc, u32 value)
{
    last_trap = (struct trap_record){mode, cause, pc, value, csr_read_named(sstatus)};
}

const char *trap_cause_name(u32 cause)
{
    static const char *const names[] = {
        "misaligned fetch", "fetch access fault", "illegal instruction",
        "breakpoint",       "misaligned load",    "load access fault",
        "misaligned store", "store access fault", "ecall from U",
        "ecall from S",     "reserved",           "ecall from M",
        "fetch page fault", "load page fault",    "reserved",
        "store page fault",
    };

    if (cause & CAUSE_INTERRUPT)
        return "interrupt";
    return cause < ARRAY_SIZE(names) ? names[cause] : "unknown";
}

static bool fault_in(const struct regs *regs, u32 cause, vaddr_t address)
{
    bool allowed = regs->status & SSTATUS_SUM;

    return allowed && current_mm && address < TASK_SIZE &&
           handle_mm_fault(current_mm, address, cause == CAUSE_STORE_PAGE ? FAULT_WRITE : 0) == 0;
}

void kernel_stack_overflow(u32 sp)
{
    u32 cause = csr_read_named(scause), value = csr_read_named(stval), pc = csr_read_named(sepc);

    trap_record('S', cause, pc, value);
    panic("kernel stack overflow: sp 0x%08x, the stack ends at 0x%08x; %s at 0x%08x", sp,
          (u32)(uintptr_t)kernel_stack, trap_cause_name(cause), value);
}

/* A timer tick, a device that the kernel waits for, a request to itself, or a fault of an access to
 * user memory. */
static void handle_kernel_trap(struct regs *regs)
{
    u32 cause = csr_read_named(scause), value = csr_read_named(stval);
    u32 pc = regs->x[REG_PC];

    if (cause == CAUSE_S_TIMER) {
        timer_ticks++;
        csr_clear_named(sie, IP_STIP);
        return;
    }
    if (cause == CAUSE_S_EXTERNAL) {
        do_irq();
        return;
    }
    if (cause == CAUSE_S_SOFTWARE) {
        do_ipi();
        return;
    }
    trap_record('S', cause, pc, value);
    if (pc >= (u32)(uintptr_t)uaccess_start && pc < (u32)(uintptr_t)uaccess_end) {
        if ((cause == CAUSE_LOAD_PAGE || cause == CAUSE_STORE_PAGE) && fault_in(regs, cause, value))
            return;
        regs->x[REG_PC] = (u32)(uintptr_t)uaccess_fault;
        return;
    }
    panic("kernel %s at 0x%08x, pc 0x%08x", trap_cause_name(cause), value, pc);
}

void kernel_trap(struct regs *regs)
{
    trap_depth++;
    handle_kernel_trap(regs);
    trap_depth--;
}
