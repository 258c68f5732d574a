// Counters count what they say: exact where the program decides, at least plausible elsewhere.
#include "tables.h"

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint32_t data[64 * 16] __attribute__((aligned(4096)));

static inline uint32_t read_event(unsigned n)
{
    switch (n) {
#define CASE(name, number, text)                                             \
    case number: {                                                           \
        uint32_t value;                                                      \
        __asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(0xb03 + number)); \
        return value;                                                        \
    }
        GRANULE_EVENTS(CASE)
    }
    return 0;
}

#define COUNT(name) read_event(GRANULE_EVENT_##name)

static uint32_t before[GRANULE_EVENT_COUNT];
static void mark(void)
{
    for (unsigned n = 0; n < GRANULE_EVENT_COUNT; n++)
        before[n] = read_event(n);
}
static uint32_t since(unsigned n)
{
    return read_event(n) - before[n];
}
#define SINCE(name) since(GRANULE_EVENT_##name)

#define WRITE_EVENT(name, value) \
    __asm__ volatile("csrw %0, %1" ::"i"(0xb03 + GRANULE_EVENT_##name), "r"(value))

// N loads and no other access to memory; what it adds to l1d_access and instret.
#define LOADS(n, instructions, accesses)                          \
    __asm__ volatile("	csrr %0, minstret\n"                       \
                     "	csrr %1, 0xb07\n"                          \
                     "	.rept " #n "\n	lw zero, 0(%4)\n	.endr\n"  \
                     "	csrr %2, 0xb07\n"                          \
                     "	csrr %3, minstret\n"                       \
                     : "=&r"(i0), "=&r"(a0), "=&r"(a1), "=&r"(i1) \
                     : "r"(data)                                  \
                     : "memory");                                 \
    instructions = i1 - i0;                                       \
    accesses = a1 - a0

static uint32_t in_kernel(uint32_t n)
{
    const uint32_t start = CSR_READ(cycle);
    while (CSR_READ(cycle) - start < n)
        ;
    return 0;
}

static uint32_t touch_pages(uint32_t va)
{
    for (uint32_t i = 0; i < 4; i++)
        *(volatile uint32_t *)(va + i * page_size());
    return 0;
}

int main(void)
{
    uint32_t i0, i1, a0, a1, instructions, accesses;
    choose_granule();
    CSR_WRITE(mcounteren, 0xffffffff);
    CSR_WRITE(scounteren, 0xffffffff);
    _Static_assert(GRANULE_EVENT_L1D_ACCESS + 0xb03 == 0xb07, "LOADS reads this counter");

    // Loads: instret counts csrr twice beside them, l1d_access exactly the loads.
    LOADS(1, instructions, accesses);
    LOADS(1, instructions, accesses);
    const uint32_t overhead = instructions - 1;
    EXPECT(accesses, 1);
    LOADS(37, instructions, accesses);
    EXPECT(instructions, 37 + overhead);
    EXPECT(accesses, 37);

    // Misses: 64 lines that were never touched but for the first.
    mark();
    for (uint32_t i = 1; i < 64; i++)
        *(volatile uint32_t *)&data[16 * i];
    EXPECT(SINCE(L1D_MISS) >= 63 && SINCE(L1D_MISS) < 70, 1);
    EXPECT(SINCE(KERNEL_CYCLES), 0);
    EXPECT(SINCE(USER_CYCLES), 0);
    EXPECT(SINCE(WALKS), 0);

    // Walks: one for each page. The first reads every level, the others find the last table in the
    // walk cache; two more walks find a block in the first table.
    mmu_on();
    const uint32_t va = 0x10000000;
    for (uint32_t i = 0; i < 4; i++)
        map(va + i * page_size(), (uint32_t)data & ~(page_size() - 1), KERNEL_DATA);
    mark();
    run_in(SUPERVISOR, touch_pages, va, stack + sizeof stack);
    const uint32_t walks = SINCE(WALKS), dtlb = SINCE(DTLB_MISS), itlb = SINCE(ITLB_MISS);
    EXPECT(dtlb, 5); // four pages and the block that holds `granule`
    EXPECT(itlb, 1);
    EXPECT(walks, 6);
    EXPECT(SINCE(WALK_READ_L3), 4);
    EXPECT(SINCE(WALK_READ_L2), granule.start_level == 2 ? 3 : 1);
    EXPECT(SINCE(WALK_READ_L1), granule.start_level == 1 ? 3 : 0);
    EXPECT(SINCE(WALK_CACHED), 3);
    EXPECT(SINCE(WALK_CACHED_UPPER), 0);
    EXPECT(SINCE(WALK_SINGLE), 5);
    EXPECT(SINCE(WALK_READ_L0), 0);
    EXPECT(SINCE(WALK_CYCLES) > 0, 1);
    EXPECT(SINCE(KERNEL_CYCLES) > 0, 1);
    mark();
    run_in(SUPERVISOR, touch_pages, va, stack + sizeof stack);
    EXPECT(SINCE(WALKS), 0);
    EXPECT(SINCE(DTLB_ACCESS) >= 4, 1);

    // Time in S-mode.
    mark();
    run_in(SUPERVISOR, in_kernel, 5000, stack + sizeof stack);
    EXPECT(SINCE(KERNEL_CYCLES) >= 5000 && SINCE(KERNEL_CYCLES) < 5300, 1);
    EXPECT(SINCE(USER_CYCLES), 0);

    // Invalidations by kind.
    mark();
    tlbi_va(va, 1);
    tlbi_va(va, 1);
    tlbi(ASID, 1ull << 48);
    tlbi(ALL, 0);
    tlbi(RANGE_ALL_ASIDS, va >> granule.shift | 1ull << 46);
    tlbi(RANGE, va >> granule.shift | 1ull << 46);
    tlbi(RANGE, va >> granule.shift | 1ull << 46);
    EXPECT(SINCE(TLBI_VA), 2);
    EXPECT(SINCE(TLBI_ASID), 1);
    EXPECT(SINCE(TLBI_ALL), 1);
    EXPECT(SINCE(TLBI_RANGE), 3);
    EXPECT(SINCE(TLBI_CYCLES) >= 7, 1);

    // Inhibit and write.
    CSR_WRITE(mcountinhibit, 1u << (3 + GRANULE_EVENT_L1D_ACCESS));
    WRITE_EVENT(L1D_ACCESS, 1000);
    LOADS(5, instructions, accesses);
    EXPECT(COUNT(L1D_ACCESS), 1000);
    EXPECT(accesses, 0);
    CSR_WRITE(mcountinhibit, 0);
    LOADS(5, instructions, accesses);
    EXPECT(accesses, 5);
    return failures;
}
