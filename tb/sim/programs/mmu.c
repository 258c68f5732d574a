// Translation as software sees it from S-mode, with tables of the granule and the entries that the
// boot arguments name: translate, fault, invalidate.
#include "d128.h"

#define BASE 0x10000000u

static uint8_t pages[4][LARGEST] __attribute__((aligned(LARGEST)));

// An access of S-mode that gives `want`.
static void works(unsigned line, uint32_t (*function)(uint32_t), uint32_t va, uint32_t want)
{
    const uint32_t before = trap.count;
    const int known = failures;
    EXPECT(in_s(function, va), want);
    EXPECT(trap.count, before);
    if (failures != known)
        put_value("called in line", line);
}
#define WORKS(...) works(__LINE__, __VA_ARGS__)

// One that faults once, with this RISC-V cause and this Arm status.
static void faults(unsigned line, uint32_t (*function)(uint32_t), uint32_t va, uint32_t cause,
                   uint32_t status)
{
    const uint32_t before = trap.count, fetch = cause == 12 || cause == 1;
    const int known = failures;
    const uint32_t got = in_s(function, va);
    if (function == load && !fetch)
        EXPECT(got, 0xdeadbeef);
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, cause);
    EXPECT(trap.value, va);
    EXPECT(MMU(ESR_LO) & 0x3f, status);
    EXPECT(MMU(ESR_LO) >> 26, fetch ? 0x21 : 0x25);
    EXPECT(MMU(ESR_LO) >> 6 & 1, cause == 15 || cause == 7);
    EXPECT(MMU(FAR_LO), va);
    EXPECT(MMU(FAR_HI), (int32_t)va < 0 ? 0xffffffff : 0);
    if (failures != known)
        put_value("called in line", line);
}
#define FAULTS(...) faults(__LINE__, __VA_ARGS__)

static void translates(void)
{
    const uint32_t size = page_size();
    const uint64_t high = GRANULE_HIGHMEM_BASE + 16 * size;
    map_data(BASE, (uint32_t)pages[0], 0);
    map_data(BASE + size, high, 0);
    map_data(BASE + 2 * size, high, 0);
    for (uint32_t offset = 0; offset < size; offset += size / 4 - 4) {
        REG32((uint32_t)pages[0] + offset) = 0x1234 + offset;
        WORKS(load, BASE + offset, 0x1234 + offset);
        // Highmem has no address in M-mode: write by one mapping, read by the other.
        WORKS(store, BASE + size + offset, 0);
        WORKS(load, BASE + 2 * size + offset, BASE + size + offset);
        WORKS(store, BASE + 2 * size + offset, 0);
        WORKS(load, BASE + size + offset, BASE + 2 * size + offset);
    }
    // The kernel half is lowmem at its own address.
    WORKS(load, (uint32_t)pages[0], REG32((uint32_t)pages[0]));
}

// An entry that was invalid is never remembered: no TLBI between the fault and the retry.
static void faults_then_works(void)
{
    const uint32_t va = BASE + 8 * page_size();
    FAULTS(load, va, 13, 0x07);
    FAULTS(store, va, 15, 0x07);
    map_data(va, (uint32_t)pages[1], 0);
    REG32((uint32_t)pages[1]) = 0x5678;
    WORKS(load, va, 0x5678);
    // Above: the first table has no entry. The kernel half ends with its block.
    FAULTS(load, 0x70000000, 13, 0x04 | granule.start_level);
    FAULTS(store, 0x70000000, 15, 0x04 | granule.start_level);
    FAULTS(load, 0xfffffff0, 13, 0x04 | granule.start_level);
}

// After a TLBI nothing of what it covers is used again; before it, the TLB held the old page.
static void invalidates(void)
{
    const uint32_t size = page_size(), sfences = RANGE_ALL_ASIDS + 1;
    const uint64_t tg = granule.shift == 12 ? 1 : granule.shift == 14 ? 2 : 3;
    REG32((uint32_t)pages[0]) = 0xa;
    REG32((uint32_t)pages[2]) = 0xb;
    for (uint32_t kind = ALL; kind <= sfences; kind++) {
        const uint32_t va = BASE + (64 + 4 * kind) * size;
        // 4 pages from the one before, or 16 units of 64 KiB.
        const uint64_t range =
            format == &bits_128 ? va >> 16 | 15ull << 39 : ((va >> granule.shift) - 1) | 1ull << 39;
        const uint64_t asid = kind == ASID || kind == VA || kind == RANGE ? 1ull << 48 : 0;
        const uint64_t operand = kind == VA || kind == VA_ALL_ASIDS         ? va >> 12
                                 : kind == RANGE || kind == RANGE_ALL_ASIDS ? range | tg << 46
                                                                            : 0;
        const uint64_t more = kind == sfences ? 0 : NON_GLOBAL;
        map_data(va, (uint32_t)pages[0], more);
        WORKS(load, va, 0xa);
        map_data(va, (uint32_t)pages[2], more);
        WORKS(load, va, 0xa);
        if (kind == sfences) // takes everything
            sfence();
        else
            tlbi(kind, operand | asid);
        WORKS(load, va, 0xb);
        EXPECT(MMU(TLBI_CYCLES) > 0 && MMU(TLBI_CYCLES) < 64, 1);
    }
}

// Scenario g30: the walker sees a descriptor that is dirty in the data cache, and one that was
// written in the very instruction before; no cache maintenance anywhere.
static uint32_t remap_and_load(uint32_t va)
{
    volatile uint32_t *leaf = (volatile uint32_t *)map_data(va, (uint32_t)pages[0], 0);
    const uint32_t low = *leaf;
    uint32_t value;
    *leaf = 0;
    __asm__ volatile("sw %1, 0(%2)\n lw %0, 0(%3)\n"
                     : "=&r"(value)
                     : "r"(low), "r"(leaf), "r"(va)
                     : "memory");
    return value;
}

static void walks_see_fresh_descriptors(void)
{
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t va = BASE + (128 + i) * page_size();
        REG32((uint32_t)pages[0]) = i;
        descriptor(va, 3);
        WORKS(remap_and_load, va, i);
    }
}

// Scenario e25 and the contract on table pointers: outside the map, and inside it where no memory
// is. The last two need the 56 bits of 128-bit entries.
static void table_pointers_to_nowhere_fault(void)
{
    const uint64_t nowhere[] = {0x400000000, 0x20000000, 0xb0000000, 0x1f0000000,
                                0,           1ull << 48, 1ull << 55};
    const uint32_t va = 0x20000000;
    const unsigned level = granule.start_level + 1, wide = format == &bits_128;
    volatile uint64_t *entry = descriptor(va, granule.start_level);
    for (unsigned i = 0; i < (wide ? 7 : 5); i++) {
        if (wide)
            write_entry(entry, nowhere[i] | VALID, 0);
        else
            *entry = nowhere[i] | 2 | VALID;
        sfence();
        FAULTS(load, va, 5, 0x14 | level);
        FAULTS(store, va, 7, 0x14 | level);
        FAULTS(FUNCTION(va), va, 1, 0x14 | level);
    }
    // A page outside of memory: the walk is fine, the access is not.
    for (unsigned i = 2; i < (wide ? 7 : 3); i++) {
        *entry = 0;
        sfence(); // a table entry may be remembered
        map_data(va, nowhere[i], 0);
        FAULTS(load, va, 5, 0x10);
        FAULTS(store, va, 7, 0x10);
    }
}

int main(void)
{
    choose_format();
    mmu_on();
    translates();
    faults_then_works();
    invalidates();
    walks_see_fresh_descriptors();
    table_pointers_to_nowhere_fault();
    return failures;
}
