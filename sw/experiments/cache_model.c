#include "experiments/cache_model.h"
#include "panic.h"

#define NO_LINE 0xffffffffu

struct model_set {
    u32 id;
    u32 lines[MODEL_WAYS];
    u32 used_at[MODEL_WAYS]; /* true LRU: time of the last use */
    u32 bits;                /* tree-PLRU: a bit for each node; NRU: a bit for each way */
};

static struct model_set sets[MODEL_PLACES];
static u32 nr_sets, now, noise;

static struct model_set *set_of(u32 id)
{
    for (u32 i = 0; i < nr_sets; i++)
        if (sets[i].id == id)
            return &sets[i];
    struct model_set *s = &sets[nr_sets++];

    *s = (struct model_set){.id = id};
    for (u32 w = 0; w < MODEL_WAYS; w++)
        s->lines[w] = NO_LINE;
    return s;
}

static u32 way_of(const struct model_set *s, u32 ways, u32 line)
{
    u32 way = 0;

    while (way < ways && s->lines[way] != line)
        way++;
    return way;
}

/* The bits of a tree point away from the half that was used last; node 1 is the root. */
static void plru_use(struct model_set *s, u32 ways, u32 way)
{
    for (u32 node = 1, half = ways / 2; half; half /= 2) {
        bool upper = way & half;

        s->bits = upper ? s->bits & ~(1u << node) : s->bits | 1u << node;
        node = 2 * node + upper;
    }
}

static u32 plru_victim(const struct model_set *s, u32 ways)
{
    u32 way = 0;

    for (u32 node = 1, half = ways / 2; half; half /= 2) {
        bool upper = s->bits >> node & 1;

        way += upper ? half : 0;
        node = 2 * node + upper;
    }
    return way;
}

static void use(const struct cache_model *model, struct model_set *s, u32 way)
{
    s->used_at[way] = ++now;
    if (model->policy == CACHE_PLRU)
        plru_use(s, model->ways, way);
    if (model->policy == CACHE_NRU) {
        s->bits |= 1u << way;
        if (s->bits == (1u << model->ways) - 1)
            s->bits = 1u << way;
    }
}

static u32 lru_victim(const struct model_set *s, u32 ways)
{
    u32 oldest = 0;

    for (u32 way = 1; way < ways; way++)
        if (s->used_at[way] < s->used_at[oldest])
            oldest = way;
    return oldest;
}

static u32 victim(const struct cache_model *model, const struct model_set *s)
{
    u32 way = way_of(s, model->ways, NO_LINE);

    if (way < model->ways)
        return way;
    switch (model->policy) {
    case CACHE_LRU:
        break;
    case CACHE_PLRU:
        return plru_victim(s, model->ways);
    case CACHE_NRU:
        for (way = 0; s->bits >> way & 1;)
            way++;
        return way;
    case CACHE_RANDOM:
        noise = noise * 1664525u + 1013904223u;
        return noise >> 16 & (model->ways - 1);
    }
    return lru_victim(s, model->ways);
}

static void leave_other_sets(const struct model_set *keep, u32 ways, u32 line)
{
    for (struct model_set *s = sets; s < sets + nr_sets; s++) {
        u32 way = s == keep ? ways : way_of(s, ways, line);

        if (way < ways)
            s->lines[way] = NO_LINE;
    }
}

static bool misses(const struct cache_model *model, const struct model_place *place)
{
    struct model_set *s = set_of(place->set);
    u32 way = way_of(s, model->ways, place->line);
    bool miss = way == model->ways;

    if (miss) {
        if (model->one_copy)
            leave_other_sets(s, model->ways, place->line);
        way = victim(model, s);
        s->lines[way] = place->line;
    }
    use(model, s, way);
    return miss;
}

/* Passes until a loop repeats itself, and passes that are then taken for the rest. True LRU does
 * the same in each pass after the second; the rates of the others have periods of a few passes. */
static u32 settling(const struct cache_model *model)
{
    return model->policy == CACHE_LRU ? 1 : 32;
}

static u32 period(const struct cache_model *model)
{
    return model->policy == CACHE_LRU ? 1 : model->policy == CACHE_RANDOM ? 256 : 64;
}

struct model_misses model_run(const struct cache_model *model, const struct model_place *places,
                              u32 n, u32 passes)
{
    struct model_misses found = {0};
    u32 settled = 1 + settling(model), played = MIN(passes, settled + period(model)), last = 0;

    BUG_ON(n > MODEL_PLACES || model->ways > MODEL_WAYS);
    nr_sets = now = 0;
    noise = 1;
    for (u32 pass = 0; pass < played; pass++) {
        u32 count = 0;

        for (u32 i = 0; i < n; i++)
            count += misses(model, &places[i]);
        if (pass == 0)
            found.first = count;
        else
            found.later += count;
        if (pass >= settled)
            last += count;
    }
    found.later += (u32)((u64)last * (passes - played) / period(model));
    return found;
}
