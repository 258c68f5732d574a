/* Sources: mm/ fs/ tests/machine/ tests/fuzz/
 *
 * Random operations on address spaces, with allocations that fail, on the host machine; compared
 * with the model after each step. Arguments: log2 of the page size, VA bits, steps, seed. */
#include "check.h"
#include "errno.h"
#include "fuzz/judge.h"
#include "fuzz/kernel_side.h"
#include "fuzz/model.h"
#include "machine/machine.h"
#include "mm/highmem.h"
#include "panic.h"
#include <stdio.h>
#include <stdlib.h>

#define HISTORY 12u

/* One operation with its arguments: it can be tried again after it failed. */
struct op {
    const char *name;
    int (*run)(const struct op *);
    struct model *m;
    vaddr_t start, to;
    u32 length, flags, page, value;
    struct model *child;
};

static unsigned page_shift, va_bits;
static u32 steps, seed, step;
static u64 tries, out_of_memory, refusals, successes;
static struct op history[HISTORY];

static void describe(void)
{
    printf("step %u of seed %u, pages of 2^%u bytes, %u VA bits; again with\n"
           "  build/sw-tests/fuzz_mm %u %u %u %u\nlast operations, allocation that fails last:\n",
           step, seed, page_shift, va_bits, page_shift, va_bits, step + 1, seed);
    for (u32 i = HISTORY; i-- > 0;) {
        const struct op *o = &history[(tries - i) % HISTORY];

        if (tries >= i && o->name)
            printf("  %-6s mm %td start 0x%08x length 0x%x to 0x%08x flags %u page 0x%08x\n",
                   o->name, o->m - models, o->start, o->length, o->to, o->flags,
                   sample_va(o->page));
    }
    printf("  allocation %u failed: %s\n", alloc_fails_at, alloc_failed ? "yes" : "no");
}

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted)
        machine_failed("%s returned %d, expected %d", what, got, wanted);
}

static bool no_memory(int error)
{
    return error == -ENOMEM && (alloc_failed || pgtable_ctor_fails);
}

/* ---- operations: 0, the error that had to come, or -ENOMEM with nothing changed ---- */
static int run_map(const struct op *o)
{
    int wanted = model_map(o->m, o->start, o->length, o->flags, false);
    int error = mm_map(o->m->mm, o->start, o->length, o->flags);

    expect("mm_map", error, wanted);
    model_map(o->m, o->start, o->length, o->flags, true);
    return error;
}

static int run_unmap(const struct op *o)
{
    int wanted = model_unmap(o->m, o->start, o->length, false);
    int error = mm_unmap(o->m->mm, o->start, o->length);

    expect("mm_unmap", error, wanted);
    model_unmap(o->m, o->start, o->length, true);
    return error;
}

static int run_move(const struct op *o)
{
    int wanted = model_move(o->m, o->start, o->length, o->to, false);
    int error = mm_move(o->m->mm, o->start, o->length, o->to);

    if (no_memory(error))
        return error;
    expect("mm_move", error, wanted);
    model_move(o->m, o->start, o->length, o->to, true);
    return error;
}

static int run_fork(const struct op *o)
{
    struct mm *mm = mm_alloc();

    if (!mm && !alloc_failed)
        machine_failed("mm_alloc fails although there is memory");
    if (!mm)
        return -ENOMEM;
    int error = mm_fork(mm, o->m->mm);

    if (error) {
        if (!no_memory(error))
            expect("mm_fork", error, 0);
        mm_free(mm);
        return error;
    }
    o->child->mm = mm;
    model_fork(o->child, o->m);
    return 0;
}

static int run_free(const struct op *o)
{
    mm_free(o->m->mm);
    *o->m = (struct model){0};
    return 0;
}

/* Only the first access can fault. */
static int access_page(const struct op *o, enum access kind)
{
    const struct model_content *old = &o->m->content[o->page];
    vaddr_t va = sample_va(o->page);
    u32 words = kind == STORE && old->last ? WORDS - 1 : WORDS;

    for (u32 n = 0; n < words; n++) {
        u32 word = o->value;
        int error = cpu_access(va + word_offset(n), kind, &word);

        if (error && n == 0)
            return error;
        expect("an access to a page that is there", error, 0);
        if (kind != STORE && word != word_of(old, n))
            machine_failed("0x%08x: word %u reads 0x%08x, 0x%08x was written", va, n, word,
                           word_of(old, n));
    }
    return 0;
}

static int run_touch(const struct op *o)
{
    static const u32 needs[] = {[LOAD] = VM_READ, [STORE] = VM_WRITE, [FETCH] = VM_EXEC};
    enum access kind = o->flags;
    bool allowed = model_flags(o->m, sample_va(o->page)) & needs[kind];
    int error = access_page(o, kind);

    if (no_memory(error))
        return error;
    expect("a user access", error, allowed ? 0 : -EFAULT);
    if (kind == STORE && !error) {
        struct model_content *content = &o->m->content[o->page];

        if (!content->last)
            content->first = o->value;
        content->last = o->value;
    }
    return error;
}

/* ---- random arguments ---- */
static u32 below(u32 n)
{
    return pseudo_random() % n;
}

static struct model *some_model(bool alive)
{
    for (u32 n = below(LIVE), i = 0; i < LIVE; i++)
        if (!models[(n + i) % LIVE].mm == !alive)
            return &models[(n + i) % LIVE];
    return NULL;
}

static const struct model_area *some_area(const struct model *m)
{
    for (u32 n = below(NR_VMAS), i = 0; i < NR_VMAS; i++)
        if (m->areas[(n + i) % NR_VMAS].flags)
            return &m->areas[(n + i) % NR_VMAS];
    return NULL;
}

/* A few pages; sometimes from one neighbourhood to another. */
static void pick_range(struct op *o)
{
    o->start = sample_va(below(PAGES));
    vaddr_t last = sample_va(below(PAGES));

    o->length =
        below(16) || last < o->start ? (1 + below(8)) << PAGE_SHIFT : last - o->start + PAGE_SIZE;
}

/* The whole of an area, its lower, upper or middle part, or more than it. */
static void pick_part(struct op *o)
{
    const struct model_area *a = some_area(o->m);

    if (!a || below(4) == 0) {
        pick_range(o);
        return;
    }
    u32 pages = (a->end - a->start) >> PAGE_SHIFT, skip = below(2) ? below(pages) : 0;

    o->start = a->start + (skip << PAGE_SHIFT);
    o->length = (1 + below(pages - skip + (below(4) == 0))) << PAGE_SHIFT;
}

static void spoil(struct op *o)
{
    switch (below(6)) {
    case 0:
        o->start += 4;
        break;
    case 1:
        o->length = below(2) ? 0 : o->length + PAGE_SIZE / 2;
        break;
    case 2:
        o->start = 0;
        break;
    case 3:
        o->length = TASK_SIZE - o->start + PAGE_SIZE;
        break;
    case 4:
        o->flags = below(2) ? VM_WRITE | VM_EXEC : 0;
        break;
    default:
        o->length = 0u - o->start;
    }
}

static struct op map_op(struct model *m)
{
    static const u32 flags[] = {VM_DATA, VM_DATA, VM_READ, VM_READ | VM_EXEC};
    struct op o = {"map", run_map, m, .flags = flags[below(ARRAY_SIZE(flags))]};

    pick_range(&o);
    if (below(12) == 0)
        spoil(&o);
    return o;
}

static struct op unmap_op(struct model *m)
{
    struct op o = {"unmap", run_unmap, m, .flags = 0};

    pick_part(&o);
    if (below(200) == 0)
        o.start = PAGE_SIZE, o.length = TASK_SIZE - PAGE_SIZE;
    else if (below(12) == 0)
        spoil(&o);
    return o;
}

/* Pages with a value must stay in the sample. */
static bool move_stays_in_sample(const struct op *o)
{
    for (u32 i = 0; i < PAGES; i++) {
        bool found = !o->m->content[i].last || sample_va(i) - o->start >= o->length;

        for (u32 n = 0; n < PAGES && !found; n++)
            found = sample_va(n) == sample_va(i) - o->start + o->to;
        if (!found)
            return false;
    }
    return true;
}

static struct op touch_op(struct model *m)
{
    struct op o = {"touch", run_touch, m, .page = below(PAGES), .flags = below(16) ? below(2) : 2};

    o.value = pseudo_random() | 1;
    for (u32 tries_left = 60; tries_left-- && !model_flags(m, sample_va(o.page));)
        o.page = below(PAGES);
    return o;
}

static struct op move_op(struct model *m)
{
    struct op o = {"move", run_move, m, .to = sample_va(below(PAGES))};
    const struct model_area *a = some_area(m);

    if (!a)
        return map_op(m);
    o.start = a->start;
    o.length = a->end - a->start;
    if (below(16) == 0)
        o.length += PAGE_SIZE;
    else if (below(16) == 0)
        o.start += PAGE_SIZE;
    return move_stays_in_sample(&o) ? o : touch_op(m);
}

static struct op fork_op(struct model *m)
{
    struct op o = {"fork", run_fork, m, .child = some_model(false)};

    return o.child ? o : touch_op(m);
}

static struct op free_op(struct model *m)
{
    return (struct op){"free", run_free, m, .flags = 0};
}

static struct op some_op(void)
{
    static struct op (*const makers[])(struct model *) = {
        map_op,   map_op,   map_op,   unmap_op, unmap_op, move_op,  move_op,  fork_op,
        touch_op, touch_op, touch_op, touch_op, touch_op, touch_op, touch_op, touch_op,
    };
    struct model *m = some_model(true);

    return below(48) ? makers[below(ARRAY_SIZE(makers))](m) : free_op(m);
}

/* ---- running ---- */
static int try_op(const struct op *o, u32 fails_at)
{
    history[++tries % HISTORY] = *o;
    alloc_calls = 0;
    alloc_failed = false;
    alloc_fails_at = fails_at;
    int error = o->run(o);

    alloc_fails_at = 0;
    judge(kernel_side_pages());
    out_of_memory += no_memory(error);
    refusals += error && !no_memory(error);
    successes += !error;
    return error;
}

/* Each allocation fails in turn, until the operation comes through. */
static void fail_each_in_turn(const struct op *o)
{
    u32 fails_at = 1;

    while (no_memory(try_op(o, fails_at)) && fails_at < 64)
        fails_at++;
}

static void run_op(const struct op *o)
{
    switch (below(12)) {
    case 0:
        fail_each_in_turn(o);
        break;
    case 1:
        try_op(o, 1 + below(6));
        break;
    case 2:
        pgtable_ctor_fails = true;
        try_op(o, 0);
        pgtable_ctor_fails = false;
        break;
    default:
        try_op(o, 0);
    }
}

static void one_step(void)
{
    hoard_step();
    if (!some_model(true)) {
        models[0] = (struct model){.mm = mm_alloc()};
        if (!models[0].mm)
            return; /* a time of little memory */
    }
    struct op o = some_op();

    if (below(8))
        mm_switch(o.m->mm);
    else if (below(8) == 0)
        mm_switch(NULL);
    if (o.run == run_touch)
        mm_switch(o.m->mm);
    run_op(&o);
    if (below(3) == 0)
        kernel_side_step();
    if (below(64) == 0)
        judge_tables();
}

static vaddr_t random_va(void)
{
    return sample_va(below(PAGES));
}

/* A run that met nothing proves nothing. */
static void check_coverage(void)
{
    printf("%u steps, %llu tries: %llu succeeded, %llu were refused, %llu had no memory; "
           "%u zero pages mapped, %u replaced; %u pages new, %u copied, %u taken over; "
           "TLB hits %u, walks %u, from the walk cache %u\n",
           steps, tries, successes, refusals, out_of_memory, fault_stats.zero_maps,
           fault_stats.cow_zero, fault_stats.anon_new, fault_stats.cow_copy, fault_stats.cow_reuse,
           shadow_hits, shadow_walks, shadow_walk_cache_hits);
    if (steps < 2000)
        return;
    CHECK(tries >= steps);
    CHECK(successes && refusals && out_of_memory && shadow_hits && shadow_walks);
    CHECK(fault_stats.zero_maps && fault_stats.cow_zero && fault_stats.anon_new);
    CHECK(fault_stats.cow_copy && fault_stats.cow_reuse);
    CHECK(shadow_walk_cache_hits || user_geometry.start_level == LEAF_LEVEL);
}

static void finish_spaces(void)
{
    for (struct model *m = models; m < models + LIVE; m++)
        if (m->mm)
            run_free(&(struct op){"free", run_free, m, .flags = 0});
    kernel_side_finish();
    judge(0);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: fuzz_mm PAGE_SHIFT VA_BITS STEPS SEED\n");
        return 2;
    }
    page_shift = (unsigned)atoi(argv[1]);
    va_bits = (unsigned)atoi(argv[2]);
    steps = (u32)atoi(argv[3]);
    seed = (u32)atoi(argv[4]);
    pseudo_random_seed(seed);
    u32 variant = seed + page_shift / 2 + va_bits; /* seed 1 alone meets both of each */

    machine_start(&(struct machine){page_shift, va_bits, 320, 320, variant & 1 ? 4 : 1});
    failure_context = describe;
    CHECK(pkmap_resize(PKMAP_MIN) == 0); /* many sweeps */
    model_init();
    speculation_pick = random_va;
    if ((seed + va_bits) % 4 == 2)
        setup_userpte((char[]){"nohigh"});
    for (step = 0; step < steps; step++) {
        one_step();
        if (steps >= 100000 && step % (steps / 10) == 0)
            fprintf(stderr, "fuzz-mm 2^%u, %u bits: %u of %u steps\n", page_shift, va_bits, step,
                    steps);
    }
    finish_spaces();
    check_coverage();
    CHECK(warn_count == 0);
    return finish();
}
