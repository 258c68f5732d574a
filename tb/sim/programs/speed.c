// The speed of the UART rises at some place of a character: that one is lost, what follows is not.
#include "soc.h"

#define UART_DIV   REG32(GRANULE_UART_BASE + 24)
#define SLOW       217
#define FAST       17
#define FRAME_BITS 10

static uint32_t now(void)
{
    uint32_t cycle;

    __asm__ volatile("csrr %0, mcycle" : "=r"(cycle));
    return cycle;
}

static void wait(uint32_t cycles)
{
    const uint32_t start = now();

    while (now() - start < cycles)
        ;
}

int main(void)
{
    for (uint32_t place = 0; place < FRAME_BITS * SLOW; place += SLOW / 2) {
        UART_DIV = SLOW - 1;
        put('U');
        wait(place);
        UART_DIV = FAST - 1;
        wait(3 * FRAME_BITS * FAST);
        puts_("\nafter\n");
        wait(10 * FRAME_BITS * FAST);
    }
    return 0;
}
