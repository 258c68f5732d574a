#include "tables.h"

#define LARGEST 65536

struct granule granule;
// The first tables take 2 to 64 entries here, later ones a whole granule.
uint64_t user_table[64] __attribute__((aligned(1024)));
uint64_t kernel_table[64] __attribute__((aligned(1024)));
static uint8_t pool[12 * LARGEST] __attribute__((aligned(LARGEST)));
static uint32_t pool_used;

void choose_granule(void)
{
    switch (boot_command_line[0]) {
    case '4':
        granule = (struct granule){12, 9, 1, 2u << 30 | 0 << 14};
        break;
    case '1':
        granule = (struct granule){14, 11, 2, 1u << 30 | 2 << 14};
        break;
    default:
        granule = (struct granule){16, 13, 2, 3u << 30 | 1 << 14};
    }
}

void write_pair(uint32_t offset, uint64_t value)
{
    REG32(GRANULE_MMU_BASE + offset) = value;
    REG32(GRANULE_MMU_BASE + offset + 4) = value >> 32;
}

void mmu_on(void)
{
    const uint32_t walks = 0x3500; // write-back, inner shareable
    const uint64_t ips = 1, as = 1;
    kernel_table[0] = GRANULE_LOWMEM_BASE | KERNEL_CODE | 1;
    write_pair(GRANULE_MMU_MAIR_LO, 0x4400ff); // 0 write-back, 1 device, 2 uncached
    write_pair(GRANULE_MMU_TCR_LO,
               granule.tcr_tg | 33 << 16 | 33 | walks | walks << 16 | ips << 32 | as << 36);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)user_table | 1ull << 48);
    write_pair(GRANULE_MMU_TTBR1_LO, (uint32_t)kernel_table);
    write_pair(GRANULE_MMU_SCTLR_LO, 1 | 1 << 2 | 1 << 12);
    tlbi(ALL, 0);
}

static uint32_t new_table(void)
{
    const uint32_t table = (uint32_t)pool + pool_used;
    pool_used += page_size();
    return table;
}

volatile uint64_t *descriptor(uint32_t va, unsigned level)
{
    volatile uint64_t *table = user_table;
    for (unsigned l = granule.start_level;; l++) {
        const unsigned lsb = granule.shift + (3 - l) * granule.index_bits;
        const uint32_t index = l == granule.start_level
                                   ? (va & 0x7fffffff) >> lsb
                                   : va >> lsb & ((1u << granule.index_bits) - 1);
        if (l == level)
            return &table[index];
        if (!(table[index] & 1))
            table[index] = new_table() | 3;
        table = (volatile uint64_t *)((uint32_t)table[index] & ~(page_size() - 1));
    }
}

volatile uint64_t *map(uint32_t va, uint64_t pa, uint64_t flags)
{
    volatile uint64_t *leaf = descriptor(va, 3);
    *leaf = pa | flags | 3;
    return leaf;
}

void tlbi(enum tlbi kind, uint64_t operand)
{
    write_pair(GRANULE_MMU_TLBI_OPERAND_LO, operand);
    MMU(TLBI_COMMAND) = kind;
}

void tlbi_va(uint32_t va, uint16_t asid)
{
    tlbi(VA, va >> 12 | (uint64_t)asid << 48);
}
