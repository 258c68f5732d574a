#include "spaces.h"
#include "check.h"

struct mm *mms[LIVE];

struct mm *new_mm(u32 slot)
{
    mms[slot] = mm_alloc();
    CHECK(mms[slot]);
    mm_switch(mms[slot]);
    return mms[slot];
}

void free_mms(void)
{
    for (u32 i = 0; i < LIVE; i++) {
        if (mms[i])
            mmput(mms[i]);
        mms[i] = NULL;
    }
    shadow_check(mms, LIVE);
    CHECK(nr_pagetable == 0);
    CHECK(machine_pages_in_use() == 0);
}

void write_word(vaddr_t va, u32 value)
{
    CHECK(cpu_access(va, STORE, &value) == 0);
}

u32 read_word(vaddr_t va)
{
    u32 value = ~0u;

    CHECK(cpu_access(va, LOAD, &value) == 0);
    return value;
}
