/* What flushes cost here, measured with a few slots of the kmap pool while nobody uses it. Each
 * value is that of a second pass: code and tables are in the caches then. */
#include "lib/csr.h"
#include "lib/printf.h"
#include "mm/flush_policy.h"
#include "mm/highmem.h"
#include "mm/tlb.h"
#include "panic.h"

/* Slots: a data TLB has 16 entries, and the kernel itself needs some. */
#define LIVE 12u

static u32 cycles(void)
{
    return csr_read(CSR_CYCLE);
}

static void map_slots(struct page *page, bool touched)
{
    for (u32 slot = 0; slot < LIVE; slot++) {
        pkmap_set_pte(slot, page);
        if (touched)
            *(volatile u32 *)pkmap_address(slot);
    }
}

static void unmap_slots(void)
{
    for (u32 slot = 0; slot < LIVE; slot++)
        pkmap_clear_pte(slot);
    flush_tlb_all();
}

/* As a sweep under PKMAP_FLUSH_PAGE does it. */
static u32 cost_of_pages(struct page *page, bool touched)
{
    map_slots(page, touched);
    u32 start = cycles();

    for (u32 slot = 0; slot < LIVE; slot++)
        if (pkmap_clear_pte(slot))
            pkmap_flush_slots(slot, slot + 1);
    return (cycles() - start) / LIVE;
}

static u32 cost_of_range(void)
{
    u32 start = cycles();

    pkmap_flush_slots(0, nr_pkmap);
    return cycles() - start;
}

static u32 cost_of_all(void)
{
    u32 start = cycles();

    flush_tlb_all();
    return cycles() - start;
}

static u32 cost_of_touching(void)
{
    u32 start = cycles();

    for (u32 slot = 0; slot < LIVE; slot++)
        *(volatile u32 *)pkmap_address(slot);
    return cycles() - start;
}

static u32 cost_of_refill(struct page *page)
{
    map_slots(page, true);
    u32 hot = cost_of_touching();

    flush_tlb_all();
    u32 cold = cost_of_touching();

    unmap_slots();
    return cold > hot ? cold - hot : 0;
}

struct flush_costs measure_flush_costs(void)
{
    struct page *page = alloc_page(GFP_HIGHUSER);
    struct flush_costs costs = {0};

    BUG_ON(!page);
    for (u32 pass = 0; pass < 2; pass++) {
        costs.page = cost_of_pages(page, true);
        costs.untouched = cost_of_pages(page, false);
        costs.range = cost_of_range();
        costs.all = cost_of_all();
        costs.refill = cost_of_refill(page);
    }
    put_page(page);
    return costs;
}

void tlb_flush_policy_calibrate(void)
{
    struct flush_costs costs = measure_flush_costs();
    u32 break_even = flush_break_even(&costs);

    if (!tlb_flush_ceiling_chosen)
        tlb_single_page_flush_ceiling = break_even;
    kprintf("  TLB flush    page %u cycles, untouched %u; %u pages %u; all %u, refill %u\n",
            costs.page, costs.untouched, nr_pkmap, costs.range, costs.all, costs.refill);
    kprintf("               page by page is cheaper up to %u page%s (ceiling %u); %s\n", break_even,
            break_even == 1 ? "" : "s", tlb_single_page_flush_ceiling,
            tlb_range_operations ? "a range is one operation" : "there are no range operations");
    if (!pkmap_tracks_access)
        kprintf("               no hardware access flag: every page of a sweep is flushed\n");
}
