// The modes of the machine, single accesses and interrupts, for test programs.
#pragma once
#include "soc.h"

#define FUNCTION(va) ((uint32_t(*)(uint32_t))(va))

// Lower modes have one stack.
static inline uint32_t in_mode(enum mode mode, uint32_t (*function)(uint32_t), uint32_t argument)
{
    extern uint8_t lower_stack_top[];
    return run_in(mode, function, argument, lower_stack_top);
}

static inline uint32_t in_s(uint32_t (*function)(uint32_t), uint32_t argument)
{
    return in_mode(SUPERVISOR, function, argument);
}

// Single accesses; a load that faults leaves this value.
static inline uint32_t load(uint32_t va)
{
    uint32_t value = 0xdeadbeef;
    __asm__ volatile("lw %0, 0(%1)" : "+r"(value) : "r"(va) : "memory");
    return value;
}

static inline uint32_t store(uint32_t va)
{
    __asm__ volatile("sw %0, 0(%0)" ::"r"(va) : "memory");
    return 0;
}

static inline void fence_i(void)
{
    __asm__ volatile("fence.i" ::: "memory");
}

static inline void sfence(void)
{
    __asm__ volatile("sfence.vma" ::: "memory");
}

enum interrupt { SOFTWARE = 3, TIMER = 7, EXTERNAL_S = 9, EXTERNAL_M = 11 };

#define MTIMECMP(half) REG32(GRANULE_TIMER_BASE + 0x4000 + 4 * (half))
#define MTIME(half)    REG32(GRANULE_TIMER_BASE + 0xbff8 + 4 * (half))

// The PLIC's registers: of a source, and of a context, 0 is M-mode, 1 S-mode.
#define PRIORITY(source) REG32(GRANULE_PLIC_BASE + 4 * (source))
#define ENABLE(context)  REG32(GRANULE_PLIC_BASE + 0x2000 + 0x80 * (context))
#define CLAIM(context)   REG32(GRANULE_PLIC_BASE + 0x200004 + 0x1000 * (context))

// M-mode takes this interrupt alone. The last one that was taken.
static inline uint32_t wait_for(enum interrupt number, uint32_t limit)
{
    trap.interrupt = 0;
    CSR_SET(mie, 1 << number);
    CSR_SET(mstatus, 8);
    for (uint32_t n = 0; trap.interrupt != number && n < limit; n++)
        ;
    CSR_CLEAR(mstatus, 8);
    return trap.interrupt;
}
