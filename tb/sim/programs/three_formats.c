// One address under 64-bit entries, 128-bit entries and Sv32, one after the other in a random
// order: TCR2.D128 and satp.MODE choose. The tasks have ASIDs of their own, so that no change needs
// an invalidation, and each finds in the TLB what it had left there.
#include "d128_tables.h"

int failures;

#define BASE      0x10000000u
#define PAGES     3
#define SV32_ASID 2u // that of the 128-bit entries too: these two are told apart by the format

enum format { BITS_64, BITS_128, SV32, FORMATS };

static uint8_t stack[4096] __attribute__((aligned(16)));
static uint8_t memory[FORMATS * PAGES][65536] __attribute__((aligned(65536)));
static uint32_t sv32_root[1024] __attribute__((aligned(4096)));
static uint32_t sv32_leaves[1024] __attribute__((aligned(4096)));
static uint32_t expected[FORMATS][PAGES];

static uint32_t address(enum format format, unsigned page)
{
    return BASE + page * (format == SV32 ? 4096 : page_size());
}

static uint32_t frame(enum format format, unsigned page)
{
    return (uint32_t)memory[format * PAGES + page];
}

static void make_tables(void)
{
    const unsigned rights = 0xc7, kernel = 0xcf; // D A W R V, and X
    for (unsigned n = 0; n < PAGES; n++) {
        map(address(BITS_64, n), frame(BITS_64, n), KERNEL_DATA | NON_GLOBAL);
        map_page(address(BITS_128, n), frame(BITS_128, n), KERNEL_READS_WRITES)->low |= NON_GLOBAL;
        sv32_leaves[address(SV32, n) >> 12 & 1023] = frame(SV32, n) >> 12 << 10 | rights;
    }
    sv32_root[BASE >> 22] = (uint32_t)sv32_leaves >> 12 << 10 | 1;
    for (uint32_t at = 0; at < 16u << 20; at += 4u << 20) {
        const uint32_t lowmem = GRANULE_LOWMEM_BASE + at;
        sv32_root[lowmem >> 22] = lowmem >> 12 << 10 | kernel;
    }
}

static void choose(enum format format)
{
    const int large = format == BITS_128;
    if (format == SV32) {
        CSR_WRITE(satp, 1u << 31 | SV32_ASID << 22 | (uint32_t)sv32_root >> 12);
        return;
    }
    CSR_WRITE(satp, 0);
    write_pair(GRANULE_MMU_TCR2_LO, large ? 1 << 5 : 0);
    write_pair(GRANULE_MMU_TTBR0_LO, large ? (uint32_t)user_root | (uint64_t)SV32_ASID << 48
                                           : (uint32_t)user_table | 1ull << 48);
    write_pair(GRANULE_MMU_TTBR1_LO,
               (uint32_t)(large ? (void *)kernel_root : (void *)kernel_table));
}

// Adds 1 to a word.
static uint32_t increment(uint32_t va)
{
    return ++REG32(va);
}

static uint32_t in_s(uint32_t (*function)(uint32_t), uint32_t va)
{
    return run_in(SUPERVISOR, function, va, stack + sizeof stack);
}

int main(void)
{
    choose_granule();
    mmu_on();
    d128_on();
    make_tables();
    for (unsigned n = 0; n < FORMATS * PAGES; n++)
        expected[n / PAGES][n % PAGES] = REG32((uint32_t)memory[n]) = n << 16;
    uint32_t random = 0x1234567;
    for (unsigned i = 0; i < 400; i++) {
        random = random >> 1 ^ (-(random & 1) & 0xedb88320);
        const enum format format = random % FORMATS;
        const unsigned page = (random >> 8) % PAGES;
        choose(format);
        EXPECT(in_s(increment, address(format, page)), ++expected[format][page]);
        if (i % 64 == 63) // what an invalidation of one takes away, comes back for each
            tlbi(i % 128 == 127 ? ALL : ASID, (uint64_t)SV32_ASID << 48);
    }
    EXPECT(trap.count, 0);
    for (unsigned n = 0; n < FORMATS * PAGES; n++)
        EXPECT(REG32((uint32_t)memory[n]), expected[n / PAGES][n % PAGES]);
    return failures;
}
