/* What must hold of the DMA engine's driver: contents, faults that it serves, errors, and pages
 * that are unmapped while the engine writes them. */
#include "drivers/cache.h"
#include "drivers/dma.h"
#include "errno.h"
#include "experiments/dma.h"
#include "experiments/experiment.h"
#include "kernel/dma.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/highmem.h"
#include "panic.h"

#define FROM dma_from()

static u32 failures;

void dma_check(bool good, const char *what)
{
    if (!good) {
        failures++;
        kprintf("CHECK FAILED: %s\n", what);
    }
}

void dma_section(const char *id, const char *what)
{
    kprintf("  %-6s %-58s %s\n", id, what, failures ? "FAILED" : "ok");
    invariant(id, what, failures);
    failures = 0;
}

vaddr_t dma_from(void)
{
    return USER_DATA;
}

vaddr_t dma_to(void)
{
    return USER_DATA + (4 * DMA_PAGES << PAGE_SHIFT);
}

void dma_fill(struct page *page, u32 seed, u32 step)
{
    u32 *word = kmap_local_page(page);

    for (u32 i = 0; i < PAGE_SIZE / 4; i++)
        word[i] = seed + i * step;
    kunmap_local(word);
}

bool dma_holds(struct page *page, u32 seed, u32 step)
{
    u32 *word = kmap_local_page(page), i = 0;

    while (i < PAGE_SIZE / 4 && word[i] == seed + i * step)
        i++;
    kunmap_local(word);
    return i == PAGE_SIZE / 4;
}

/* Both ends were just written by the CPU, so that their lines are dirty. */
static void frames(void)
{
    static const gfp_t zones_of[] = {GFP_KERNEL, GFP_HIGHUSER};

    for (u32 i = 0; i < 4; i++) {
        struct page *from = alloc_page(zones_of[i & 1]), *to = alloc_page(zones_of[i >> 1]);

        BUG_ON(!from || !to);
        dma_fill(from, 0x1000 * (i + 1), 3);
        dma_fill(to, 0xdead, 1);
        dma_begin_copy_page(to, from);
        dma_check(dma_wait() == 0, "copy");
        dma_check(dma_holds(to, 0x1000 * (i + 1), 3), "the copy");
        dma_begin_clear_page(from);
        dma_check(dma_wait() == 0, "clear");
        dma_check(dma_holds(from, 0, 0) && dma_holds(to, 0x1000 * (i + 1), 3),
                  "cleared, and nothing else");
        put_page(from);
        put_page(to);
    }
    dma_section("D.1", "frames of lowmem and highmem: copied, cleared");
}

struct mm *dma_space(vaddr_t start, u32 pages, u32 flags)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm || mm_map(mm, start, pages << PAGE_SHIFT, flags));
    return mm;
}

u32 dma_peek(struct mm *mm, vaddr_t va)
{
    u32 value = ~0u;

    mm_switch(mm);
    dma_check(get_user(&value, va) == 0, "user word can be read");
    return value;
}

void dma_poke(struct mm *mm, vaddr_t va, u32 value)
{
    mm_switch(mm);
    dma_check(put_user(value, va) == 0, "user word can be written");
}

/* The source's first two pages are its own, the others were never touched; nothing of the
 * destination is there. */
void dma_user_pages(const char *id, const char *shared_id)
{
    vaddr_t to = dma_to();
    struct mm *source = dma_space(FROM, 4, VM_DATA), *target = dma_space(to, 4, VM_DATA);
    u32 bytes = 3 * PAGE_SIZE, faults = dma_stats.faults;

    dma_poke(source, FROM + PAGE_SIZE - 4, 0xa5);
    dma_poke(source, FROM + PAGE_SIZE, 0xb6);
    dma_begin_copy_user(target, to + 8, source, FROM + 8, bytes);
    dma_check(dma_wait() == 0, "copy");
    dma_check(dma_stats.faults > faults, "faults came from the engine");
    dma_check(source->anon_rss == 2 && target->anon_rss == 4, "zero pages read, pages written");
    dma_check(dma_peek(target, to + PAGE_SIZE - 4) == 0xa5 &&
                  dma_peek(target, to + PAGE_SIZE) == 0xb6,
              "what was written");
    dma_check(dma_peek(target, to) == 0 && dma_peek(target, to + 2 * PAGE_SIZE) == 0, "zeros");
    dma_section(id, "user pages by virtual address; faults are served");

    struct mm *child = mm_alloc();

    BUG_ON(!child || mm_fork(child, target));
    u32 copies = fault_stats.cow_copy;

    dma_begin_copy_user(child, to + PAGE_SIZE, source, FROM + 2 * PAGE_SIZE, PAGE_SIZE);
    dma_check(dma_wait() == 0, "copy into a shared page");
    dma_check(fault_stats.cow_copy == copies + 1, "the write broke the sharing");
    dma_check(dma_peek(child, to + PAGE_SIZE) == 0 && dma_peek(target, to + PAGE_SIZE) == 0xb6,
              "COW");
    dma_section(shared_id, "a shared page is copied before the engine writes it");
    mmput(child);
    mmput(target);
    mmput(source);
}

static void errors(void)
{
    vaddr_t to = dma_to();
    struct mm *mm = dma_space(FROM, 4, VM_DATA), *fixed_mm = dma_space(to, 1, VM_READ);
    const struct {
        struct mm *to_mm;
        vaddr_t to, from;
        u32 bytes;
        int error;
        const char *what;
    } rows[] = {
        {mm, FROM, to, PAGE_SIZE, -EFAULT, "source in no area"},
        {mm, to, FROM, PAGE_SIZE, -EFAULT, "destination in no area"},
        {mm, FROM, FROM + 3 * PAGE_SIZE, 2 * PAGE_SIZE, -EFAULT, "source ends in no area"},
        {fixed_mm, to, FROM, PAGE_SIZE, -EFAULT, "destination is read-only"},
        {mm, FROM, 0x80000000u, PAGE_SIZE, -EFAULT, "source is the kernel's"},
        {mm, FROM + 2, FROM + PAGE_SIZE, 64, -EINVAL, "odd address"},
        {mm, FROM + 60, FROM, 64, -EINVAL, "the copy overlaps the end of its source"},
        {mm, FROM, FROM + 60, 64, -EINVAL, "the copy overlaps the beginning of its source"},
        {mm, FROM, FROM, 0, -EINVAL, "no byte"},
        {mm, FROM, FROM + PAGE_SIZE, 64, 0, "and then it works"},
        {mm, FROM + 64, FROM, 64, 0, "source and destination that touch"},
    };

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
        dma_begin_copy_user(rows[i].to_mm, rows[i].to, mm, rows[i].from, rows[i].bytes);
        dma_check(dma_wait() == rows[i].error, rows[i].what);
    }
    mmput(fixed_mm);
    mmput(mm);

    struct page *page = alloc_page(GFP_HIGHUSER);

    BUG_ON(!page);
    dma_fill(page, 0x99, 1);
    dma_begin_copy_page(page, page);
    dma_check(dma_wait() == -EINVAL && dma_entries_done() == 0, "the engine refuses an overlap");
    dma_check(dma_holds(page, 0x99, 1), "the page stays as it is");
    put_page(page);
    dma_section("D.4", "errors have their code, and the engine goes on");
}

/* munmap while the engine writes the pages. When it returns, they belong to others, who must not
 * see a word of it. That the engine was in their midst is part of the check. */
void dma_unmap_under_transfer(const char *id, u32 pages)
{
    vaddr_t to = dma_to();
    u32 bytes = pages << PAGE_SHIFT, touched = 0;
    struct mm *source = dma_space(FROM, pages, VM_DATA), *target = dma_space(to, pages, VM_DATA);
    struct page *taken[DMA_PAGES];

    for (u32 i = 0; i < pages; i++) {
        dma_poke(source, FROM + (i << PAGE_SHIFT), ~0u);
        dma_poke(target, to + (i << PAGE_SHIFT), ~0u);
    }
    dma_begin_copy_user(target, to, source, FROM, bytes);
    while (!dma_bytes_done() && dma_busy())
        ;
    dma_check(mm_unmap(target, to, bytes) == 0, "munmap");
    bool running = dma_busy();

    for (u32 i = 0; i < pages; i++) {
        taken[i] = alloc_page(GFP_HIGHUSER);
        BUG_ON(!taken[i]);
        dma_fill(taken[i], 0x700 + i, 5);
    }
    cache_flush_data(); /* a word of the engine would lie in memory */
    dma_check(dma_wait() == -EFAULT, "the engine has lost its pages");
    dma_check(running && dma_bytes_done() > 0 && dma_bytes_done() < bytes, "it was in their midst");
    for (u32 i = 0; i < pages; i++) {
        touched += !dma_holds(taken[i], 0x700 + i, 5);
        put_page(taken[i]);
    }
    dma_check(touched == 0, "pages of others stay as they are");
    kprintf("  munmap came after %u of %u bytes\n", dma_bytes_done(), bytes);
    mmput(target);
    mmput(source);
    dma_section(id, "munmap under a transfer: nothing is written afterwards");
}

void dma_invariants(void)
{
    u32 free = nr_free_pages();

    frames();
    dma_user_pages("D.2", "D.3");
    errors();
    dma_unmap_under_transfer("D.5", DMA_PAGES);
    dma_list_invariants();
    dma_fault_invariants();
    mm_switch(NULL);
    invariant("D.6", "pages that are lost", nr_free_pages() != free);
}
