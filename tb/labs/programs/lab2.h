// Lab 2: what reach.c has. Both functions run in S-mode, translated.
#pragma once
#include <stdint.h>

// Memory that is mapped page by page from `base` on. Nobody else uses it.
struct arena {
    uint32_t base, page_size, pages;
};

// The cycle counter.
static inline uint32_t cycles(void)
{
    uint32_t now;
    __asm__ volatile("csrr %0, cycle" : "=r"(now)::"memory");
    return now;
}

// Hundredths of a cycle for one access of a chain that visits the first `pages` pages of the arena
// in turn, again and again, when all that the TLB and the cache can keep is there already.
uint32_t chase(const struct arena *arena, uint32_t pages);

// How many pages of the arena the data TLB translates at once, found with chase().
uint32_t reach(const struct arena *arena);
