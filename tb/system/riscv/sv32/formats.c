// The same addresses in Bare mode, under Sv32, with entries of 64 bits and, where the boot
// arguments say so, of 128, in a random order: satp.MODE, SCTLR.M and TCR2.D128 choose. No change
// needs an invalidation: each finds in the TLB what it had left there, and never what is another's.
#include "d128.h"
#include "sv32.h"

#define BASE  0x10000000u
#define PAGES 3
#define ON    (1 | 1 << 2 | 1 << 12)

enum kind { BARE, SV32, BITS_64, BITS_128, KINDS };

static uint8_t memory[KINDS][PAGES][LARGEST] __attribute__((aligned(LARGEST)));
static uint32_t expected[KINDS][PAGES];
static unsigned kinds, asid; // the format alone tells Sv32 from one of the others

static uint32_t address(enum kind kind, unsigned page)
{
    if (kind == BARE)
        return (uint32_t)memory[BARE][page];
    return BASE + page * (kind == SV32 ? PAGE : page_size());
}

static void make_tables(void)
{
    map_kernel(&root);
    for (unsigned n = 0; n < PAGES; n++) {
        *page_entry(&root, address(SV32, n)) = entry_for((uint32_t)memory[SV32][n], KERNEL_RW | G);
        for (enum kind kind = BITS_64; kind < kinds; kind++) {
            format = kind == BITS_64 ? &bits_64 : &bits_128;
            map_data(address(kind, n), (uint32_t)memory[kind][n], NON_GLOBAL);
        }
    }
}

// The other registers do not matter to Sv32.
static void choose(enum kind kind, int others_are_on)
{
    CSR_WRITE(satp, 0);
    write_pair(GRANULE_MMU_SCTLR_LO, kind >= BITS_64 || (kind == SV32 && others_are_on) ? ON : 0);
    if (kind == SV32)
        sv32_on(&root, asid);
    else if (kind != BARE)
        use_format(kind == BITS_64 ? &bits_64 : &bits_128, kind == BITS_64 ? 1 : asid);
}

static uint32_t increment(uint32_t va)
{
    return ++REG32(va);
}

static void increments(enum kind kind, unsigned page, int others_are_on)
{
    choose(kind, others_are_on);
    EXPECT(in_s(increment, address(kind, page)), ++expected[kind][page]);
}

int main(void)
{
    choose_format();
    kinds = format == &bits_128 ? BITS_128 + 1 : BITS_64 + 1;
    asid = format == &bits_128 ? 2 : 1;
    for (enum kind kind = BITS_64; kind < kinds; kind++) {
        format = kind == BITS_64 ? &bits_64 : &bits_128;
        mmu_on();
    }
    make_tables();
    for (unsigned n = 0; n < KINDS * PAGES; n++)
        expected[n / PAGES][n % PAGES] = REG32((uint32_t)memory[n / PAGES][n % PAGES]) = n << 16;
    uint32_t random = 0x1234567;
    for (unsigned i = 0; i < 400; i++) {
        random = random >> 1 ^ (-(random & 1) & 0xedb88320);
        increments(random % kinds, (random >> 8) % PAGES, random >> 16 & 1);
        if (i % 64 == 63) // what an invalidation of one takes away, comes back for each
            tlbi(i % 128 == 127 ? ALL : ASID, (uint64_t)asid << 48);
    }
    EXPECT(trap.count, 0);
    // To and fro: each finds what it had.
    uint32_t before = 0;
    for (unsigned i = 0; i < 5 * kinds; i++) {
        if (i == kinds)
            before = COUNTER(WALKS);
        increments(i % kinds, 0, i & 1);
    }
    EXPECT(COUNTER(WALKS), before);
    for (unsigned n = 0; n < KINDS * PAGES; n++)
        EXPECT(REG32((uint32_t)memory[n / PAGES][n % PAGES]), expected[n / PAGES][n % PAGES]);
    // A fence by address takes a global entry, and the others find their own.
    *page_entry(&root, BASE) = entry_for((uint32_t)memory[SV32][1], KERNEL_RW | G);
    fence_va(BASE);
    choose(SV32, 1);
    EXPECT(in_s(increment, BASE), ++expected[SV32][1]);
    for (enum kind kind = BITS_64; kind < kinds; kind++)
        increments(kind, 0, 1);
    choose(BITS_64, 1);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, 0x70000000), LOAD);
    increments(BARE, 0, 0);
    return failures;
}
