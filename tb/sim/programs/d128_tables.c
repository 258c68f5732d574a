#include "d128_tables.h"

struct entry user_root[256] __attribute__((aligned(4096)));
struct entry kernel_root[256] __attribute__((aligned(4096)));
static uint8_t pool[8 * LARGEST] __attribute__((aligned(LARGEST)));
static uint32_t pool_used;
static uint64_t tcr;

static unsigned lsb(unsigned level)
{
    return granule.shift + (3 - level) * (granule.shift - 4);
}

void write_entry(volatile struct entry *entry, uint64_t low, uint64_t high)
{
    entry->low = 0; // never a half of each
    entry->high = high;
    entry->low = low;
}

volatile struct entry *entry_of(uint32_t va, unsigned level)
{
    volatile struct entry *table = user_root;
    for (unsigned l = granule.start_level;; l++) {
        const uint32_t index = (va & 0x7fffffff) >> lsb(l);
        volatile struct entry *entry =
            &table[l == granule.start_level ? index : index & ((1u << (granule.shift - 4)) - 1)];
        if (l == level)
            return entry;
        if (!(entry->low & VALID)) {
            write_entry(entry, ((uint32_t)pool + pool_used) | VALID, SOFTWARE);
            pool_used += page_size();
        }
        table = (volatile struct entry *)((uint32_t)entry->low & ~(page_size() - 1));
    }
}

volatile struct entry *map_page(uint32_t va, uint64_t pa, unsigned rights)
{
    volatile struct entry *entry = entry_of(va, 3);
    write_entry(entry, pa | PAGE_LOW, RIGHTS(rights));
    return entry;
}

void set_tcr(uint64_t more)
{
    write_pair(GRANULE_MMU_TCR_LO, tcr | more);
    tlbi(ALL, 0);
}

void d128_on(void)
{
    const uint32_t walks = 0x3500; // write-back, inner shareable
    const uint64_t ips = 7, as = 1;
    const unsigned skip = 3 - granule.start_level;
    write_entry(kernel_root, GRANULE_LOWMEM_BASE | PAGE_LOW, SKIP(skip) | RIGHTS(KERNEL_ALL));
    tcr = granule.tcr_tg | 33 << 16 | 33 | walks | walks << 16 | ips << 32 | as << 36;
    write_pair(GRANULE_MMU_MAIR_LO, 0x4400ff);
    write_pair(GRANULE_MMU_TTBR0_HIGH_LO, 0);
    write_pair(GRANULE_MMU_TTBR1_HIGH_LO, 0);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)user_root | 1ull << 48);
    write_pair(GRANULE_MMU_TTBR1_LO, (uint32_t)kernel_root);
    write_pair(GRANULE_MMU_PIR_LO, PIR);
    write_pair(GRANULE_MMU_PIRE0_LO, PIRE0);
    write_pair(GRANULE_MMU_TCR2_LO, 1 << 5);
    EXPECT(MMU(TCR2_LO), 1 << 5);
    set_tcr(0);
    write_pair(GRANULE_MMU_SCTLR_LO, 1 | 1 << 2 | 1 << 12);
}
