/* Document 002: one measured loop. It runs in a task over mappings that were made for it; beside
 * what it cost stands what a model of the cache expects of the very same addresses. */
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "lib/string.h"
#include "mm/audit.h"
#include "mm/pgtable.h"
#include "panic.h"

struct cache_geometry e002_cache;
enum l1d_alias_mode e002_mode;
u32 e002_dtlb_misses, e002_violations;

/* The task has read its last word: its mappings are looked at before they go. */
static void at_mark(u32 mark)
{
    (void)mark;
    e002_violations += mm_audit(current_mm).violations;
}

static void insert_page(struct mm *mm, vaddr_t address, struct page *page)
{
    struct pte_slot *slot = pte_alloc_map(mm, address);

    if (!slot)
        panic("e002: no memory for a page table");
    set_pte(slot, mk_pte(page, PROT_USER));
    pte_unmap(slot);
    mm->anon_rss++;
}

/* Gives pages frames of one aligned block, so that their physical colours are known too. Returns
 * the first frame. */
static pfn_t insert_frames(struct mm *mm, const struct loop *loop)
{
    u32 frames = loop->own_pages * loop->frame_step;
    unsigned order = 0;

    while (1u << order < frames)
        order++;
    struct page *block = alloc_pages(GFP_HIGHUSER, order);

    if (!block)
        panic("e002: no block of %u pages for %s", 1u << order, loop->what);
    split_page(block, order);
    for (u32 i = 0; i < loop->own_pages; i++) {
        struct page *page = block + loop->frame_colour + i * loop->frame_step;

        insert_page(mm, (loop->base & PAGE_MASK) + (loop->own + i) * PAGE_SIZE, page);
        get_page(page);
    }
    for (u32 i = 0; i < 1u << order; i++)
        put_page(block + i); /* the mappings have their own references */
    return page_to_pfn(block) + loop->frame_colour;
}

static struct model_misses expected(const struct loop *loop, pfn_t frames)
{
    const struct cache_model model = {e002_cache.ways, cache_policy(), e002_mode == L1D_ONE_COPY};
    struct model_place places[MODEL_PLACES];
    u32 line = e002_cache.line_bytes, sets = e002_cache.sets;

    if (loop->n > MODEL_PLACES)
        return (struct model_misses){0};
    for (u32 i = 0; i < loop->n; i++) {
        vaddr_t va = loop->base + i * loop->stride;
        u32 page = (va >> PAGE_SHIFT) - (loop->base >> PAGE_SHIFT) - loop->own;
        pfn_t pfn = page < loop->own_pages ? frames + page * loop->frame_step : my_zero_pfn(va);
        paddr_t pa = pfn_to_paddr(pfn) | (va & ~PAGE_MASK);
        paddr_t index = e002_mode == L1D_PHYSICAL ? pa : va;

        places[i] = (struct model_place){(u32)(index / line) & (sets - 1), (u32)(pa / line)};
    }
    return model_run(&model, places, loop->n, loop->passes);
}

static void row(const struct loop *loop, const struct outcome *o)
{
    kprintf("  %-4s %-34s %2u %5u %6u %9s %6u %6u %8s %4u\n", loop->run, loop->what, loop->n,
            o->r.cold.l1d_miss, o->r.steady.l1d_miss, fixed(miss_rate(o), 4), o->r.steady.l1d_evict,
            o->r.steady.l1d_alias_move, fixed(read_cycles(o), 2), o->r.steady.dtlb_miss);
}

void e002_table_head(void)
{
    kprintf("  run  what                                n  cold misses miss/read evicts  moves "
            "cyc/read dtlb\n");
}

struct outcome probe(const struct loop *loop)
{
    const u32 args[] = {loop->base, loop->stride, loop->n, loop->passes, loop->flags, loop->work};
    struct task *task = task_create((void (*)(void))user_probe, ARRAY_SIZE(args), args);
    struct outcome o = {.n = loop->n, .reads = loop->n * (loop->passes - 1)};
    vaddr_t start = loop->base & PAGE_MASK;
    pfn_t frames = 0;

    if (!task || mm_map(task->mm, start,
                        ALIGN_UP(loop->base + loop->n * loop->stride - start, PAGE_SIZE), VM_DATA))
        panic("e002: no task for the loop of %s", loop->what);
    if (loop->own_pages)
        frames = insert_frames(task->mm, loop);
    o.model = expected(loop, frames);
    task_mark_hook = loop->run ? at_mark : NULL;
    if (task_run(task) != 0)
        panic("e002: the loop of %s did not run", loop->what);
    task_mark_hook = NULL;
    memcpy(&o.r, task_report, sizeof o.r);
    if (loop->stride >= BIT(GRANULE_SHIFT(0u)))
        e002_dtlb_misses += o.r.cold.dtlb_miss + o.r.steady.dtlb_miss;
    if (loop->run)
        row(loop, &o);
    return o;
}

struct outcome probe_lines(const char *run, const char *what, u32 n, u32 passes)
{
    u32 way = cache_way_bytes(&e002_cache);
    const struct loop loop = {.run = run,
                              .what = what,
                              .base = USER_DATA,
                              .stride = way,
                              .n = n,
                              .passes = passes,
                              .own_pages = ALIGN_UP(n * way, PAGE_SIZE) >> PAGE_SHIFT,
                              .frame_step = 1};

    return probe(&loop);
}

u32 all_misses(const struct outcome *o)
{
    return o->r.cold.l1d_miss + o->r.steady.l1d_miss;
}

u32 all_moves(const struct outcome *o)
{
    return o->r.cold.l1d_alias_move + o->r.steady.l1d_alias_move;
}

u32 all_cycles(const struct outcome *o)
{
    return o->r.cold.cycles + o->r.steady.cycles;
}

s64 miss_rate(const struct outcome *o)
{
    return ratio_e6(o->r.steady.l1d_miss, o->reads);
}

s64 read_cycles(const struct outcome *o)
{
    return ratio_e6(o->r.steady.cycles, o->reads);
}

/* In millionths of a miss a read. */
static s64 tolerance(void)
{
    switch (cache_policy()) {
    case CACHE_LRU:
        return 0;
    case CACHE_PLRU:
    case CACHE_NRU:
        return E6 / 1000; /* the model plays a part of the passes */
    case CACHE_RANDOM:
        break;
    }
    return E6 / 20;
}

void misses_modelled(const char *id, const char *what, const struct outcome *o)
{
    u32 model = o->model.first + o->model.later;

    modelled(id, what, all_misses(o) * E6, "misses", model * E6, tolerance() * (o->reads + o->n));
}

void rate_modelled(const char *id, const char *what, const struct outcome *o)
{
    modelled(id, what, miss_rate(o), "miss/read", ratio_e6(o->model.later, o->reads), tolerance());
}
