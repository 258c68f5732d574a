// A mixture of what programs do, for the compiler of the simulator: arithmetic, memory, calls,
// console, translation with and without walks. Ends with success.
#include "tables.h"

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint32_t data[4096] __attribute__((aligned(65536)));

#define BASE  0x10000000u
#define PAGES 40u

static uint32_t mix(uint32_t seed)
{
    for (uint32_t i = 0; i < 4096; i++) {
        data[i] += seed;
        seed = seed * 1664525 + data[(i * 7) & 4095];
        if (seed & 1)
            seed ^= seed >> 3;
        if ((i & 255) == 0)
            seed += seed / (i + 3);
    }
    return seed;
}

static uint32_t walk_pages(uint32_t va)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < 8; round++)
        for (uint32_t page = 0; page < PAGES; page++)
            sum += *(volatile uint32_t *)(va + page * page_size());
    return sum;
}

int main(void)
{
    choose_granule();
    uint32_t seed = mix(1);
    puts_("training\n");
    mmu_on();
    for (uint32_t page = 0; page < PAGES; page++)
        map(BASE + page * page_size(), (uint32_t)data, KERNEL_DATA);
    for (uint32_t round = 0; round < 4; round++) {
        seed = run_in(SUPERVISOR, mix, seed, stack + sizeof stack);
        run_in(SUPERVISOR, walk_pages, BASE, stack + sizeof stack);
        tlbi(ALL, 0);
    }
    __asm__ volatile("fence.i" ::: "memory");
    return mix(seed) == 0;
}
