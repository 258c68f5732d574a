/* Sources: experiments/cache_model.c
 *
 * The model of the cache against what is known: the rates of linux-mm 2.4 and the counts of 2.5,
 * for a page of which the first line is read through several colours. */
#include "check.h"
#include "experiments/cache_model.h"

#define PASSES 1000u

static struct model_place places[MODEL_PLACES];

static u32 total(const struct cache_model *model, u32 n)
{
    struct model_misses m = model_run(model, places, n, PASSES);

    return m.first + m.later;
}

/* In thousandths of a miss a read: `n` lines of one set. */
static u32 rate(u32 ways, u32 n, enum cache_policy policy)
{
    const struct cache_model model = {ways, policy, false};

    for (u32 i = 0; i < n; i++)
        places[i] = (struct model_place){0, i};
    return (model_run(&model, places, n, PASSES).later + PASSES * n / 2000) / n;
}

static bool near(u32 value, u32 wanted, u32 tolerance)
{
    return value + tolerance >= wanted && value <= wanted + tolerance;
}

TEST(rates)
{
    static const struct {
        u32 ways, n, lru, nru, random;
    } rows[] = {
        {8, 8, 0, 0, 0},          {8, 9, 1000, 571, 222}, {8, 10, 1000, 714, 385},
        {8, 16, 1000, 1000, 810}, {4, 5, 1000, 667, 400}, {2, 3, 1000, 1000, 668},
        {16, 17, 1000, 533, 118},
    };

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
        CHECK(rate(rows[i].ways, rows[i].n, CACHE_LRU) == rows[i].lru * 999 / 1000);
        CHECK(near(rate(rows[i].ways, rows[i].n, CACHE_PLRU), rows[i].lru, 6));
        CHECK(near(rate(rows[i].ways, rows[i].n, CACHE_NRU), rows[i].nru, 10));
        CHECK(near(rate(rows[i].ways, rows[i].n, CACHE_RANDOM), rows[i].random, 40));
    }
}

/* `n` pages in `colours` sets, of which each `frames`-th is the same frame. */
static void pages(u32 n, u32 colours, u32 frames, bool physical)
{
    for (u32 i = 0; i < n; i++)
        places[i] = (struct model_place){(physical ? i % frames : i) % colours, i % frames};
}

TEST(designs)
{
    const struct cache_model one = {2, CACHE_LRU, true}, copies = {2, CACHE_LRU, false};

    pages(8, 4, 1, false);
    CHECK(total(&one, 8) == 8000 && total(&copies, 8) == 4);
    pages(9, 4, 1, false); /* the ninth has the colour of the first */
    CHECK(total(&one, 9) == 8001 && total(&copies, 9) == 4);
    pages(8, 4, 1, true);
    CHECK(total(&copies, 8) == 1);
    pages(8, 4, 4, false);
    CHECK(total(&one, 8) == 4 && total(&copies, 8) == 4);
}

/* Eight zero pages and one hot line in eight ways; four hot lines where the only zero page is. */
TEST(crowded)
{
    const struct cache_model eight = {8, CACHE_LRU, false}, four = {4, CACHE_LRU, false};

    pages(8, 1, 8, true);
    places[8] = (struct model_place){0, 99};
    CHECK(total(&eight, 9) == 9000);
    pages(8, 1, 1, true);
    CHECK(total(&eight, 9) == 2);
    for (u32 i = 0; i < 7; i++)
        places[i] = (struct model_place){0, i < 4 ? i : 50};
    CHECK(total(&four, 7) == 5000);
    for (u32 i = 4; i < 7; i++)
        places[i] = (struct model_place){i - 3, 50 + i};
    CHECK(total(&four, 7) == 7);
}
