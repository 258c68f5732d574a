#include "machine.h"
#include "mm/tlb.h"

u32 areas_of(const struct mm *mm)
{
    u32 count = 0;

    for (u32 i = 0; i < NR_VMAS; i++)
        count += mm->vmas[i].flags != 0;
    return count;
}

u32 flushes(void)
{
    return tlb_stats.range + tlb_stats.asid + tlb_stats.all;
}
