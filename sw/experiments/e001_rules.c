/* Invariants of linux-mm B.2 and D.2 that only the machine can answer, as its TLB is read out entry
 * by entry. The first few slots of the empty pool serve as pages to flush. */
#include "drivers/tlb_view.h"
#include "errno.h"
#include "experiments/e001.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/mm.h"
#include "mm/tlb.h"
#include "panic.h"

#define SLOTS     6u /* with the kernel's own entries they all fit into the TLB */
#define ALL_SLOTS (BIT(SLOTS) - 1)
#define EVEN      0x15u
#define NOWHERE   0xd0000000u /* no table there */

static struct page *page;

static vaddr_t va_of(u32 slot)
{
    return kernel_va(pkmap_address(slot));
}

/* The slots among the first 32 that the data TLB holds, a bit each. */
static u32 cached_slots(void)
{
    struct tlb_entry entry;
    u32 set = 0;

    for (u32 n = 0; n < TLB_VIEW_MAX; n++) {
        if (!tlb_view_read(TLB_DATA, n, &entry))
            continue;
        u32 slot = ((vaddr_t)entry.va - PKMAP_BASE) >> PAGE_SHIFT;

        if (slot < 32)
            set |= BIT(slot);
    }
    return set;
}

static bool user_entry_cached(u32 asid)
{
    struct tlb_entry entry;

    for (u32 n = 0; n < TLB_VIEW_MAX; n++)
        if (tlb_view_read(TLB_DATA, n, &entry) && entry.va == USER_DATA && !entry.global &&
            entry.asid == asid)
            return true;
    return false;
}

static u32 bits(u32 set)
{
    u32 n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

static void touch(u32 set)
{
    for (u32 slot = 0; slot < SLOTS; slot++)
        if (set & BIT(slot))
            *(volatile u32 *)pkmap_address(slot);
}

/* All slots are cached, with room for what the kernel needs itself: the oldest entry goes first,
 * used or not, so nothing may be left of what ran before. */
static void cache_all_slots(void)
{
    flush_tlb_all();
    touch(ALL_SLOTS);
}

/* How many of the slots' entries differ from `expected`; all are cached again afterwards. */
static u32 left_wrong(u32 expected)
{
    u32 wrong = bits(cached_slots() ^ expected);

    cache_all_slots();
    return wrong + bits(cached_slots() ^ ALL_SLOTS);
}

/* What was never accessed has no access flag and is in no TLB; what was, has and is. */
static void access_flag(void)
{
    u32 wrong = 0;

    e001_map_slots(page, SLOTS, 0);
    touch(EVEN);
    u32 cached = cached_slots();

    for (u32 slot = 0; slot < SLOTS; slot++) {
        bool young = pte_young(ptep_get(pkmap_pte(slot)));

        wrong += young != (pkmap_tracks_access ? (EVEN & BIT(slot)) != 0 : true);
        wrong += (cached & BIT(slot)) && !young;
    }
    invariant("D.2.4", "entries cached or marked that were never accessed, or the reverse",
              wrong + bits(cached ^ EVEN));
}

/* With entries of 128 bits a range begins at a multiple of 64 KiB, so that smaller pages before it
 * go as well. */
static void scopes(void)
{
    u32 wrong = 0, left = ENTRY_WIDE && PAGE_SIZE < BIT(TLBI_WIDE_SHIFT) ? 0x20 : 0x23;

    cache_all_slots();
    pkmap_flush_slots(2, 5);
    wrong += left_wrong(left);
    for (u32 slot = 2; slot < 5; slot++)
        pkmap_flush_slots(slot, slot + 1);
    wrong += left_wrong(0x23);
    flush_tlb_kernel_range(va_of(2) + 1, va_of(4) + 1);
    wrong += left_wrong(left);
    struct tlb_stats before = tlb_stats;

    flush_tlb_kernel_range(va_of(3), va_of(3));
    flush_tlb_kernel_range(va_of(5), va_of(3));
    wrong += left_wrong(ALL_SLOTS);
    wrong += tlb_stats.page != before.page || tlb_stats.range != before.range;
    invariant("D.2.6", "entries left or lost: range, union of pages, unaligned, empty", wrong);
    cache_all_slots();
    flush_tlb_kernel_range(NOWHERE, NOWHERE + SLOTS * PAGE_SIZE);
    wrong = left_wrong(ALL_SLOTS);
    flush_tlb_kernel_range(NOWHERE - PAGE_SIZE, NOWHERE + SLOTS * PAGE_SIZE);
    wrong += left_wrong(ALL_SLOTS);
    invariant("D.2.7", "entries lost by a flush of a hole", wrong);
    cache_all_slots();
    flush_tlb_all();
    invariant("D.2.1", "entries left by a flush of everything", bits(cached_slots()));
}

static void ceiling(void)
{
    struct tlb_stats before;
    u32 old = tlb_single_page_flush_ceiling, wrong = 0;
    bool ranges = tlb_range_operations;

    tlb_range_operations = false;
    tlb_single_page_flush_ceiling = 4;
    cache_all_slots();
    before = tlb_stats;
    pkmap_flush_slots(0, 4);
    wrong += tlb_stats.page != before.page + 4 || tlb_stats.all != before.all;
    wrong += left_wrong(0x30);
    before = tlb_stats;
    pkmap_flush_slots(0, 5);
    wrong += tlb_stats.page != before.page || tlb_stats.all != before.all + 1;
    wrong += bits(cached_slots());
    tlb_range_operations = ranges;
    tlb_single_page_flush_ceiling = old;
    invariant("D.2.8", "flushes on the wrong side of the ceiling", wrong);
}

/* A flush of kernel addresses leaves those of tasks alone. */
static void user_entries(void)
{
    struct mm *mm = mm_alloc();
    u32 value, degraded = tlb_stats.kernel_degraded;

    BUG_ON(!mm || mm_map(mm, USER_DATA, PAGE_SIZE, VM_DATA));
    mm_switch(mm);
    BUG_ON(put_user(1, USER_DATA) || get_user(&value, USER_DATA));
    u32 lost = !user_entry_cached(mm->asid);

    pkmap_flush_slots(0, PKMAP_MAX);
    lost += !user_entry_cached(mm->asid);
    mm_switch(NULL);
    mmput(mm);
    invariant("D.2.9", "entries of a task that a flush of the kernel's pool took",
              lost + (tlb_stats.kernel_degraded - degraded));
}

/* A pointer kept too long: after the sweep a store through it faults, under each policy. */
static void stale_pointers(void)
{
    u32 wrong = 0;

    for (u32 policy = PKMAP_FLUSH_RANGE; policy <= PKMAP_FLUSH_EAGER; policy++) {
        pkmap_flush_policy = (enum pkmap_flush_policy)policy;
        u32 *stale = kmap(page);

        *stale = 0x600df00d;
        kunmap(page);
        if (policy != PKMAP_FLUSH_EAGER) {
            wrong += probe_write(-EFAULT, kernel_va(stale), 0x600df00d) != 0; /* not yet */
            kmap_flush_unused();
        }
        wrong += probe_write(-EFAULT, kernel_va(stale), 0xbad) != -EFAULT;
        u32 *now = kmap_local_page(page);

        wrong += *now != 0x600df00d;
        kunmap_local(now);
    }
    pkmap_flush_policy = PKMAP_FLUSH_RANGE;
    invariant("B.2.4", "stores through stale pointers that did not fault", wrong);
}

/* Count 0: no PTE and no TLB entry. Else: a PTE, and the page knows the slot. */
static u32 slots_wrong(void)
{
    u32 cached = cached_slots(), wrong = 0;

    for (u32 slot = 0; slot < nr_pkmap; slot++) {
        bool used = pkmap_count[slot] != 0;
        struct page *mapped = kmap_to_page(pkmap_address(slot));

        wrong += used != ptep_present(pkmap_pte(slot)) || used != (mapped != NULL);
        wrong += used && page_address(mapped) != pkmap_address(slot);
        wrong += !used && slot < 32 && (cached & BIT(slot));
    }
    return wrong;
}

static void counts(void)
{
    u32 *kept = kmap(page), wrong = slots_wrong();

    *kept = 1;
    kmap_flush_unused();
    wrong += slots_wrong() + (page_address(page) != kept);
    kunmap(page);
    wrong += slots_wrong();
    kmap_flush_unused();
    wrong += slots_wrong() + (page_address(page) != NULL);
    invariant("B.2.1", "slots whose count, PTE, page and TLB entry disagree", wrong);
}

void e001_rules(void)
{
    u32 boot_slots = nr_pkmap;

    BUG_ON(pkmap_resize(PKMAP_MIN));
    page = alloc_page(GFP_HIGHUSER);
    BUG_ON(!page);
    stale_pointers();
    if (!tlb_view_present()) {
        kprintf("  this MMU does not show its TLBs: rules about their entries are not checked\n");
    } else {
        counts();
        flush_tlb_all();
        access_flag();
        scopes();
        ceiling();
        for (u32 slot = 0; slot < SLOTS; slot++)
            pkmap_clear_pte(slot);
        flush_tlb_all();
        user_entries();
    }
    put_page(page);
    BUG_ON(pkmap_resize(boot_slots));
}
