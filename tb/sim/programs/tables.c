#include "d128.h"

struct granule granule;
uint64_t user_table[512] __attribute__((aligned(4096)));
uint64_t kernel_table[512] __attribute__((aligned(4096)));
static uint64_t user_128[512] __attribute__((aligned(4096)));
static uint64_t kernel_128[512] __attribute__((aligned(4096)));
const struct format bits_64 = {1, user_table, kernel_table};
const struct format bits_128 = {2, user_128, kernel_128};
const struct format *format = &bits_64;
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

void choose_format(void)
{
    choose_granule();
    for (const char *c = boot_command_line; *c; c++)
        if (*c == 'd')
            format = &bits_128;
}

void write_pair(uint32_t offset, uint64_t value)
{
    REG32(GRANULE_MMU_BASE + offset) = value;
    REG32(GRANULE_MMU_BASE + offset + 4) = value >> 32;
}

void use_format(const struct format *other, uint64_t asid)
{
    format = other;
    write_pair(GRANULE_MMU_TCR2_LO, other == &bits_128 ? 1 << 5 : 0);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)other->user | asid << 48);
    write_pair(GRANULE_MMU_TTBR1_LO, (uint32_t)other->kernel);
}

void set_tcr(uint64_t more)
{
    const uint32_t walks = 0x3500; // write-back, inner shareable
    const uint64_t ips = format == &bits_128 ? 7 : 1, as = 1;
    write_pair(GRANULE_MMU_TCR_LO,
               granule.tcr_tg | 33 << 16 | 33 | walks | walks << 16 | ips << 32 | as << 36 | more);
    tlbi(ALL, 0);
}

void mmu_on(void)
{
    write_pair(GRANULE_MMU_MAIR_LO, 0x4400ff); // 0 write-back, 1 device, 2 uncached
    use_format(format, 1);
    if (format == &bits_128) {
        const unsigned skip = 3 - granule.start_level;
        write_entry(format->kernel, GRANULE_LOWMEM_BASE | PAGE_LOW,
                    SKIP(skip) | RIGHTS(KERNEL_ALL));
        write_pair(GRANULE_MMU_TTBR0_HIGH_LO, 0);
        write_pair(GRANULE_MMU_TTBR1_HIGH_LO, 0);
        write_pair(GRANULE_MMU_PIR_LO, PIR);
        write_pair(GRANULE_MMU_PIRE0_LO, PIRE0);
        EXPECT(MMU(TCR2_LO), 1 << 5);
    } else {
        *format->kernel = GRANULE_LOWMEM_BASE | KERNEL_CODE | VALID;
    }
    set_tcr(0);
    write_pair(GRANULE_MMU_SCTLR_LO, 1 | 1 << 2 | 1 << 12);
    tlbi(ALL, 0);
}

void write_entry(volatile uint64_t *entry, uint64_t low, uint64_t high)
{
    entry[0] = 0;
    entry[1] = high;
    entry[0] = low;
}

static void new_table(volatile uint64_t *entry)
{
    const uint32_t table = (uint32_t)pool + pool_used;
    if (format == &bits_128)
        write_entry(entry, table | VALID, SOFTWARE_BITS);
    else
        *entry = table | 2 | VALID;
    pool_used += page_size();
}

volatile uint64_t *descriptor(uint32_t va, unsigned level)
{
    const unsigned index_bits = granule.index_bits + 1 - format->words;
    volatile uint64_t *table = format->user;
    for (unsigned l = granule.start_level;; l++) {
        uint32_t index = (va & 0x7fffffff) >> (granule.shift + (3 - l) * index_bits);
        if (l != granule.start_level)
            index &= (1u << index_bits) - 1;
        volatile uint64_t *entry = &table[format->words * index];
        if (l == level)
            return entry;
        if (!(*entry & VALID))
            new_table(entry);
        table = (volatile uint64_t *)((uint32_t)*entry & -page_size());
    }
}

volatile uint64_t *map(uint32_t va, uint64_t pa, uint64_t flags)
{
    volatile uint64_t *leaf = descriptor(va, 3);
    *leaf = pa | flags | 2 | VALID;
    return leaf;
}

volatile uint64_t *map_128(uint32_t va, uint64_t pa, unsigned rights)
{
    volatile uint64_t *leaf = descriptor(va, 3);
    write_entry(leaf, pa | PAGE_LOW, RIGHTS(rights));
    return leaf;
}

volatile uint64_t *map_data(uint32_t va, uint64_t pa, uint64_t more)
{
    return format == &bits_128 ? map_128(va, pa | more, KERNEL_READS_WRITES)
                               : map(va, pa, KERNEL_DATA | more);
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
