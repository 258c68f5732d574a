#include "mm/tlb_post.h"
#include "mm/page_size.h"
#include "mm/tlb.h"
#include "mm/tlbi_operand.h"

void flush_tlb_page_nosync(struct mm *mm, vaddr_t address, u32 spared)
{
    tlb_stats.page++;
    mmu_tlbi_post(MMU_TLBI_VA, MMU_POST_LAST_LEVEL | spared,
                  tlbi_va_operand(address, mm->asid, LEAF_HINT));
}
