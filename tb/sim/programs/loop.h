// A loop of loads and stores whose cycles are counted.
#pragma once
#include "soc.h"

#define ROUNDS 100

// 16 loads and 16 stores a round over 1 KiB, in pairs and alternating; cycles.
static __attribute__((aligned(64), noinline)) uint32_t loop(uint32_t buffer)
{
    uint32_t start, end, n = ROUNDS;
    __asm__ volatile("	csrr %0, cycle\n"
                     "1:\n"
                     "	.set i, 0\n"
                     "	.rept 8\n"
                     "	lw t0, i * 64(%3)\n"
                     "	lw t1, i * 64 + 4(%3)\n"
                     "	sw t0, i * 64 + 8(%3)\n"
                     "	add t1, t1, t0\n"
                     "	sw t1, i * 64 + 12(%3)\n"
                     "	.set i, i + 1\n"
                     "	.endr\n"
                     "	addi %2, %2, -1\n"
                     "	bnez %2, 1b\n"
                     "	csrr %1, cycle\n"
                     : "=&r"(start), "=&r"(end), "+r"(n)
                     : "r"(buffer)
                     : "t0", "t1", "memory");
    return end - start;
}

static uint32_t twice(uint32_t buffer)
{
    loop(buffer); // fills caches and TLB
    return loop(buffer);
}
