/* Invariants of linux-mm A.2 and B.2, C.2, checked on the running machine. */
#include "drivers/timer.h"
#include "errno.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/csr.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"
#include "user/user.h"

#define TEXT_PROBE 0x80000000u

static u32 failures;

static void check(bool good, const char *what)
{
    if (!good) {
        failures++;
        kprintf("CHECK FAILED: %s\n", what);
    }
}

/* One line of the table and one RESULT. */
static void section(const char *id, const char *what)
{
    kprintf("  %-6s %-58s %s\n", id, what, failures ? "FAILED" : "ok");
    invariant(id, what, failures);
    failures = 0;
}

/* What this machine cannot show: no RESULT, so that nobody reads a PASS. */
static void not_checked(const char *id, const char *why)
{
    kprintf("  %-6s %-58s not checked\n", id, why);
}

/* A check that colours are kept apart cannot fail where there is one, and says so. */
static void colour_section(const char *id, const char *what, u32 colours)
{
    char text[64];

    ksnprintf(text, sizeof text, "%s%s", what, colours > 1 ? "" : " (vacuous: 1 colour)");
    section(id, text);
}

static u32 peek(vaddr_t va)
{
    u32 value = ~0u;

    check(get_user(&value, va) == 0, "user word can be read");
    return value;
}

static pfn_t mapped_pfn(struct mm *mm, vaddr_t va)
{
    struct pte_slot *slot = pte_offset_map(mm, va);
    pfn_t pfn = slot && ptep_present(slot) ? pte_pfn(ptep_get(slot)) : 0;

    if (slot)
        pte_unmap(slot);
    return pfn;
}

/* A.2: 1, 2 and 3 need no mapping. */
static void zero_page_arithmetic(void)
{
    u32 colours = zero_colours(), period = colours << PAGE_SHIFT;

    check(is_pow2(colours) && zero_page_mask == period - PAGE_SIZE, "mask covers whole pages");
    check(!(pfn_to_paddr(zero_pfn) & zero_page_mask), "base is aligned to all colours");
    check(zero_pages_clean(), "zero pages are zero");
    section("A.2.1", "zero block: power of two, aligned, all zero");

    check(is_zero_pfn(zero_pfn) && is_zero_pfn(zero_pfn + colours - 1), "zero pfns");
    check(!is_zero_pfn(zero_pfn - 1) && !is_zero_pfn(zero_pfn + colours), "neighbours");
    check(!is_zero_pfn(0) && !is_zero_pfn(~0u), "wrap");
    section("A.2.2", "is_zero_pfn: exactly the zero pages");

    for (vaddr_t va = 0; va < 2 * period; va += PAGE_SIZE) {
        check(((my_zero_pfn(va) ^ (va >> PAGE_SHIFT)) & (colours - 1)) == 0, "same colour");
        check(my_zero_pfn(va) == my_zero_pfn(va + period), "period");
        check(ZERO_PAGE(va)->flags & PG_RESERVED, "reserved");
    }
    colour_section("A.2.3", "ZERO_PAGE has the colour of its address", colours);
}

/* A.2: 4, 5 and 6 with a small address space, touched by the kernel on its behalf. */
static void zero_page_mappings(void)
{
    struct mm *mm = mm_alloc();
    u32 pages = 2 * zero_colours() + 2, bytes = pages << PAGE_SHIFT;
    vaddr_t base = USER_DATA, moved = USER_DATA + 2 * bytes + PAGE_SIZE;
    u32 references = (u32)ZERO_PAGE(base)->refcount, before = nr_free_pages();

    BUG_ON(!mm || mm_map(mm, base, bytes, VM_DATA));
    mm_switch(mm);
    for (u32 at = 0; at < bytes; at += PAGE_SIZE)
        check(peek(base + at) == 0, "untouched memory reads zero");
    check(mm->anon_rss == 0, "no RSS for zero pages");
    check(nr_free_pages() + mm->nr_tables == before, "nothing but tables was allocated");
    check((u32)ZERO_PAGE(base)->refcount == references, "zero pages are not counted");
    section("A.2.4", "reading maps zero pages and allocates nothing");

    check(put_user(42, base + PAGE_SIZE) == 0, "write");
    check(mm->anon_rss == 1 && !is_zero_pfn(mapped_pfn(mm, base + PAGE_SIZE)), "page of its own");
    check(peek(base) == 0 && peek(base + 2 * PAGE_SIZE) == 0, "neighbours stay zero");
    struct pte_slot *slot = pte_offset_map(mm, base);
    pte_t pte = ptep_get(slot);

    pte_unmap(slot);
    check(!pte_writable(pte) && pte_special(pte), "zero PTE is special and read-only");
    csr_set_named(sstatus, SSTATUS_SUM);
    mm->vmas[0].flags = VM_READ; /* the fault handler must not help this time */
    check(probe_write(-EFAULT, base, 1) == -EFAULT, "a store to a zero page faults");
    mm->vmas[0].flags = VM_DATA;
    csr_clear_named(sstatus, SSTATUS_SUM);
    check(mm_audit(mm).violations == 0, "audit");
    section("A.2.5", "no writable mapping of a zero page; a write gets a page");

    check(mm_move(mm, base, bytes, moved) == 0, "move");
    for (u32 at = 0; at < bytes; at += PAGE_SIZE)
        check(at == PAGE_SIZE ? peek(moved + at) == 42
                              : mapped_pfn(mm, moved + at) == my_zero_pfn(moved + at),
              "moved zero page has the colour of its new place");
    check(mm_audit(mm).violations == 0, "audit after the move");
    colour_section("A.2.6", "mremap re-colours zero pages", zero_colours());
    mmput(mm);
    check(nr_free_pages() == before + 1, "all pages came back"); /* + 1: the root */
    section("A.2.4b", "unmapping gives everything back");
}

/* What the MMU must refuse to the kernel, and the record that it leaves. */
static void protection(void)
{
    struct mm *mm = mm_alloc();
    u32 value;

    /* The page above stays mapped, and with it the table. */
    BUG_ON(!mm || mm_map(mm, USER_DATA, PAGE_SIZE, VM_DATA) ||
           mm_map(mm, USER_DATA + PAGE_SIZE, PAGE_SIZE, VM_DATA));
    mm_switch(mm);
    check(put_user(7, USER_DATA) == 0 && peek(USER_DATA + PAGE_SIZE) == 0, "user pages");
    check(probe_read(-EFAULT, USER_DATA, &value) == -EFAULT, "PAN: no user access without SUM");
    check(probe_write(-EFAULT, TEXT_PROBE, 0) == -EFAULT, "kernel text is read-only");
    check(probe_write(-EFAULT, kernel_va(&kernel_root), 0) == -EFAULT,
          "what boot decided is read-only");
    check(probe_read(-EFAULT, PKMAP_BASE, &value) == -EFAULT, "an empty kmap slot faults");
    check(probe_read(-EFAULT, 4, &value) == -EFAULT, "page 0 is not mapped");
    check(get_user(&value, USER_DATA + 2 * PAGE_SIZE) == -EFAULT, "outside of every area");
    check(!(last_trap.status & SSTATUS_SUM), "the handler of a fault runs with PAN");
    check(mm_protect(mm, USER_DATA, PAGE_SIZE, VM_READ) == 0, "mprotect");
    check(put_user(8, USER_DATA) == -EFAULT && peek(USER_DATA) == 7, "a written page read-only");
    check(mm_protect(mm, USER_DATA, PAGE_SIZE, VM_DATA) == 0, "mprotect back");
    check(put_user(9, USER_DATA) == 0 && peek(USER_DATA) == 9, "and written again");
    check(mm_unmap(mm, USER_DATA, PAGE_SIZE) == 0, "munmap");
    check(get_user(&value, USER_DATA) == -EFAULT, "nothing stays after munmap");
    check(mm_map(mm, USER_DATA, PAGE_SIZE, VM_DATA) == 0 && peek(USER_DATA) == 0, "fresh page");
    mmput(mm);
    section("P.1", "PAN, read-only text, unmapped addresses");
}

/* B.2: the pool hands out one address per page and reuses it without touching the TLB. */
static void mapping_windows(void)
{
    struct page *page = alloc_page(GFP_HIGHUSER), *low = alloc_page(GFP_KERNEL);

    BUG_ON(!page || !low);
    if (page_is_high(page)) {
        u32 *a = kmap(page), *b = kmap(page), value;
        struct tlb_stats before;

        check(a == b && page_address(page) == a, "one address per page");
        *a = 0x600df00d;
        kunmap(page);
        kunmap(page);
        before = tlb_stats;
        check(kmap(page) == a && tlb_stats.page == before.page && tlb_stats.range == before.range,
              "revived without an invalidation");
        u32 *local = kmap_local_page(page);

        check(*local == 0x600df00d, "both windows show the same memory");
        check(((uintptr_t)local >> PAGE_SHIFT & (kmap_colours - 1)) ==
                  (page_to_pfn(page) & (kmap_colours - 1)),
              "kmap_local keeps the colour");
        check(((uintptr_t)a >> PAGE_SHIFT & (kmap_colours - 1)) ==
                  (page_to_pfn(page) & (kmap_colours - 1)),
              "kmap keeps the colour");
        kunmap_local(local);
        check(probe_read(-EFAULT, (vaddr_t)(uintptr_t)local, &value) == -EFAULT,
              "an unmapped slot faults");
        kunmap(page);
        kmap_flush_unused();
        check(!page_address(page), "swept");
        check(probe_read(-EFAULT, (vaddr_t)(uintptr_t)a, &value) == -EFAULT, "a swept slot faults");
    }
    if (kmap_colours == 1)
        kprintf("  one colour: that windows keep it says nothing here\n");
    check(kmap(low) == lowmem_address(low), "lowmem needs no slot");
    if (page_is_high(page) || failures)
        section("B.2", "kmap and kmap_local: reuse, colours, no stale entries");
    else
        not_checked("B.2", "kmap and kmap_local: no highmem, so no window to look at");
    put_page(page);
    put_page(low);
}

static void timer_interrupt(void)
{
    u32 ticks = timer_ticks;
    u64 start = timer_now();

    timer_set_alarm(start + 500);
    csr_set_named(sie, IP_STIP);
    csr_set_named(sstatus, SSTATUS_SIE);
    while (timer_ticks == ticks && timer_now() < start + 20000)
        ;
    csr_clear_named(sstatus, SSTATUS_SIE);
    csr_clear_named(sie, IP_STIP);
    check(timer_ticks == ticks + 1, "one tick, delegated to S-mode");
    section("P.2", "timer interrupt reaches the kernel");
}

static void run_task(void (*program)(void), const char *what)
{
    const u32 args[] = {USER_DATA, PAGE_SIZE};
    u32 before = nr_free_pages(), tables = nr_pagetable;
    struct task *task = task_create(program, ARRAY_SIZE(args), args);

    BUG_ON(!task);
    s32 code = task_run(task);

    if (code)
        kprintf("%s: check %d failed\n", what, code);
    check(code == 0, what);
    check(nr_free_pages() == before, "no page is lost");
    check(nr_pagetable == tables, "NR_PAGETABLE is back");
    for (const struct task *t = tasks; t < tasks + NR_TASKS; t++)
        check(t->state == TASK_UNUSED, "nobody is left");
}

static void smoke_task(void)
{
    run_task((void (*)(void))user_smoke, "system calls");
    run_task((void (*)(void))user_orphan, "a child that outlives its parent");
    section("C.2.4", "fork, wait, COW, mmap, mremap, exit: pages and tables return");
}

static void selftest_run(void)
{
    zero_page_arithmetic();
    zero_page_mappings();
    protection();
    mapping_windows();
    timer_interrupt();
    smoke_task();
}
EXPERIMENT(selftest, "selftest", "invariants of the memory management", selftest_run, 0);
