/* What unmapping costs in each mode of tlb_modes.c, while the DMA engine is idle and while it
 * writes memory; and what each mode leaves in the MMUs. Pages are zero pages, which belong to
 * nobody: an unmapping here is the entries and the invalidation, and where nobody is told, nothing
 * can be lost. Not a part of `run=all`: few machines have a second MMU. */
#include "drivers/dma.h"
#include "drivers/mmu_post.h"
#include "drivers/sysinfo.h"
#include "experiments/experiment.h"
#include "experiments/tlb_modes.h"
#include "kernel/dma.h"
#include "kernel/uaccess.h"
#include "lib/csr.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

#define BASE    0x20000000u /* a PTE page begins here at each page size, and all pages fit it */
#define SINK    0x10000000u
#define CHECKED 4u /* pages that both MMUs remember at once */

static const u32 sizes[] = {1, 4, 16, 64, 512};

struct cost {
    u32 send, wait, held;
    bool busy; /* the engine was, from the beginning to the end */
};

static u32 now(void)
{
    return csr_read(CSR_CYCLE);
}

static vaddr_t page_at(u32 i)
{
    return BASE + (i << PAGE_SHIFT);
}

static void read_all(u32 pages)
{
    u32 word;

    for (u32 i = 0; i < pages; i++)
        BUG_ON(get_user(&word, page_at(i)) || word);
}

/* An address space whose pages the CPU has read. */
static struct mm *space_of(u32 pages)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm || mm_map(mm, BASE, pages << PAGE_SHIFT, VM_READ));
    mm_switch(mm);
    read_all(pages);
    return mm;
}

/* Nothing of it stays anywhere, whatever mode it was. */
static void drop(struct mm *mm)
{
    flush_tlb_mm(mm);
    mmput(mm);
}

static void unmap(const struct tlb_mode *mode, struct mm *mm, u32 pages, struct cost *cost)
{
    u32 held = mmu_tlbi_held(), start = now();
    struct pte_slot *base = pte_offset_map(mm, BASE), *slot = base;

    for (u32 i = 0; i < pages; i++, slot = ptep_next(slot)) {
        ptep_get_and_clear(slot);
        if (mode->page)
            mode->page(mm, page_at(i));
    }
    pte_unmap(base);
    if (mode->all)
        mode->all(mm, BASE, page_at(pages));
    u32 sent = now();

    cost->send = sent - start;
    if (mode->wait) {
        mode->wait();
        cost->wait = now() - sent;
    }
    cost->held = (u16)(mmu_tlbi_held() - held);
}

/* ---- costs ---- */

static struct cost once(const struct tlb_mode *mode, struct mm *mm, u32 pages, struct page *traffic)
{
    struct cost cost = {0};

    read_all(pages);
    if (traffic) {
        dma_begin_clears(traffic, MIN(2 + pages / 8, DMA_LIST_MAX));
        while (!dma_bytes_done() && dma_busy())
            ;
    }
    unmap(mode, mm, pages, &cost);
    if (traffic) {
        cost.busy = dma_busy();
        BUG_ON(dma_wait());
    }
    flush_tlb_mm(mm);
    return cost;
}

/* After a first pass with few pages, which brings the code into the caches. */
static struct cost measure(const struct tlb_mode *mode, u32 pages, struct page *traffic)
{
    struct mm *mm = space_of(MAX(pages, CHECKED));

    once(mode, mm, CHECKED, traffic);
    struct cost cost = once(mode, mm, pages, traffic);

    drop(mm);
    return cost;
}

static void line(const char *load, const struct tlb_mode *mode, u32 pages, const struct cost *cost)
{
    const struct {
        const char *name, *what;
        u32 value;
    } values[] = {{"send", "until all is sent", cost->send},
                  {"wait", "and then until it is complete", cost->wait},
                  {"held", "TLBIs that waited for a place", cost->held}};

    kprintf("  %-5s %-10s %5u %8u %8u %6u\n", load, mode->name, pages, cost->send, cost->wait,
            cost->held);
    for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
        char id[40], what[80];

        ksnprintf(id, sizeof id, "T.%s.%s.%u.%s", load, mode->name, pages, values[i].name);
        ksnprintf(what, sizeof what, "%u pages, %s, engine %s: %s", pages, mode->name, load,
                  values[i].what);
        figure(id, what, (s64)values[i].value * E6, i == 2 ? "TLBIs" : "cycles");
    }
}

static void costs(struct page *traffic)
{
    const char *load = traffic ? "busy" : "idle";
    u32 early = 0;

    for (u32 m = 0; m < NR_TLB_MODES; m++) {
        if (!tlb_mode_wanted(&tlb_modes[m]))
            continue;
        for (u32 s = 0; s < ARRAY_SIZE(sizes); s++) {
            struct cost cost = measure(&tlb_modes[m], sizes[s], traffic);

            early += traffic && !cost.busy;
            line(load, &tlb_modes[m], sizes[s], &cost);
        }
    }
    if (traffic)
        invariant("T.busy", "times that the engine ended before the unmapping", early);
}

/* ---- what is left ---- */

/* The engine reads a word of each page. How many of them it reads without a fault. */
static u32 device_reads(struct mm *mm, struct mm *sink)
{
    u32 without = 0;

    for (u32 i = 0; i < CHECKED; i++) {
        u32 faults = dma_stats.faults;

        dma_begin_copy_user(sink, SINK, mm, page_at(i), sizeof(u32));
        BUG_ON(dma_wait());
        without += dma_stats.faults == faults;
    }
    return without;
}

static u32 cpu_reads(void)
{
    u32 without = 0, word;

    for (u32 i = 0; i < CHECKED; i++) {
        u32 faults = fault_stats.faults;

        BUG_ON(get_user(&word, page_at(i)));
        without += fault_stats.faults == faults;
    }
    return without;
}

/* Pages that one of them still reads after the unmapping. A fault maps the page again, so each of
 * the two has an unmapping of its own. */
static u32 left_with(const struct tlb_mode *mode, bool device, struct mm *sink)
{
    struct mm *mm = space_of(CHECKED);
    struct cost cost;

    BUG_ON(device_reads(mm, sink) != CHECKED);
    BUG_ON(device_reads(mm, sink) != CHECKED);
    read_all(CHECKED);
    unmap(mode, mm, CHECKED, &cost);
    u32 left = device ? device_reads(mm, sink) : cpu_reads();

    drop(mm);
    return left;
}

static const char *verdict(const struct tlb_mode *mode)
{
    return !mode->reaches_cpu      ? "unsafe"
           : mode->reaches_devices ? "safe"
                                   : "safe while no device uses the address space";
}

/* That a mode leaves nothing is worth something as the other ones are seen to leave it. How much
 * they leave is the TLBs' own affair: what is replaced meanwhile is gone, too. */
static void row(const struct tlb_mode *mode, const char *who, u32 left, bool reached)
{
    char id[40], what[80];

    ksnprintf(id, sizeof id, "T.left.%s.%s", mode->name, who);
    ksnprintf(what, sizeof what, "of %u pages, still read by the %s after %s", CHECKED, who,
              mode->name);
    figure(id, what, left * E6, "pages");
    ksnprintf(id, sizeof id, "T.%s.%s", mode->name, who);
    if (reached)
        invariant(id, "pages that are still read after the unmapping", left);
    else
        invariant(id, "times that nothing was left, so that the check saw nothing", left == 0);
}

static void what_is_left(void)
{
    struct mm *sink = mm_alloc();

    BUG_ON(!sink || mm_map(sink, SINK, PAGE_SIZE, VM_DATA));
    mm_switch(sink);
    BUG_ON(put_user(0, SINK));
    kprintf("  of %u pages, still read after the unmapping:   CPU   device\n", CHECKED);
    for (u32 m = 0; m < NR_TLB_MODES; m++) {
        const struct tlb_mode *mode = &tlb_modes[m];

        if (!tlb_mode_wanted(mode))
            continue;
        u32 cpu = left_with(mode, false, sink), device = left_with(mode, true, sink);

        kprintf("  %-10s %39u %8u   %s\n", mode->name, cpu, device, verdict(mode));
        row(mode, "cpu", cpu, mode->reaches_cpu);
        row(mode, "device", device, mode->reaches_devices);
    }
    mmput(sink);
}

static void tlb_run(void)
{
    if (!dma_present() || !mmu_posts_tlbis()) {
        kprintf("  machine '%s' has no second MMU, or TLBIs are not posted: skipped\n",
                sysinfo_name());
        return;
    }
    u32 free = nr_free_pages();
    struct page *traffic = alloc_page(GFP_KERNEL);

    BUG_ON(!traffic);
    dma_init();
    what_is_left();
    kprintf("\n  %u places in the queue\n", mmu_tlbi_places());
    kprintf("  engine mode      pages     send     wait   held\n");
    costs(NULL);
    costs(traffic);
    mm_switch(NULL);
    put_page(traffic);
    invariant("T.pages", "pages that are lost", nr_free_pages() != free);
}
EXPERIMENT(tlb, "tlb", "unmapping in each mode of invalidation", tlb_run, NOT_IN_ALL);
