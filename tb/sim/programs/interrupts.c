// Timer, software and UART interrupts: pending when they should, taken once, gone when cleared.
#include "machine.h"

#define MSIP     REG32(GRANULE_TIMER_BASE)
#define EXTERNAL (1 << EXTERNAL_S | 1 << EXTERNAL_M)

// The UART's line is high while its transmit queue is empty and it may interrupt.
static void external(unsigned context, enum interrupt number)
{
    ENABLE(context) = 1 << GRANULE_UART_IRQ;
    REG32(UART_IE) = 1;
    EXPECT(wait_for(number, 10000), number);
    EXPECT(CSR_READ(mip) & EXTERNAL, 1 << number);
    EXPECT(CLAIM(!context), 0);
    EXPECT(CLAIM(context), GRANULE_UART_IRQ);
    EXPECT(CSR_READ(mip) & EXTERNAL, 0);
    EXPECT(CLAIM(context), 0);
    CLAIM(!context) = GRANULE_UART_IRQ; // not enabled there
    CLAIM(context) = GRANULE_UART_IRQ | 1 << 16;
    EXPECT(CSR_READ(mip) & EXTERNAL, 0);
    CLAIM(context) = GRANULE_UART_IRQ; // the line is still high
    EXPECT(CSR_READ(mip) & EXTERNAL, 1 << number);
    THRESHOLD(context) = 7;
    EXPECT(CSR_READ(mip) & EXTERNAL, 0);
    REG32(UART_IE) = 0;
    EXPECT(CLAIM(context), GRANULE_UART_IRQ);
    THRESHOLD(context) = 0;
    CLAIM(context) = GRANULE_UART_IRQ;
    EXPECT(CSR_READ(mip) & EXTERNAL, 0);
    ENABLE(context) = 0;
}

int main(void)
{
    // Nothing is pending after reset.
    EXPECT(CSR_READ(mip) & (1 << SOFTWARE | 1 << TIMER | EXTERNAL), 0);
    EXPECT(MTIMECMP(0), 0xffffffff);
    EXPECT(MTIMECMP(1), 0xffffffff);

    // mtime counts cycles.
    const uint32_t t0 = MTIME(0), c0 = CSR_READ(mcycle);
    for (volatile int i = 0; i < 100; i++)
        ;
    const uint32_t c1 = CSR_READ(mcycle), t1 = MTIME(0);
    EXPECT(t1 - t0 >= c1 - c0 && t1 - t0 < c1 - c0 + 60, 1);

    // Timer: at its time, not before.
    const uint32_t at = MTIME(0) + 3000;
    MTIMECMP(0) = at;
    MTIMECMP(1) = 0;
    EXPECT(CSR_READ(mip) & 1 << TIMER, 0);
    EXPECT(wait_for(TIMER, 100000), TIMER);
    EXPECT((int32_t)(MTIME(0) - at) >= 0 && MTIME(0) - at < 2000, 1);
    EXPECT(CSR_READ(mip) & 1 << TIMER, 1 << TIMER);
    MTIMECMP(1) = 0xffffffff;
    EXPECT(CSR_READ(mip) & 1 << TIMER, 0);

    // WFI ends at the timer, also with interrupts masked.
    CSR_CLEAR(mstatus, 8);
    CSR_SET(mie, 1 << TIMER);
    MTIMECMP(0) = MTIME(0) + 1000;
    MTIMECMP(1) = 0;
    const uint32_t before = MTIME(0);
    __asm__ volatile("wfi");
    EXPECT(MTIME(0) - before >= 900 && MTIME(0) - before < 1500, 1);
    MTIMECMP(1) = 0xffffffff;

    // mtime is software's, word by word, and the CSRs follow it.
    MTIMECMP(0) = 0;
    MTIMECMP(1) = 6;
    MTIME(0) = 0xffff0000;
    MTIME(1) = 5;
    EXPECT(CSR_READ(mip) & 1 << TIMER, 0);
    EXPECT(MTIME(1), 5);
    EXPECT(CSR_READ(timeh), 5);
    EXPECT(MTIME(0) - 0xffff0000 < 1000, 1);
    EXPECT(wait_for(TIMER, 100000), TIMER);
    EXPECT(CSR_READ(timeh), 6);
    EXPECT(CSR_READ(time) < 1000, 1);
    MTIMECMP(1) = 0xffffffff;

    // Software.
    MSIP = 1;
    EXPECT(wait_for(SOFTWARE, 1000), SOFTWARE);
    MSIP = 0;
    EXPECT(CSR_READ(mip) & 1 << SOFTWARE, 0);

    // UART.
    put('x');
    PRIORITY(GRANULE_UART_IRQ) = 1;
    REG32(UART_TXCTRL) = 1 | 1 << 16; // the watermark is one character
    external(0, EXTERNAL_M);
    external(1, EXTERNAL_S);
    return failures;
}
