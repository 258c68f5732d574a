// What the programs `events` and `stalls` share: causes that move counters, each measured alone.
// The granule is 4K.
#pragma once
#include "counters.h"
#include "granule_cache.h"
#include "machine.h"
#include "tables.h"

#define WAY 16384 // a multiple of the bytes of a way: such lines share a set
static uint8_t lines[16 * WAY] __attribute__((aligned(WAY)));
#define LINES ((uint32_t)lines)
#define PAGES 0x10000000u // six of them, whose frames are the first of `lines`

struct cause {
    const char *name;
    void (*prepare)(void), (*act)(void);
};

// Twice, so that the second time finds the code in its cache. With nothing in memory that it reads
// while counters count.
static __attribute__((noinline)) void twice(void (*begin)(void), void (*prepare)(void),
                                            void (*act)(void))
{
    for (int i = 0; i < 2; i++) {
        begin();
        prepare();
        counters_start();
        act();
        counters_stop();
    }
}

static inline void measure(const struct cause *cause, void (*begin)(void),
                           void (*print)(const char *))
{
    for (; cause->name; cause++) {
        twice(begin, cause->prepare, cause->act);
        print(cause->name);
    }
}

static inline void translate(void)
{
    granule = (struct granule){12, 9, 1, 2u << 30};
    mmu_on();
    for (uint32_t i = 0; i < 6; i++)
        map(PAGES + i * 4096, LINES + i * 4096, KERNEL_DATA);
}

static inline void loads(uint32_t at, unsigned count, uint32_t step)
{
    for (; count; count--, at += step)
        __asm__ volatile("lw zero, 0(%0)" ::"r"(at) : "memory");
}

// They are S-mode's, through the MMU; the code stays M-mode's.
static inline void loads_of_supervisor(uint32_t at, unsigned count, uint32_t step)
{
    CSR_SET(mstatus, 1 << 17);
    loads(at, count, step);
    CSR_CLEAR(mstatus, 1 << 17);
}

static inline void nothing(void)
{
}

static inline void clean_and_drop_lines(void)
{
    REG32(GRANULE_CACHE_BASE + GRANULE_CACHE_MAINTAIN) = 3;
}

static inline void nothing_in_the_tlb(void)
{
    CSR_CLEAR(mstatus, 3 << 11);
    CSR_SET(mstatus, SUPERVISOR << 11);
    tlbi(ALL, 0);
}

static inline void new_code(void)
{
    __asm__ volatile("	.balign 64\n	.rept 16 * 24\n	nop\n	.endr"); // 24 lines
}

static inline void new_lines(void)
{
    loads(LINES, 20, 64);
}

// Another set for each, none of which holds an entry of the tables.
static inline void pages_of_a_table(void)
{
    loads_of_supervisor(PAGES + 2048, 6, 4096 + 64);
}

static inline uint32_t at_once(uint32_t n)
{
    return n;
}

static inline void into_supervisor(void)
{
    in_s(at_once, 0);
}
