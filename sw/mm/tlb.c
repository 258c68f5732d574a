#include "mm/tlb.h"
#include "drivers/mmu.h"
#include "mm/hashed_table.h"
#include "mm/mm.h"
#include "mm/page.h"
#include "mm/tlbi_operand.h"
#include "panic.h"

struct tlb_stats tlb_stats;
bool tlb_range_operations = true;
u32 tlb_single_page_flush_ceiling = 33; /* x86's, until the machine was measured */

/* VAs of the upper half are sign-extended to 64 bits, as the hardware sees them. */
static u64 extend(vaddr_t va)
{
    return (u64)(s64)(s32)va;
}

/* Where a range begins. Its unit is the page, or 64 KiB where entries have 128 bits (spec 8.4). The
 * sign fills the bits that a page number of 64 bits has more. */
static u64 range_base(vaddr_t va)
{
    if (ENTRY_WIDE)
        return extend(va) >> TLBI_WIDE_SHIFT;
    u32 sign = (u32)((s32)va >> 31);

    return (u64)sign << 32 | bytes_to_pages(va) | runtime_const_shl(sign, pfn_high);
}

static void invalidate_page(enum mmu_tlbi kind, u32 options, vaddr_t va, u32 asid)
{
    u64 operand = tlbi_va_operand(extend(va), asid, LEAF_HINT);

    tlb_stats.page++;
    mmu_tlbi(kind, options, operand);
    if (hashed_table_remove(va, 1, asid))
        mmu_tlbi(kind, options, operand);
}

/* Leaves the kinds, the options and the ASID in their registers for mmu_tlbi(). */
static void send_step(enum mmu_tlbi page_kind, enum mmu_tlbi range_kind, u32 options, vaddr_t start,
                      struct tlbi_step step, u32 asid)
{
    bool leaves = options & MMU_TLBI_LAST_LEVEL; /* only then is a level promised */

    if (step.is_range) {
        tlb_stats.range++;
        mmu_tlbi(range_kind, options,
                 tlbi_range_operand(range_base(start), TLBI_GRANULE, asid,
                                    leaves ? HINTED_LEVEL : 0, step.num, step.scale));
    } else {
        tlb_stats.page++;
        mmu_tlbi(page_kind, options,
                 tlbi_va_operand(extend(start), asid, leaves ? LEAF_HINT : TLBI_NO_HINT));
    }
}

static __attribute__((noinline)) void send_steps(enum mmu_tlbi page_kind, enum mmu_tlbi range_kind,
                                                 u32 options, vaddr_t start, u32 pages, u32 asid)
{
    while (pages) {
        struct tlbi_step step = tlb_next_step(pages);

        send_step(page_kind, range_kind, options, start, step, asid);
        start += pages_to_bytes(step.pages);
        pages -= step.pages;
    }
}

/* Most ranges have one step. The loop for the others is apart, so that one step saves no
 * registers. */
static void send_range(enum mmu_tlbi page_kind, enum mmu_tlbi range_kind, u32 options,
                       vaddr_t start, u32 pages, u32 asid)
{
    /* Later steps begin at multiples of that unit by themselves: the largest come first. */
    if (ENTRY_WIDE && tlb_range_operations && pages > 1) {
        pages += bytes_to_pages(start & (BIT(TLBI_WIDE_SHIFT) - 1));
        start &= ~(BIT(TLBI_WIDE_SHIFT) - 1);
    }

    struct tlbi_step step = tlb_next_step(pages);

    if (step.pages == pages)
        send_step(page_kind, range_kind, options, start, step, asid);
    else
        send_steps(page_kind, range_kind, options, start, pages, asid);
}

static void invalidate_range(enum mmu_tlbi page_kind, enum mmu_tlbi range_kind, u32 options,
                             vaddr_t start, u32 pages, u32 asid)
{
    send_range(page_kind, range_kind, options, start, pages, asid);
    if (hashed_table_remove(start, pages, asid)) {
        struct tlb_stats counted = tlb_stats; /* it is one flush all the same */

        send_range(page_kind, range_kind, options, start, pages, asid);
        tlb_stats = counted;
    }
}

/* Pages of [start, end) rounded outward. The top page of the address space ends at 2^32. */
static u32 pages_between(vaddr_t *start, vaddr_t end)
{
    u32 first = bytes_to_pages(*start), last = bytes_to_pages(end - 1);

    *start &= PAGE_MASK;
    return last - first + 1;
}

/* Whether to flush everything in the scope instead. */
static bool too_many(u32 pages)
{
    return pages > (tlb_range_operations ? TLBI_RANGE_MAX_PAGES : tlb_single_page_flush_ceiling);
}

void flush_tlb_page(struct mm *mm, vaddr_t address)
{
    invalidate_page(MMU_TLBI_VA, MMU_TLBI_LAST_LEVEL, address, mm->asid);
}

pte_t ptep_clear_flush(struct mm *mm, vaddr_t address, struct pte_slot *slot)
{
    pte_t pte = ptep_get_and_clear(slot);

    flush_tlb_page(mm, address);
    return pte;
}

void ptep_set_access_flags(struct mm *mm, vaddr_t address, struct pte_slot *slot, pte_t pte)
{
    BUG_ON((ptep_get(slot) ^ pte) & PTE_ADDR_MASK);
    set_pte(slot, pte);
    flush_tlb_page(mm, address);
}

void flush_tlb_range(struct mm *mm, vaddr_t start, vaddr_t end, bool tables)
{
    if (start > end - 1)
        return;
    u32 pages = pages_between(&start, end);

    if (too_many(pages))
        flush_tlb_mm(mm);
    else
        invalidate_range(MMU_TLBI_VA, MMU_TLBI_RANGE, tables ? 0 : MMU_TLBI_LAST_LEVEL, start,
                         pages, mm->asid);
}

void flush_tlb_mm(struct mm *mm)
{
    tlb_stats.asid++;
    mmu_tlbi(MMU_TLBI_ASID, 0, (u64)mm->asid << 48);
    if (hashed_table_remove_asid(mm->asid))
        mmu_tlbi(MMU_TLBI_ASID, 0, (u64)mm->asid << 48);
}

void flush_tlb_kernel_range(vaddr_t start, vaddr_t end)
{
    if (start > end - 1)
        return;
    u32 pages = pages_between(&start, end);

    if (too_many(pages)) {
        tlb_stats.kernel_degraded++;
        flush_tlb_all();
    } else if (pages == 1) {
        local_flush_tlb_kernel_page(start);
    } else {
        invalidate_range(MMU_TLBI_VA_ALL_ASIDS, MMU_TLBI_RANGE_ALL_ASIDS, MMU_TLBI_LAST_LEVEL,
                         start, pages, 0);
    }
}

void flush_tlb_all(void)
{
    tlb_stats.all++;
    mmu_tlbi(MMU_TLBI_ALL, 0, 0);
    if (hashed_table_wipe())
        mmu_tlbi(MMU_TLBI_ALL, 0, 0);
}

void local_flush_tlb_kernel_page(vaddr_t address)
{
    invalidate_page(MMU_TLBI_VA_ALL_ASIDS, MMU_TLBI_LAST_LEVEL, address, 0);
}
