// Translation as software sees it, from S- and U-mode, with tables of the granule and the entries
// that the boot arguments name: translate, fault, permit, invalidate. With 128 bits (spec chapter
// 10) hardware's access flag and dirty state, wide addresses and levels that are skipped.
#include "d128.h"

#define BASE 0x10000000u
#define SUM  (1u << 18)

static uint8_t pages[4][LARGEST] __attribute__((aligned(LARGEST)));
static uint64_t large_root[4096] __attribute__((aligned(sizeof(uint64_t) * 4096)));
static uint64_t large_table[2 * 65536] __attribute__((aligned(1 << 20)));

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

// One of a mode that faults once, with this RISC-V cause and this Arm status.
static void faults(unsigned line, enum mode mode, uint32_t (*function)(uint32_t), uint32_t va,
                   uint32_t cause, uint32_t status)
{
    const uint32_t before = trap.count, fetch = cause == 12 || cause == 1;
    const int known = failures;
    const uint32_t got = in_mode(mode, function, va);
    if (function == load && !fetch)
        EXPECT(got, 0xdeadbeef);
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, cause);
    EXPECT(trap.value, va);
    EXPECT(MMU(ESR_LO) & 0x3f, status);
    EXPECT(MMU(ESR_LO) >> 26, (fetch ? 0x20 : 0x24) + (mode == SUPERVISOR));
    EXPECT(MMU(ESR_LO) >> 6 & 1, cause == 15 || cause == 7);
    EXPECT(MMU(FAR_LO), va);
    EXPECT(MMU(FAR_HI), (int32_t)va < 0 ? 0xffffffff : 0);
    if (failures != known)
        put_value("called in line", line);
}
#define FAULTS_IN(...)                        faults(__LINE__, __VA_ARGS__)
#define FAULTS(...)                           FAULTS_IN(SUPERVISOR, __VA_ARGS__)
#define FETCH_FAULTS(mode, va, cause, status) FAULTS_IN(mode, FUNCTION(va), va, cause, status)

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
        FETCH_FAULTS(SUPERVISOR, va, 1, 0x14 | level);
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

// ---- with entries of 64 bits ------------------------------------------------------------------

static void permissions_hold(void)
{
    const uint32_t size = page_size(), ro = BASE + 16 * size, user = ro + size, af = user + size;
    map(ro, (uint32_t)pages[2], KERNEL_DATA | READ_ONLY);
    map(user, (uint32_t)pages[2], USER_DATA);
    map(af, (uint32_t)pages[2], KERNEL_DATA & ~ACCESSED);
    for (int hot = 0; hot < 2; hot++) {
        WORKS(load, ro, REG32((uint32_t)pages[2]));
        FAULTS(store, ro, 15, 0x0f);
        CSR_CLEAR(mstatus, SUM);
        FAULTS(load, user, 13, 0x0f);
        CSR_SET(mstatus, SUM);
        WORKS(load, user, REG32((uint32_t)pages[2]));
        FAULTS(load, af, 13, 0x0b);
        // Kernel code is not for EL0.
        FETCH_FAULTS(USER, (uint32_t)load, 12, 0x0c | granule.start_level);
    }
    CSR_CLEAR(mstatus, SUM);
}

static void user_mode_has_its_own_view(void)
{
    static const uint32_t lw_and_ecall[] = {0x00052503, 0x00000073};
    const uint32_t size = page_size(), code = BASE + 32 * size, data = code + size;
    const uint32_t kernel = data + size;
    REG32((uint32_t)pages[3]) = lw_and_ecall[0];
    REG32((uint32_t)pages[3] + 4) = lw_and_ecall[1];
    fence_i();
    map(code, (uint32_t)pages[3], USER_CODE);
    map(data, (uint32_t)pages[2], USER_DATA);
    map(kernel, (uint32_t)pages[2], KERNEL_DATA);
    REG32((uint32_t)pages[2] + 8) = 0xcafe;
    const uint32_t before = trap.count;
    EXPECT(in_mode(USER, FUNCTION(code), data + 8), 0xcafe);
    EXPECT(trap.count, before);
    FAULTS_IN(USER, FUNCTION(code), kernel + 8, 13, 0x0f);
    FAULTS_IN(USER, FUNCTION(code), (uint32_t)pages[2], 13, 0x0c | granule.start_level);
    // UXN and PXN: data is not code for EL0, user code is not code for EL1.
    FETCH_FAULTS(USER, data, 12, 0x0f);
    FETCH_FAULTS(SUPERVISOR, code, 12, 0x0f);
}

// ---- with entries of 128 bits -----------------------------------------------------------------

#define EXPECT_ENTRY(entry, low_, high_)                   \
    do {                                                   \
        EXPECT((entry)[0], low_);                          \
        EXPECT((entry)[0] >> 32, (uint64_t)(low_) >> 32);  \
        EXPECT((entry)[1], high_);                         \
        EXPECT((entry)[1] >> 32, (uint64_t)(high_) >> 32); \
    } while (0)

// Rights come from the indirection registers alone.
static void rights_are_indirect(void)
{
    const uint32_t va = BASE + 16 * page_size();
    map_128(va, (uint32_t)pages[1], USER_READS);
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
    const uint32_t va = BASE + 24 * page_size();
    const uint64_t high = RIGHTS(KERNEL_READS_WRITES) | SOFTWARE_BITS, frame = (uint32_t)pages[1];
    const uint64_t none = frame | VALID | SHARED | NOT_DIRTY, old = none | ACCESSED;
    volatile uint64_t *entry = descriptor(va, 3);
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
    write_entry(entry - 2, none ^ VALID, ~high);
    write_entry(entry + 2, none ^ VALID, ~high);
    write_entry(entry, none, high);
    WORKS(store, va, 0);
    EXPECT_ENTRY(entry, old & ~NOT_DIRTY, high);
    EXPECT_ENTRY(entry - 2, none ^ VALID, ~high);
    EXPECT_ENTRY(entry + 2, none ^ VALID, ~high);
    // A store without rights changes nothing.
    tlbi(ALL, 0);
    write_entry(entry, none, RIGHTS(USER_RUNS) | SOFTWARE_BITS);
    FAULTS(store, va, 15, 0x0f);
    EXPECT_ENTRY(entry, none, RIGHTS(USER_RUNS) | SOFTWARE_BITS);
    set_tcr(0);
}

// The root's address has 56 bits too; there is no memory up there.
static void upper_bits_of_the_root_count(void)
{
    for (unsigned bit = 48; bit < 56; bit += 7) {
        write_pair(GRANULE_MMU_TTBR0_HIGH_LO, 1ull << (bit - 32));
        tlbi(ALL, 0);
        FAULTS(load, BASE, 5, 0x14 | granule.start_level);
        write_pair(GRANULE_MMU_TTBR0_HIGH_LO, 0);
        tlbi(ALL, 0);
        WORKS(load, BASE, REG32((uint32_t)pages[0]));
    }
}

// A first table that takes the place of two levels, and a table entry that skips one.
static void levels_are_skipped(void)
{
    if (granule.shift != 12)
        return; // such tables have 16 MiB and more
    const uint32_t va = 0x12345000;
    large_root[2 * (va >> 20)] = *descriptor(BASE, 2);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)large_root | 1 << 1 | 1ull << 48);
    tlbi(ALL, 0);
    REG32((uint32_t)pages[0]) = 0x5678;
    WORKS(load, (va & 0xfff00000) | (BASE & 0xfffff), 0x5678);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)format->user | 1ull << 48);
    volatile uint64_t *first = descriptor(0x60000000, 1);
    write_entry(first, (uint32_t)large_table | VALID, SKIP(1));
    write_entry(&large_table[2 * (va >> 12 & 0xffff)], (uint32_t)pages[3] | PAGE_LOW,
                RIGHTS(KERNEL_READS_WRITES));
    tlbi(ALL, 0);
    REG32((uint32_t)pages[3] + 8) = 0xabcd;
    WORKS(load, 0x60000000 | (va & 0x0fffffff) | 8, 0xabcd);
    FAULTS(load, 0x60000000 | ((va + 0x1000) & 0x0fffffff), 13, 0x07);
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
    if (format == &bits_64) {
        permissions_hold();
        user_mode_has_its_own_view();
    } else {
        rights_are_indirect();
        hardware_keeps_access_flag_and_dirty_state();
        upper_bits_of_the_root_count();
        levels_are_skipped();
    }
    return failures;
}
