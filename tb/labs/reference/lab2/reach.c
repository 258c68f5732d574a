// Lab 2: the reach of a TLB, by pointer chasing.
#include "lab2.h"

#define ROUNDS 4
#define LINE   64u
#define MISS   800 // hundredths of a cycle, less than a miss

// Each page has its word in another line, so that the lines of all pages fall into different sets
// of the cache as long as there are sets.
static uint32_t place_in(const struct arena *arena, uint32_t page)
{
    return arena->base + page * arena->page_size + page * LINE % arena->page_size;
}

static uint32_t run(uint32_t place, uint32_t steps)
{
    while (steps--)
        place = *(volatile uint32_t *)place;
    return place;
}

uint32_t chase(const struct arena *arena, uint32_t pages)
{
    for (uint32_t i = 0; i < pages; i++)
        *(uint32_t *)place_in(arena, i) = place_in(arena, (i + 1) % pages);
    const uint32_t first = run(place_in(arena, 0), pages); // fills TLB and cache
    const uint32_t start = cycles();
    run(first, ROUNDS * pages);
    return (cycles() - start) * 100 / (ROUNDS * pages);
}

// Hundredths of a cycle for one round.
static int32_t round_of(const struct arena *arena, uint32_t pages)
{
    return (int32_t)(chase(arena, pages) * pages);
}

// A round grows by the same for each page until something is missed: even one miss in a round of
// hundreds of accesses is seen.
static int fits(const struct arena *arena, uint32_t pages)
{
    const int32_t two = round_of(arena, 2), four = round_of(arena, 4);
    const int32_t straight = two + (four - two) / 2 * (int32_t)(pages - 2);
    return round_of(arena, pages) < straight + MISS;
}

// Doubles until it misses, and then halves the rest.
uint32_t reach(const struct arena *arena)
{
    uint32_t good = 4, bad = 8;
    while (bad < arena->pages && fits(arena, bad)) {
        good = bad;
        bad *= 2;
    }
    if (bad > arena->pages)
        bad = arena->pages;
    while (bad - good > 1) {
        const uint32_t middle = (good + bad) / 2;
        if (fits(arena, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}
