/* Legacy extensions (SBI 2.0, chapter 5). Linux before 6.8 has its console here; the others have
 * successors, to which they are passed on. */
#include "drivers/uart.h"
#include "lib/regs.h"
#include "sbi/sbi.h"
#include "sbi/supervisor.h"

enum {
    LEGACY_SET_TIMER,
    LEGACY_PUTCHAR,
    LEGACY_GETCHAR,
    LEGACY_CLEAR_IPI,
    LEGACY_SEND_IPI,
    LEGACY_FENCE_I,
    LEGACY_SFENCE_VMA,
    LEGACY_SFENCE_VMA_ASID,
    LEGACY_SHUTDOWN,
    LEGACY_END,
};

bool sbi_is_legacy(u32 extension)
{
    return extension < LEGACY_END;
}

/* The mask is in the caller's memory, at a virtual address; none is all harts. False: a fault,
 * which the caller gets at its ecall. */
static bool hart_mask(struct regs *regs, u32 *mask)
{
    struct fault fault = {0, 0};
    u32 address = regs->x[REG_A0];

    *mask = address ? load_word(address, MSTATUS_MPRV, &fault) & 1 : 1;
    if (fault.cause)
        supervisor_trap(regs, fault);
    return !fault.cause;
}

static void to_harts(sbi_handler *handler, u32 function, struct regs *regs)
{
    u32 *a = &regs->x[REG_A0], mask;

    if (!hart_mask(regs, &mask))
        return;
    handler(function, (const u32[]){mask, 0, a[1], a[2], a[3]});
    a[0] = 0;
    regs->x[REG_PC] += 4;
}

static u32 answer(u32 extension, const u32 *args)
{
    switch (extension) {
    case LEGACY_SET_TIMER:
        return (u32)sbi_time(0, args).error;
    case LEGACY_PUTCHAR:
        uart_putc((char)args[0]);
        return 0;
    case LEGACY_GETCHAR:
        return (u32)uart_getc();
    case LEGACY_CLEAR_IPI:
        csr_clear_named(mip, IP_SSIP);
        return 0;
    default:
        return (u32)sbi_srst(0, (const u32[]){0, 0}).error;
    }
}

void sbi_legacy(u32 extension, struct regs *regs)
{
    if (extension == LEGACY_SEND_IPI) {
        to_harts(sbi_ipi, 0, regs);
    } else if (extension >= LEGACY_FENCE_I && extension <= LEGACY_SFENCE_VMA_ASID) {
        to_harts(sbi_rfence, extension - LEGACY_FENCE_I, regs);
    } else {
        regs->x[REG_A0] = answer(extension, &regs->x[REG_A0]);
        regs->x[REG_PC] += 4;
    }
}
