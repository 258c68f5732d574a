#include "check.h"
#include "errno.h"
#include "fuzz/fuzz.h"

/* ---- what they do ---- */
static int expect(const char *what, int got, int wanted)
{
    if (got != wanted)
        machine_failed("%s returned %d, expected %d", what, got, wanted);
    return got;
}

bool no_memory(int error)
{
    return error == -ENOMEM && (alloc_failed || pgtable_ctor_fails);
}

static int run_map(const struct op *o)
{
    int error = mm_map(o->m->mm, o->start, o->length, o->flags);

    return expect("mm_map", error, model_map(o->m, o->start, o->length, o->flags));
}

static int run_unmap(const struct op *o)
{
    int error = mm_unmap(o->m->mm, o->start, o->length);

    return expect("mm_unmap", error, model_unmap(o->m, o->start, o->length));
}

static int run_protect(const struct op *o) /* it needs no memory */
{
    int error = mm_protect(o->m->mm, o->start, o->length, o->flags);

    return expect("mm_protect", error, model_protect(o->m, o->start, o->length, o->flags));
}

static int run_move(const struct op *o)
{
    int error = mm_move(o->m->mm, o->start, o->length, o->to);

    if (no_memory(error))
        return error;
    return expect("mm_move", error, model_move(o->m, o->start, o->length, o->to));
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
        mmput(mm);
        return error;
    }
    *o->child = *o->m;
    o->child->mm = mm;
    return 0;
}

int run_free(const struct op *o)
{
    mmput(o->m->mm);
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

int run_touch(const struct op *o)
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

/* ---- which ---- */
struct model *some_model(bool alive)
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
    u32 way = below(6);

    if (way == 0)
        o->start += 4;
    else if (way == 1)
        o->length = below(2) ? 0 : o->length + PAGE_SIZE / 2;
    else if (way == 2)
        o->start = 0;
    else if (way == 3)
        o->length = TASK_SIZE - o->start + PAGE_SIZE;
    else if (way == 4)
        o->flags = below(2) ? VM_WRITE | VM_EXEC : 0;
    else
        o->length = 0u - o->start;
}

static u32 some_flags(void)
{
    static const u32 flags[] = {VM_DATA, VM_DATA, VM_READ, VM_READ | VM_EXEC};

    return flags[below(ARRAY_SIZE(flags))];
}

static struct op map_op(struct model *m)
{
    struct op o = {"map", run_map, m, .flags = some_flags()};

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

static struct op protect_op(struct model *m)
{
    struct op o = {"protect", run_protect, m, .flags = some_flags()};

    pick_part(&o);
    if (below(12) == 0)
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

struct op some_op(void)
{
    static struct op (*const makers[])(struct model *) = {
        map_op,   map_op,   map_op,     unmap_op,   unmap_op, move_op,
        move_op,  fork_op,  protect_op, protect_op, touch_op, touch_op,
        touch_op, touch_op, touch_op,   touch_op,   touch_op, touch_op,
    };
    struct model *m = some_model(true);

    return below(48) ? makers[below(ARRAY_SIZE(makers))](m) : free_op(m);
}
