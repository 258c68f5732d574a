// FENCE.I: code that was written a moment ago, over code that was run a moment ago.
#include "soc.h"

int failures;
static uint32_t code[32] __attribute__((aligned(64)));

int main(void)
{
    uint32_t (*const function)(void) = (uint32_t(*)(void))code;
    for (uint32_t i = 0; i < 40; i++) {
        // At another place of the line each time; a return straight after.
        volatile uint32_t *at = &code[i % 30];
        at[0] = 0x00000513 | i << 20; // li a0, i
        at[1] = 0x00008067;           // ret
        __asm__ volatile("fence.i" ::: "memory");
        EXPECT(((uint32_t(*)(void))at)(), i);
    }
    // Over itself, with the old instruction in the instruction cache.
    for (uint32_t i = 100; i < 110; i++) {
        code[0] = 0x00000513 | i << 20;
        code[1] = 0x00008067;
        __asm__ volatile("fence.i" ::: "memory");
        EXPECT(function(), i);
        EXPECT(function(), i);
    }
    return failures;
}
