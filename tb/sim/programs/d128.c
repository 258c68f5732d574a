// The 128-bit entry format as software sees it (spec chapter 10), with tables of the granule that
// the boot arguments name: registers, walks, hardware's access flag and dirty state, invalidation.
#include "access.h"
#include "d128_tables.h"

int failures;

#define SUM  (1u << 18)
#define BASE 0x10000000u

static struct entry large_root[2048] __attribute__((aligned(sizeof(struct entry) * 2048)));
static struct entry large_table[65536] __attribute__((aligned(1 << 20)));
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint8_t pages[4][LARGEST] __attribute__((aligned(LARGEST)));

static uint32_t in_s(uint32_t (*function)(uint32_t), uint32_t va)
{
    return run_in(SUPERVISOR, function, va, stack + sizeof stack);
}

// An access that works.
#define WORKS(function, va, want)            \
    do {                                     \
        const uint32_t before_ = trap.count; \
        EXPECT(in_s(function, va), want);    \
        EXPECT(trap.count, before_);         \
    } while (0)

// One that faults, with this RISC-V cause and this Arm status.
#define FAULTS(function, va, want, status)   \
    do {                                     \
        const uint32_t before_ = trap.count; \
        in_s(function, va);                  \
        EXPECT(trap.count, before_ + 1);     \
        EXPECT(trap.cause, want);            \
        EXPECT(trap.value, va);              \
        EXPECT(MMU(ESR_LO) & 0x3f, status);  \
        EXPECT(MMU(FAR_LO), va);             \
    } while (0)

#define EXPECT_ENTRY(entry, low_, high_)                      \
    do {                                                      \
        EXPECT((entry)->low, low_);                           \
        EXPECT((entry)->low >> 32, (uint64_t)(low_) >> 32);   \
        EXPECT((entry)->high, high_);                         \
        EXPECT((entry)->high >> 32, (uint64_t)(high_) >> 32); \
    } while (0)

static void translates(void)
{
    const uint32_t size = page_size();
    const uint64_t high = GRANULE_HIGHMEM_BASE + 16 * size;
    map_page(BASE, (uint32_t)pages[0], KERNEL_READS_WRITES);
    map_page(BASE + size, high, KERNEL_READS_WRITES);
    map_page(BASE + 2 * size, high, KERNEL_READS_WRITES);
    for (uint32_t offset = 0; offset < size; offset += size / 4 - 4) {
        REG32((uint32_t)pages[0] + offset) = 0x1234 + offset;
        WORKS(load, BASE + offset, 0x1234 + offset);
        WORKS(store, BASE + size + offset, 0);
        WORKS(load, BASE + 2 * size + offset, BASE + size + offset);
    }
    WORKS(load, (uint32_t)pages[0], REG32((uint32_t)pages[0])); // the kernel's block
    // Nothing there: in the last table, in the first, and behind the kernel's block.
    FAULTS(load, BASE + 8 * size, 13, 0x07);
    FAULTS(store, 0x70000000, 15, 0x04 | granule.start_level);
    FAULTS(load, 0xfffffff0, 13, 0x04 | granule.start_level);
}

// Rights come from the indirection registers alone.
static void rights_are_indirect(void)
{
    const uint32_t va = BASE + 16 * page_size();
    map_page(va, (uint32_t)pages[1], USER_READS);
    REG32((uint32_t)pages[1]) = 0x77;
    FAULTS(load, va, 13, 0x0f);
    CSR_SET(mstatus, SUM);
    WORKS(load, va, 0x77);
    FAULTS(store, va, 15, 0x0f);
    CSR_CLEAR(mstatus, SUM);
    write_pair(GRANULE_MMU_PIR_LO, PIR | 5ull << 4 * USER_READS); // reads, and now writes
    write_pair(GRANULE_MMU_PIRE0_LO, PIRE0 & ~(15ull << 4 * USER_READS));
    tlbi(ALL, 0);
    WORKS(store, va, 0);
    WORKS(load, va, va);
    write_pair(GRANULE_MMU_PIR_LO, PIR);
    write_pair(GRANULE_MMU_PIRE0_LO, PIRE0);
    tlbi(ALL, 0);
}

// Hardware writes the entry by a compare-and-swap of 16 bytes: only the two bits may change, and
// not before they must.
static void hardware_keeps_access_flag_and_dirty_state(void)
{
    const uint32_t size = page_size(), va = BASE + 24 * size;
    const uint64_t high = RIGHTS(KERNEL_READS_WRITES) | SOFTWARE, frame = (uint32_t)pages[1];
    const uint64_t none = frame | VALID | SHARED | NOT_DIRTY, old = none | ACCESSED;
    volatile struct entry *entry = entry_of(va, 3);
    // Software's work without HA, and the dirty state without HD.
    write_entry(entry, none, high);
    FAULTS(load, va, 13, 0x0b);
    write_entry(entry, old, high);
    FAULTS(store, va, 15, 0x0f);
    EXPECT_ENTRY(entry, old, high);
    set_tcr(HA);
    write_entry(entry, none, high);
    REG32((uint32_t)pages[1]) = 0x99;
    WORKS(load, va, 0x99);
    EXPECT_ENTRY(entry, old, high);
    FAULTS(store, va, 15, 0x0f);
    EXPECT_ENTRY(entry, old, high);
    // With both. The TLB has the clean entry: the store walks again.
    set_tcr(HA | HD);
    WORKS(load, va, 0x99);
    EXPECT_ENTRY(entry, old, high);
    WORKS(store, va, 0);
    EXPECT_ENTRY(entry, old & ~NOT_DIRTY, high);
    EXPECT(REG32((uint32_t)pages[1]), va);
    // Both bits at once; every other bit of the entries beside it stays.
    tlbi(ALL, 0);
    write_entry(entry - 1, none ^ VALID, ~high);
    write_entry(entry + 1, none ^ VALID, ~high);
    write_entry(entry, none, high);
    WORKS(store, va, 0);
    EXPECT_ENTRY(entry, old & ~NOT_DIRTY, high);
    EXPECT_ENTRY(entry - 1, none ^ VALID, ~high);
    EXPECT_ENTRY(entry + 1, none ^ VALID, ~high);
    // A store without rights changes nothing.
    tlbi(ALL, 0);
    write_entry(entry, none, RIGHTS(USER_RUNS) | SOFTWARE);
    FAULTS(store, va, 15, 0x0f);
    EXPECT_ENTRY(entry, none, RIGHTS(USER_RUNS) | SOFTWARE);
    set_tcr(0);
}

// After a TLBI nothing of what it covers is used again; before it, the TLB held the old page.
static void invalidates(void)
{
    const uint32_t size = page_size();
    const uint64_t tg = granule.shift == 12 ? 1 : granule.shift == 14 ? 2 : 3;
    const uint64_t asid = 1ull << 48;
    REG32((uint32_t)pages[0]) = 0xa;
    REG32((uint32_t)pages[2]) = 0xb;
    for (enum tlbi kind = ALL; kind <= RANGE_ALL_ASIDS; kind++) {
        const uint32_t va = BASE + (64 + 4 * kind) * size;
        volatile struct entry *entry = map_page(va, (uint32_t)pages[0], KERNEL_READS_WRITES);
        entry->low |= NON_GLOBAL;
        WORKS(load, va, 0xa);
        entry->low = (uint32_t)pages[2] | PAGE_LOW | NON_GLOBAL;
        WORKS(load, va, 0xa);
        // A range with 128-bit descriptors counts in units of 64 KiB.
        if (kind == VA || kind == VA_ALL_ASIDS)
            tlbi(kind, va >> 12 | (kind == VA ? asid : 0));
        else if (kind == RANGE || kind == RANGE_ALL_ASIDS)
            tlbi(kind, va >> 16 | 15ull << 39 | tg << 46 | (kind == RANGE ? asid : 0));
        else
            tlbi(kind, kind == ASID ? asid : 0);
        WORKS(load, va, 0xb);
    }
}

// Scenario g30: both halves of an entry are dirty in the cache, one written in the very
// instruction before the walk.
static uint32_t remap_and_load(uint32_t va)
{
    volatile struct entry *entry = entry_of(va, 3);
    const uint64_t high = RIGHTS(KERNEL_READS_WRITES);
    entry->high = high;
    uint32_t value;
    __asm__ volatile("sw %1, 0(%2)\n lw %0, 0(%3)\n"
                     : "=&r"(value)
                     : "r"((uint32_t)pages[0] | (uint32_t)PAGE_LOW), "r"(entry), "r"(va)
                     : "memory");
    return value;
}

static void walks_see_fresh_entries(void)
{
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t va = BASE + (128 + i) * page_size();
        REG32((uint32_t)pages[0]) = i;
        entry_of(va, 3);
        WORKS(remap_and_load, va, i);
    }
}

// Addresses have 56 bits, in the registers and in all entries; there is no memory up there.
static void upper_address_bits_count(void)
{
    const uint32_t va = 0x20000000;
    const unsigned level = granule.start_level;
    for (unsigned bit = 48; bit < 56; bit += 7) {
        const uint64_t far = 1ull << bit;
        write_pair(GRANULE_MMU_TTBR0_HIGH_LO, 1ull << (bit - 32));
        tlbi(ALL, 0);
        FAULTS(load, BASE, 5, 0x14 | level);
        write_pair(GRANULE_MMU_TTBR0_HIGH_LO, 0);
        tlbi(ALL, 0);
        WORKS(load, BASE, REG32((uint32_t)pages[0]));
        volatile struct entry *entry = entry_of(va, level);
        write_entry(entry, far | (uint32_t)pages[0] | VALID, 0);
        FAULTS(load, va, 5, 0x15 + level);
        write_entry(entry, 0, 0);
        tlbi(ALL, 0);
        map_page(va, far | (uint32_t)pages[0], KERNEL_READS_WRITES);
        FAULTS(load, va, 5, 0x10);
        write_entry(entry, 0, 0);
        tlbi(ALL, 0);
    }
}

// A first table that takes the place of two levels, and a table entry that skips one.
static void levels_are_skipped(void)
{
    if (granule.shift != 12)
        return; // such tables have 16 MiB and more
    const uint32_t va = 0x12345000;
    large_root[va >> 20] = (struct entry){entry_of(BASE, 2)->low, 0};
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)large_root | 1 << 1 | 1ull << 48);
    tlbi(ALL, 0);
    REG32((uint32_t)pages[0]) = 0x5678;
    WORKS(load, (va & 0xfff00000) | (BASE & 0xfffff), 0x5678);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)user_root | 1ull << 48);
    volatile struct entry *first = entry_of(0x60000000, 1);
    write_entry(first, (uint32_t)large_table | VALID, SKIP(1));
    write_entry(&large_table[va >> 12 & 0xffff], (uint32_t)pages[3] | PAGE_LOW,
                RIGHTS(KERNEL_READS_WRITES));
    tlbi(ALL, 0);
    REG32((uint32_t)pages[3] + 8) = 0xabcd;
    WORKS(load, 0x60000000 | (va & 0x0fffffff) | 8, 0xabcd);
    FAULTS(load, 0x60000000 | ((va + 0x1000) & 0x0fffffff), 13, 0x07);
    write_entry(first, 0, 0);
    tlbi(ALL, 0);
}

int main(void)
{
    choose_granule();
    d128_on();
    translates();
    rights_are_indirect();
    hardware_keeps_access_flag_and_dirty_state();
    invalidates();
    walks_see_fresh_entries();
    upper_address_bits_count();
    levels_are_skipped();
    return failures;
}
