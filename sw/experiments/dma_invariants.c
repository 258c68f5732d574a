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

#define PAGES 16u
#define FROM  USER_DATA

static u32 failures;

static void check(bool good, const char *what)
{
    if (!good) {
        failures++;
        kprintf("CHECK FAILED: %s\n", what);
    }
}

static void section(const char *id, const char *what)
{
    kprintf("  %-6s %-58s %s\n", id, what, failures ? "FAILED" : "ok");
    invariant(id, what, failures);
    failures = 0;
}

static vaddr_t to_address(void)
{
    return FROM + (4 * PAGES << PAGE_SHIFT);
}

/* Word i is seed + i; a step of 0: all are seed. */
static void fill(struct page *page, u32 seed, u32 step)
{
    u32 *word = kmap_local_page(page);

    for (u32 i = 0; i < PAGE_SIZE / 4; i++)
        word[i] = seed + i * step;
    kunmap_local(word);
}

static bool holds(struct page *page, u32 seed, u32 step)
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
        fill(from, 0x1000 * (i + 1), 3);
        fill(to, 0xdead, 1);
        dma_begin_copy_page(to, from);
        check(dma_wait() == 0, "copy");
        check(holds(to, 0x1000 * (i + 1), 3), "the copy");
        dma_begin_clear_page(from);
        check(dma_wait() == 0, "clear");
        check(holds(from, 0, 0) && holds(to, 0x1000 * (i + 1), 3), "cleared, and nothing else");
        put_page(from);
        put_page(to);
    }
    section("D.1", "frames of lowmem and highmem: copied, cleared");
}

static struct mm *space_with(vaddr_t start, u32 pages, u32 flags)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm || mm_map(mm, start, pages << PAGE_SHIFT, flags));
    return mm;
}

static u32 peek(struct mm *mm, vaddr_t va)
{
    u32 value = ~0u;

    mm_switch(mm);
    check(get_user(&value, va) == 0, "user word can be read");
    return value;
}

/* The source's first two pages are its own, the others were never touched; nothing of the
 * destination is there. */
static void user_pages(void)
{
    vaddr_t to = to_address();
    struct mm *source = space_with(FROM, 4, VM_DATA), *target = space_with(to, 4, VM_DATA);
    u32 bytes = 3 * PAGE_SIZE, faults = dma_stats.faults;

    mm_switch(source);
    check(put_user(0xa5, FROM + PAGE_SIZE - 4) == 0 && put_user(0xb6, FROM + PAGE_SIZE) == 0,
          "write");
    dma_begin_copy_user(target, to + 8, source, FROM + 8, bytes);
    check(dma_wait() == 0, "copy");
    check(dma_stats.faults > faults, "faults came from the engine");
    check(source->anon_rss == 2 && target->anon_rss == 4, "zero pages read, pages written");
    check(peek(target, to + PAGE_SIZE - 4) == 0xa5 && peek(target, to + PAGE_SIZE) == 0xb6,
          "what was written");
    check(peek(target, to) == 0 && peek(target, to + 2 * PAGE_SIZE) == 0, "zeros");
    section("D.2", "user pages by virtual address; faults are served");

    struct mm *child = mm_alloc();

    BUG_ON(!child || mm_fork(child, target));
    u32 copies = fault_stats.cow_copy;

    dma_begin_copy_user(child, to + PAGE_SIZE, source, FROM + 2 * PAGE_SIZE, PAGE_SIZE);
    check(dma_wait() == 0, "copy into a shared page");
    check(fault_stats.cow_copy == copies + 1, "the write broke the sharing");
    check(peek(child, to + PAGE_SIZE) == 0 && peek(target, to + PAGE_SIZE) == 0xb6, "COW");
    section("D.3", "a shared page is copied before the engine writes it");
    mm_free(child);
    mm_free(target);
    mm_free(source);
}

static void errors(void)
{
    vaddr_t to = to_address();
    struct mm *mm = space_with(FROM, 4, VM_DATA), *fixed_mm = space_with(to, 1, VM_READ);
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
        {mm, FROM, FROM + PAGE_SIZE, 64, 0, "and then it works"},
    };

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
        dma_begin_copy_user(rows[i].to_mm, rows[i].to, mm, rows[i].from, rows[i].bytes);
        check(dma_wait() == rows[i].error, rows[i].what);
    }
    mm_free(fixed_mm);
    mm_free(mm);
    section("D.4", "errors have their code, and the engine goes on");
}

/* munmap while the engine writes the pages. When it returns, they belong to others, who must not
 * see a word of it. That the engine was in their midst is part of the check. */
static void unmap_under_transfer(void)
{
    vaddr_t to = to_address();
    u32 bytes = PAGES << PAGE_SHIFT, touched = 0;
    struct mm *source = space_with(FROM, PAGES, VM_DATA), *target = space_with(to, PAGES, VM_DATA);
    struct page *taken[PAGES];

    for (u32 i = 0; i < PAGES; i++) {
        mm_switch(source);
        check(put_user(~0u, FROM + (i << PAGE_SHIFT)) == 0, "write");
        mm_switch(target);
        check(put_user(~0u, to + (i << PAGE_SHIFT)) == 0, "write");
    }
    dma_begin_copy_user(target, to, source, FROM, bytes);
    while (!dma_bytes_done() && dma_busy())
        ;
    check(mm_unmap(target, to, bytes) == 0, "munmap");
    bool running = dma_busy();

    for (u32 i = 0; i < PAGES; i++) {
        taken[i] = alloc_page(GFP_HIGHUSER);
        BUG_ON(!taken[i]);
        fill(taken[i], 0x700 + i, 5);
    }
    cache_flush_data(); /* a word of the engine would lie in memory */
    check(dma_wait() == -EFAULT, "the engine has lost its pages");
    check(running && dma_bytes_done() > 0 && dma_bytes_done() < bytes, "it was in their midst");
    for (u32 i = 0; i < PAGES; i++) {
        touched += !holds(taken[i], 0x700 + i, 5);
        put_page(taken[i]);
    }
    check(touched == 0, "pages of others stay as they are");
    kprintf("  munmap came after %u of %u bytes\n", dma_bytes_done(), bytes);
    mm_free(target);
    mm_free(source);
    section("D.5", "munmap under a transfer: nothing is written afterwards");
}

void dma_invariants(void)
{
    u32 free = nr_free_pages();

    frames();
    user_pages();
    errors();
    unmap_under_transfer();
    mm_switch(NULL);
    invariant("D.6", "pages that are lost", nr_free_pages() != free);
}
