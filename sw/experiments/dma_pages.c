/* Page faults whose pages the engine clears and copies: what must hold, and what a run counted. */
#include "kernel/dma_pages.h"
#include "drivers/pmu.h"
#include "experiments/dma.h"
#include "experiments/experiment.h"
#include "kernel/dma.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

#define FRESH 4u

static struct page *page_of(struct mm *mm, vaddr_t address)
{
    struct pte_slot *slot = pte_offset_map(mm, address);

    BUG_ON(!slot || !ptep_present(slot));
    pte_t pte = ptep_get(slot);

    pte_unmap(slot);
    return pfn_to_page(pte_pfn(pte));
}

/* Frames that the allocator gives out next have other words, in memory and in the cache. */
static void soil(void)
{
    struct page *pages[FRESH];

    for (u32 i = 0; i < FRESH; i++) {
        pages[i] = alloc_page(GFP_HIGHUSER);
        BUG_ON(!pages[i]);
        dma_fill(pages[i], 0xbad, 1);
    }
    for (u32 i = FRESH; i--;)
        put_page(pages[i]);
}

/* All but the first word, which is taken back and forth. */
static bool holds_after_first(struct page *page, u32 first, u32 seed, u32 step)
{
    u32 *word = kmap_local_page(page), found = word[0];

    word[0] = seed;
    bool good = found == first && dma_holds(page, seed, step);

    word[0] = first;
    kunmap_local(word);
    return good;
}

static void zero_fill(void)
{
    vaddr_t to = dma_to();
    struct mm *mm = dma_space(to, FRESH, VM_DATA);
    u32 before = dma_pages_stats.zero.by_engine;

    soil();
    dma_peek(mm, to); /* the zero page first, then a page of its own */
    for (u32 i = 0; i < FRESH; i++)
        dma_poke(mm, to + (i << PAGE_SHIFT), 0x11 + i);
    for (u32 i = 0; i < FRESH; i++)
        dma_check(holds_after_first(page_of(mm, to + (i << PAGE_SHIFT)), 0x11 + i, 0, 0),
                  "a fresh page is zero but for the word that was written");
    dma_check(dma_pages_stats.zero.by_engine == before + FRESH, "the engine cleared them");
    mmput(mm);
    dma_section("D.9", "page faults: the engine clears");
}

static void copy_on_write(void)
{
    vaddr_t to = dma_to();
    struct mm *parent = dma_space(to, 1, VM_DATA), *child = mm_alloc();
    u32 before = dma_pages_stats.cow.by_engine;

    dma_poke(parent, to, 0);
    dma_fill(page_of(parent, to), 0x70, 5);
    BUG_ON(!child || mm_fork(child, parent));
    soil();
    dma_poke(child, to, 0xc41d);
    dma_check(holds_after_first(page_of(child, to), 0xc41d, 0x70, 5), "the child's copy");
    dma_check(dma_holds(page_of(parent, to), 0x70, 5), "the parent's page stays");
    dma_check(dma_pages_stats.cow.by_engine == before + 1, "the engine copied it");
    mmput(child);
    mmput(parent);
    dma_section("D.10", "page faults: the engine copies on write");
}

/* The engine waits for the page that it faulted on, so that it cannot clear it. */
static void fault_of_the_engine(void)
{
    vaddr_t to = dma_to();
    struct mm *mm = dma_space(to, 2, VM_DATA);
    struct dma_pages_part before = dma_pages_stats.zero;

    soil();
    dma_begin_fill_sg(&(struct sg_table){mm, &(struct scatterlist){to, 4}, 1}, 0xe);
    dma_check(dma_wait() == 0, "fill");
    dma_check(dma_pages_stats.zero.pages == before.pages + 1 &&
                  dma_pages_stats.zero.by_engine == before.by_engine,
              "the CPU cleared it");
    dma_check(holds_after_first(page_of(mm, to), 0xe, 0, 0), "its page");
    mmput(mm);
    dma_section("D.11", "a fault of the engine itself: the CPU clears");
}

void dma_fault_invariants(void)
{
    dma_pages_use(DMA_ZERO | DMA_COW);
    zero_fill();
    copy_on_write();
    fault_of_the_engine();
    dma_user_pages("D.12", "D.13");
    dma_unmap_under_transfer("D.14", FRESH);
    dma_pages_use(0);
}

static void report_part(const char *id, const char *what, const struct dma_pages_part *part)
{
    const struct {
        const char *name;
        s64 value;
        const char *unit;
    } values[] = {{"", (s64)part->cycles, "cycles"},
                  {".pages", part->pages, "pages"},
                  {".by_engine", part->by_engine, "pages"}};

    kprintf("  %-8s %6u pages, %6u by the engine, %12llu cycles\n", what, part->pages,
            part->by_engine, part->cycles);
    for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
        char name[32], text[64];

        ksnprintf(name, sizeof name, "P.%s%s", id, values[i].name);
        ksnprintf(text, sizeof text, "page faults: %s%s", what, values[i].name);
        figure(name, text, values[i].value * E6, values[i].unit);
    }
}

void dma_pages_report(void)
{
    if (!dma_pages_stats.since)
        return;
    u64 all = pmu_cycles() - dma_pages_stats.since;

    kprintf("\npages of faults, in %llu cycles of the run\n", all);
    report_part("zero", "cleared", &dma_pages_stats.zero);
    report_part("cow", "copied", &dma_pages_stats.cow);
    figure("P.all", "cycles of the run", (s64)all * E6, "cycles");
}
