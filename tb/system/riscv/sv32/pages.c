// What the tables say: pages, superpages, 34-bit addresses, and memory that is not there.
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
        for (unsigned j = 0; j < 1024; j += 341)
            EXPECT_LOAD(BASE + i * PAGE + 4 * j, i << 16 | j);
        EXPECT(cause_of(SUPERVISOR, DO_STORE, BASE + i * PAGE + 8), NONE);
        EXPECT(frames[3 - i].entry[2], 0x5a5a0008);
    }
    // The last page of the space, and the first.
    map_page(0xfffff000, (uint32_t)&frames[0], KERNEL_RW);
    map_page(0, (uint32_t)&frames[1], KERNEL_RW);
    frames[0].entry[1023] = 0x1111;
    frames[1].entry[0] = 0x2222;
    EXPECT_LOAD(0xfffffffc, 0x1111);
    EXPECT_LOAD(0, 0x2222);
}

// Code runs at another address than it sits, and M-mode knows nothing of all this.
static void code_translates(void)
{
    write_code(&frames[2]);
    map_page(BASE + 8 * PAGE, (uint32_t)&frames[2], V | X | A);
    EXPECT(cause_of(SUPERVISOR, DO_FETCH, BASE + 8 * PAGE + 0x40), NONE);
    write_code(&frames[3]);
    map_page(BASE + 9 * PAGE, (uint32_t)&frames[3], V | X | U | A);
    EXPECT(cause_of(USER, DO_FETCH, BASE + 9 * PAGE + 0xffc), NONE);
    // An unmapped fetch: xepc and xtval are the address.
    EXPECT_FAULT(USER, DO_FETCH, BASE + 10 * PAGE, FETCH, 0x07);
    EXPECT(trap.pc, BASE + 10 * PAGE);
    EXPECT(cause_of(MACHINE, DO_LOAD, (uint32_t)&frames[2]), NONE);
    EXPECT(loaded, 0x00000073);
}

static void superpages_translate(void)
{
    const uint32_t va = 0x20000000, base = GRANULE_LOWMEM_BASE;
    *superpage_entry(&root, va) = entry_for(base, KERNEL_RW);
    frames[0].entry[5] = 0xabcd;
    const uint32_t place = (uint32_t)&frames[0].entry[5];
    EXPECT_LOAD(place - base + va, 0xabcd);
    EXPECT(cause_of(SUPERVISOR, DO_STORE, place - base + va), NONE);
    EXPECT(frames[0].entry[5] >> 16, 0x5a5a);
    // One whose frame is not a multiple of its size.
    for (unsigned bit = 12; bit < 22; bit += 3) {
        const uint32_t bad = 0x20400000 + (bit << 22);
        *superpage_entry(&root, bad) = entry_for(base | 1u << bit, V | R | W | X | U | A | D);
        EXPECT_FAULT(SUPERVISOR, DO_LOAD, bad, LOAD, 0x06);
        EXPECT(cause_of(SUPERVISOR, DO_AMO, bad + 4), STORE);
        EXPECT(cause_of(USER, DO_FETCH, bad + 8), FETCH);
    }
}

// Physical addresses have 34 bits: memory that no pointer reaches.
static void high_memory_is_reachable(void)
{
    const uint64_t high = GRANULE_HIGHMEM_BASE + 5 * PAGE;
    const uint32_t a = BASE + 16 * PAGE, b = a + PAGE;
    map_page(a, high, KERNEL_RW);
    map_page(b, high, KERNEL_RW);
    EXPECT(cause_of(SUPERVISOR, DO_STORE, a + 0x10), NONE);
    EXPECT_LOAD(b + 0x10, 0x5a5a0010);
    *superpage_entry(&root, 0x30000000) = entry_for(GRANULE_HIGHMEM_BASE, KERNEL_RW);
    EXPECT_LOAD(0x30000000 + 5 * PAGE + 0x10, 0x5a5a0010);
}

static uint32_t to_write;
static uint32_t write(uint32_t va)
{
    return REG32(va) = to_write;
}

static void write_in_s(uint32_t va, uint32_t value)
{
    to_write = value;
    EXPECT(in_s(write, va), value);
}

// Tables too. M-mode cannot write there, S-mode can by a mapping of its own.
static void high_tables_are_walked(void)
{
    const uint64_t high_root = GRANULE_HIGHMEM_BASE + 16 * PAGE, high_leaves = high_root + PAGE;
    const uint32_t window = BASE + 48 * PAGE, va = 0x40345000;
    map_page(window, high_root, KERNEL_RW);
    map_page(window + PAGE, high_leaves, KERNEL_RW);
    frames[2].entry[9] = 0x9999;
    write_in_s(window + 4 * (va >> 22), entry_for(high_leaves, V));
    write_in_s(window + PAGE + 4 * (va >> 12 & 1023), entry_for((uint32_t)&frames[2], KERNEL_RW));
    CSR_WRITE(satp, SATP_SV32 | (uint32_t)(high_root >> 12));
    sfence();
    EXPECT_LOAD(va + 36, 0x9999);
    EXPECT_FAULT(SUPERVISOR, DO_LOAD, va + PAGE, LOAD, 0x07);
    EXPECT_FAULT(SUPERVISOR, DO_LOAD, va + SUPERPAGE, LOAD, 0x06);
    sv32_on(&root, 0);
    sfence();
}

// Tables and pages where no memory is.
static void memory_that_is_not_there_is_an_access_fault(void)
{
    const uint64_t nowhere[] = {0x20000000, 0xb0000000, 0x1f0000000, 0x3fffff000};
    const uint32_t va = 0x40000000;
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        *superpage_entry(&root, va) = entry_for(nowhere[i], V);
        sfence();
        EXPECT_FAULT(SUPERVISOR, DO_LOAD, va, LOAD_ACCESS, 0x17);
        EXPECT(cause_of(SUPERVISOR, DO_STORE, va), STORE_ACCESS);
        EXPECT(cause_of(SUPERVISOR, DO_AMO, va), STORE_ACCESS);
        EXPECT_FAULT(SUPERVISOR, DO_FETCH, va, FETCH_ACCESS, 0x17);
        const uint32_t page = va + 0x400000;
        *page_entry(&root, page) = entry_for(nowhere[i], V | R | W | X | A | D);
        sfence();
        EXPECT_FAULT(SUPERVISOR, DO_LOAD, page, LOAD_ACCESS, 0x10);
        EXPECT(cause_of(SUPERVISOR, DO_STORE, page), STORE_ACCESS);
        EXPECT(cause_of(SUPERVISOR, DO_FETCH, page), FETCH_ACCESS);
    }
    // The root itself. A write of satp alone takes no entry away.
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, (uint32_t)&root), NONE);
    CSR_WRITE(satp, SATP_SV32 | 0x3fffff);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, (uint32_t)&root), NONE);
    sfence();
    EXPECT_FAULT(SUPERVISOR, DO_LOAD, (uint32_t)&root, LOAD_ACCESS, 0x16);
    EXPECT(cause_of(USER, DO_FETCH, va), FETCH_ACCESS);
    sv32_on(&root, 0);
}

int main(void)
{
    map_kernel(&root);
    sv32_on(&root, 0);
    sfence();
    pages_translate();
    code_translates();
    superpages_translate();
    high_memory_is_reachable();
    high_tables_are_walked();
    memory_that_is_not_there_is_an_access_fault();
    return failures;
}
