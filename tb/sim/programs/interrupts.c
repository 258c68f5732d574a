// Timer, software and UART interrupts reach the core, each by its own line, and go when they are
// cleared. What their registers do, unit tests ask (tb/unit/soc).
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
    REG32(UART_IE) = 0;
    CLAIM(context) = GRANULE_UART_IRQ;
    EXPECT(CSR_READ(mip) & EXTERNAL, 0);
    ENABLE(context) = 0;
}

int main(void)
{
    EXPECT(CSR_READ(mip) & (1 << SOFTWARE | 1 << TIMER | EXTERNAL), 0);

    // Timer: at its time, not before, and the CSRs follow it over the end of a word.
    MTIMECMP(0) = 0;
    MTIMECMP(1) = 6;
    MTIME(0) = 0xffff0000;
    MTIME(1) = 5;
    EXPECT(CSR_READ(mip) & 1 << TIMER, 0);
    EXPECT(CSR_READ(timeh), 5);
    EXPECT(wait_for(TIMER, 100000), TIMER);
    EXPECT(CSR_READ(timeh), 6);
    EXPECT(CSR_READ(time) < 1000, 1);
    MTIMECMP(1) = 0xffffffff;
    EXPECT(CSR_READ(mip) & 1 << TIMER, 0);

    MSIP = 1;
    EXPECT(wait_for(SOFTWARE, 1000), SOFTWARE);
    MSIP = 0;
    EXPECT(CSR_READ(mip) & 1 << SOFTWARE, 0);

    put('x');
    PRIORITY(GRANULE_UART_IRQ) = 1;
    REG32(UART_TXCTRL) = 1 | 1 << 16; // the watermark is one character
    external(0, EXTERNAL_M);
    external(1, EXTERNAL_S);
    return failures;
}
