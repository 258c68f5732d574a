#include "check.h"
#include "fuzz/op.h"

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
