// What the tables say: pages, superpages, 34-bit addresses, and every entry that is no entry.
#include "sv32.h"

#define BASE 0x10000000u

static void pages_translate(void)
{
    for (unsigned i = 0; i < 4; i++) {
        map_page(BASE + i * PAGE, (uint32_t)&frames[3 - i], KERNEL_RW);
        for (unsigned j = 0; j < 1024; j += 341)
            frames[3 - i].entry[j] = i << 16 | j;
    }
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 1024; j += 341) {
            EXPECT(cause_of(SUPERVISOR, DO_LOAD, BASE + i * PAGE + 4 * j), NONE);
            EXPECT(loaded, i << 16 | j);
        }
        EXPECT(cause_of(SUPERVISOR, DO_STORE, BASE + i * PAGE + 8), NONE);
        EXPECT(frames[3 - i].entry[2], 0x5a5a0008);
    }
    // The last page of the space, and the first.
    map_page(0xfffff000, (uint32_t)&frames[0], KERNEL_RW);
    map_page(0, (uint32_t)&frames[1], KERNEL_RW);
    frames[0].entry[1023] = 0x1111;
    frames[1].entry[0] = 0x2222;
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, 0xfffffffc), NONE);
    EXPECT(loaded, 0x1111);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, 0), NONE);
    EXPECT(loaded, 0x2222);
}

// Code runs at another address than it sits, and M-mode knows nothing of all this.
static void code_translates(void)
{
    write_code(&frames[2], SUPERVISOR);
    map_page(BASE + 8 * PAGE, (uint32_t)&frames[2], V | X | A);
    EXPECT(cause_of(SUPERVISOR, DO_FETCH, BASE + 8 * PAGE + 0x40), NONE);
    write_code(&frames[3], USER);
    map_page(BASE + 9 * PAGE, (uint32_t)&frames[3], V | X | U | A);
    EXPECT(cause_of(USER, DO_FETCH, BASE + 9 * PAGE + 0xffc), NONE);
    // An unmapped fetch: xepc and xtval are the address.
    EXPECT(cause_of(USER, DO_FETCH, BASE + 10 * PAGE), FETCH);
    EXPECT(trap.pc, BASE + 10 * PAGE);
    EXPECT_STATUS(0x07, BASE + 10 * PAGE);
    EXPECT(cause_of(MACHINE, DO_LOAD, (uint32_t)&frames[2]), NONE);
    EXPECT(loaded, 0x00008067);
}

static void superpages_translate(void)
{
    const uint32_t va = 0x20000000, base = GRANULE_LOWMEM_BASE;
    *superpage_entry(&root, va) = entry_for(base, KERNEL_RW);
    frames[0].entry[5] = 0xabcd;
    const uint32_t place = (uint32_t)&frames[0].entry[5];
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, place - base + va), NONE);
    EXPECT(loaded, 0xabcd);
    EXPECT(cause_of(SUPERVISOR, DO_STORE, place - base + va), NONE);
    EXPECT(frames[0].entry[5] >> 16, 0x5a5a);
    // One whose frame is not a multiple of its size.
    for (unsigned bit = 12; bit < 22; bit += 3) {
        const uint32_t bad = 0x20400000 + (bit << 22);
        *superpage_entry(&root, bad) = entry_for(base | 1u << bit, V | R | W | X | U | A | D);
        EXPECT(cause_of(SUPERVISOR, DO_LOAD, bad), LOAD);
        EXPECT_STATUS(0x06, bad);
        EXPECT(cause_of(SUPERVISOR, DO_AMO, bad + 4), STORE);
        EXPECT(cause_of(USER, DO_FETCH, bad + 8), FETCH);
    }
}

static uint32_t stored;
static uint32_t store(uint32_t va)
{
    REG32(va) = stored;
    return 0;
}

static void store_in_s(uint32_t va, uint32_t value)
{
    stored = value;
    run_in(SUPERVISOR, store, va, stack_of_s + sizeof stack_of_s);
}

// Physical addresses have 34 bits: memory that no pointer reaches.
static void high_memory_is_reachable(void)
{
    const uint64_t high = GRANULE_HIGHMEM_BASE + 5 * PAGE;
    const uint32_t a = BASE + 16 * PAGE, b = a + PAGE;
    map_page(a, high, KERNEL_RW);
    map_page(b, high, KERNEL_RW);
    EXPECT(cause_of(SUPERVISOR, DO_STORE, a + 0x10), NONE);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, b + 0x10), NONE);
    EXPECT(loaded, 0x5a5a0010);
    *superpage_entry(&root, 0x30000000) = entry_for(GRANULE_HIGHMEM_BASE, KERNEL_RW);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, 0x30000000 + 5 * PAGE + 0x10), NONE);
    EXPECT(loaded, 0x5a5a0010);
}

// Tables too. M-mode cannot write there, S-mode can by a mapping of its own.
static void high_tables_are_walked(void)
{
    const uint64_t high_root = GRANULE_HIGHMEM_BASE + 16 * PAGE, high_leaves = high_root + PAGE;
    const uint32_t window = BASE + 48 * PAGE, va = 0x40345000;
    map_page(window, high_root, KERNEL_RW);
    map_page(window + PAGE, high_leaves, KERNEL_RW);
    frames[2].entry[9] = 0x9999;
    store_in_s(window + 4 * (va >> 22), entry_for(high_leaves, V));
    store_in_s(window + PAGE + 4 * (va >> 12 & 1023), entry_for((uint32_t)&frames[2], KERNEL_RW));
    CSR_WRITE(satp, SATP_SV32 | (uint32_t)(high_root >> 12));
    fence_all();
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va + 36), NONE);
    EXPECT(loaded, 0x9999);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va + PAGE), LOAD);
    EXPECT_STATUS(0x07, va + PAGE);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va + SUPERPAGE), LOAD);
    EXPECT_STATUS(0x06, va + SUPERPAGE);
    sv32_on(&root, 0);
    fence_all();
}

static void expect_no_page(uint32_t va, unsigned status)
{
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va), LOAD);
    EXPECT_STATUS(status, va);
    EXPECT(cause_of(SUPERVISOR, DO_LR, va), LOAD);
    EXPECT(cause_of(SUPERVISOR, DO_STORE, va + 4), STORE);
    EXPECT_STATUS(status, va + 4);
    EXPECT(cause_of(SUPERVISOR, DO_AMO, va + 8), STORE);
    EXPECT_STATUS(status, va + 8);
    EXPECT(cause_of(SUPERVISOR, DO_SC, va + 8), STORE);
    EXPECT(cause_of(SUPERVISOR, DO_FETCH, va + 12), FETCH);
    EXPECT_STATUS(status, va + 12);
}

static void other_entries_are_page_faults(void)
{
    const uint32_t frame = (uint32_t)&frames[0], va = BASE + 32 * PAGE;
    volatile uint32_t *leaf = map_page(va, frame, 0);
    // Not valid, whatever else; W without R; a pointer where only leaves may be. No fence between:
    // nothing of them is remembered.
    const unsigned bad[] = {0, R | W | X | A | D, V | W | A | D, V | W | X | A | D, V};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        *leaf = entry_for(frame, bad[i]);
        expect_no_page(va, 0x07);
    }
    *leaf = entry_for(frame, KERNEL_RW);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va), NONE);
    // The same at the root.
    expect_no_page(0x70000000, 0x06);
    *superpage_entry(&root, 0x70000000) = entry_for(GRANULE_LOWMEM_BASE, V | W | A | D);
    expect_no_page(0x70000000, 0x06);
    // The two bits for software mean nothing.
    *superpage_entry(&root, 0x70000000) = entry_for(GRANULE_LOWMEM_BASE, KERNEL_RW | 0x300);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, 0x70000000), NONE);
}

// Tables and pages where no memory is.
static void memory_that_is_not_there_is_an_access_fault(void)
{
    const uint64_t nowhere[] = {0x20000000, 0xb0000000, 0x1f0000000, 0x3fffff000};
    const uint32_t va = 0x40000000;
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        *superpage_entry(&root, va) = entry_for(nowhere[i], V);
        fence_all();
        EXPECT(cause_of(SUPERVISOR, DO_LOAD, va), LOAD_ACCESS);
        EXPECT_STATUS(0x17, va);
        EXPECT(cause_of(SUPERVISOR, DO_STORE, va), STORE_ACCESS);
        EXPECT(cause_of(SUPERVISOR, DO_AMO, va), STORE_ACCESS);
        EXPECT(cause_of(SUPERVISOR, DO_FETCH, va), FETCH_ACCESS);
        EXPECT_STATUS(0x17, va);
        const uint32_t page = va + 0x400000;
        *page_entry(&root, page) = entry_for(nowhere[i], V | R | W | X | A | D);
        fence_all();
        EXPECT(cause_of(SUPERVISOR, DO_LOAD, page), LOAD_ACCESS);
        EXPECT_STATUS(0x10, page);
        EXPECT(cause_of(SUPERVISOR, DO_STORE, page), STORE_ACCESS);
        EXPECT(cause_of(SUPERVISOR, DO_FETCH, page), FETCH_ACCESS);
    }
    // The root itself. A write of satp alone takes no entry away.
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, (uint32_t)&root), NONE);
    CSR_WRITE(satp, SATP_SV32 | 0x3fffff);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, (uint32_t)&root), NONE);
    fence_all();
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, (uint32_t)&root), LOAD_ACCESS);
    EXPECT_STATUS(0x16, (uint32_t)&root);
    EXPECT(cause_of(USER, DO_FETCH, va), FETCH_ACCESS);
    sv32_on(&root, 0);
}

int main(void)
{
    map_kernel(&root);
    sv32_on(&root, 0);
    fence_all();
    pages_translate();
    code_translates();
    superpages_translate();
    high_memory_is_reachable();
    high_tables_are_walked();
    other_entries_are_page_faults();
    memory_that_is_not_there_is_an_access_fault();
    return failures;
}
