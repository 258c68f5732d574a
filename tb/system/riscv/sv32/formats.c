// The same addresses under Sv32, under VMSAv8-64 and in Bare mode, one after the other: satp.MODE
// and SCTLR.M choose, and no entry of one is ever taken for one of another.
#include "sv32.h"
#include "tables.h"

#define BASE 0x10000000u

static uint32_t load(uint32_t va)
{
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va), NONE);
    return loaded;
}

static uint32_t walks(void)
{
    uint32_t n;
    __asm__ volatile("csrr %0, %1" : "=r"(n) : "i"(GRANULE_EVENT_MCOUNTER(GRANULE_EVENT_WALKS)));
    return n;
}

static void sctlr(uint32_t value)
{
    write_pair(GRANULE_MMU_SCTLR_LO, value);
}

int main(void)
{
    for (unsigned i = 0; i < 4; i++)
        frames[i].entry[0] = i;
    const uint32_t place = (uint32_t)&frames[3];
    choose_granule();
    map_kernel(&root);
    map_page(BASE, (uint32_t)&frames[0], KERNEL_RW | G);
    // Arm's page has the granule's size: offset 0 of it is a frame of ours only at 4K.
    const uint32_t arm_frame = (uint32_t)&frames[1] & -page_size();
    const uint32_t arm = BASE + ((uint32_t)&frames[1] - arm_frame);
    map(BASE, arm_frame, KERNEL_DATA);

    // Bare.
    EXPECT(load(place), 3);
    mmu_on();
    sctlr(0);
    EXPECT(load(place), 3);
    // Sv32 alone, then with the Arm registers on: they do not matter.
    sv32_on(&root, 1);
    EXPECT(load(BASE), 0);
    sctlr(1 | 1 << 2 | 1 << 12);
    EXPECT(load(BASE), 0);
    // Bare once more is now VMSAv8-64.
    CSR_WRITE(satp, 0);
    EXPECT(load(arm), 1);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, 0x70000000), LOAD);
    // To and fro without a fence: each finds what it had.
    const uint32_t before = walks();
    for (unsigned i = 0; i < 4; i++) {
        sv32_on(&root, 1);
        EXPECT(load(BASE), 0);
        CSR_WRITE(satp, 0);
        EXPECT(load(arm), 1);
    }
    EXPECT(walks(), before);
    // A global entry of one is none of the other's, and a fence by address takes both or its own.
    sv32_on(&root, 1);
    *page_entry(&root, BASE) = entry_for((uint32_t)&frames[2], KERNEL_RW | G);
    fence_va(BASE);
    EXPECT(load(BASE), 2);
    CSR_WRITE(satp, 0);
    EXPECT(load(arm), 1);
    sctlr(0);
    EXPECT(load(place), 3);
    return failures;
}
