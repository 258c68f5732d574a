/* The end of a run, good or bad. */
#include "panic.h"
#include "drivers/finisher.h"
#include "drivers/mmu.h"
#include "drivers/uart.h"
#include "image.h"
#include "kernel/esr.h"
#include "kernel/exit.h"
#include "kernel/trap.h"
#include "lib/printf.h"
#include <stdarg.h>

unsigned warn_count KEPT;

void machine_exit(unsigned code)
{
    uart_drain();
    finisher_power_off(code);
}

void warn_at(const char *file, int line, const char *what)
{
    warn_count++;
    kprintf("WARNING: %s at %s:%d\n", what, file, line);
}

static void print_fault_state(void)
{
    char text[96];

    if (last_trap.mode)
        kprintf("  last trap: %c-mode, cause 0x%08x (%s), pc 0x%08x, tval 0x%08x\n", last_trap.mode,
                last_trap.cause, trap_cause_name(last_trap.cause), last_trap.pc, last_trap.value);
    esr_describe(mmu_esr(), text, sizeof text);
    kprintf("  ESR 0x%08x (%s), FAR 0x%016llx\n", mmu_esr(), text, (unsigned long long)mmu_far());
}

void panic_at(const char *file, int line, const char *fmt, ...)
{
    static bool panicking;
    char message[160];
    va_list args;

    if (!panicking) { /* a fault while we complain ends the run at once */
        panicking = true;
        va_start(args, fmt);
        kvsnprintf(message, sizeof message, fmt, args);
        va_end(args);
        kprintf("Kernel panic - not syncing: %s\n  at %s:%d\n", message, file, line);
        print_fault_state();
    }
    machine_exit(EXIT_PANIC);
}
