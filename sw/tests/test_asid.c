/* Sources: mm/ fs/ tests/machine/
 *
 * Who has which ASID, by both policies. */
#include "machine/spaces.h"
#include "mm/asid.h"

/* Many more address spaces than ASIDs; each finds its ASID clean, by both policies. */
TEST(asids_come_round)
{
    for (asid_policy = ASID_REUSE;; asid_policy = ASID_GENERATIONS) {
        u32 before = asid_stats.rollovers;

        for (u32 n = 1; n < 4 * BIT(machine_asid_bits); n++) {
            struct mm *mm = new_mm(n % 2);

            CHECK(mm_map(mm, PAGE_SIZE, PAGE_SIZE, VM_DATA) == 0);
            CHECK(load(mm, PAGE_SIZE) == 0);
            store(mm, PAGE_SIZE, n);
            CHECK(load(mm, PAGE_SIZE) == n);
            shadow_check(mms, LIVE);
            CHECK(mm->asid && (!mms[2] || mm->asid != mms[2]->asid || !asid_in_force(mms[2])));
            drop_mm(1 - n % 2);
            if (n == 3)
                CHECK(new_mm(2)->asid); /* and stays */
        }
        if (asid_policy == ASID_GENERATIONS) {
            CHECK(asid_stats.rollovers - before >= 3);
            return;
        }
        CHECK(asid_stats.rollovers == before);
        for (u32 i = 0; i < LIVE; i++)
            drop_mm(i);
    }
}

static struct mm *running(u32 slot, u32 value)
{
    struct mm *mm = new_mm(slot);

    CHECK(mm_map(mm, PAGE_SIZE, PAGE_SIZE, VM_DATA) == 0);
    store(mm, PAGE_SIZE, value);
    return mm;
}

/* An address space comes, runs and goes; `back` runs then. */
static void another(u32 slot, struct mm *back)
{
    CHECK(load(running(slot, 7), PAGE_SIZE) == 7);
    mm_switch(back);
    drop_mm(slot);
}

/* Until the next generation begins, and has given out nearly all of its ASIDs. */
static void next_generation(u32 slot, struct mm *back)
{
    u32 before = asid_stats.rollovers;

    while (asid_stats.rollovers == before)
        another(slot, back);
    for (u32 n = 5; n < BIT(machine_asid_bits); n++)
        another(slot, back);
    CHECK(asid_stats.rollovers == before + 1);
}

/* A generation ends: who runs keeps its ASID and so does who has a device; who sleeps gets one when
 * it runs, its own if that is free. No two have the same, and each finds its own page. */
TEST(a_generation_ends)
{
    struct mm *runs = running(0, 1), *sleeps = running(1, 2), *device = running(2, 3);
    u32 asids[] = {runs->asid, sleeps->asid, device->asid};

    asid_pin(device);
    mm_switch(runs);
    for (u32 round = 0; round < 3; round++) {
        next_generation(3, runs);
        CHECK(runs->asid == asids[0] && device->asid == asids[2]);
        CHECK(sleeps->asid_generation != runs->asid_generation);
        mm_switch(sleeps);
        CHECK(sleeps->asid_generation == runs->asid_generation);
        CHECK(sleeps->asid != runs->asid && sleeps->asid != device->asid);
        CHECK(load(sleeps, PAGE_SIZE) == 2);
        CHECK(load(device, PAGE_SIZE) == 3 && device->asid == asids[2]);
        CHECK(load(runs, PAGE_SIZE) == 1);
        shadow_check(mms, LIVE);
    }
    asid_unpin(device);
}

int main(void)
{
    return run_on(&(struct machine){12, 31, 512, 512, 4, ENTRY_64}, 1, NULL);
}
