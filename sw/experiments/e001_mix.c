/* What a sweep of the kmap pool finds when maps are held for different times, drawn from a seed. A
 * sweep takes what nobody holds at that moment: a number that no constant of the pool gives. */
#include "experiments/e001_mix.h"
#include "mm/highmem.h"
#include "panic.h"

#define WHEEL 2048u /* maps that a map may last */

static struct page *due[WHEEL]; /* what ends at which map */
static u32 held, state;

/* xorshift32; below n. */
static u32 below(u32 n)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % n;
}

static void end(u32 at)
{
    struct page **page = &due[at % WHEEL];

    if (!*page)
        return;
    kunmap(*page);
    *page = NULL;
    held--;
}

/* Two that would end at once end one after the other. */
static void hold(struct page *page, u32 at)
{
    while (due[at % WHEEL])
        at++;
    due[at % WHEEL] = page;
    held++;
}

static bool is_held(struct page *page)
{
    void *address = page_address(page);

    return address && pkmap_count[pkmap_nr(address)] > 1;
}

static u32 duration(const struct kmap_mix *mix)
{
    bool lasting = mix->share && below(mix->share) == 0;

    return 1 + below((lasting ? mix->lasting : mix->brief) + 1);
}

struct kmap_mix_result kmap_mix_run(const struct kmap_mix *mix, struct page *ring, u32 sweeps,
                                    void (*touch)(void *address))
{
    struct kmap_mix_result found = {0};
    u32 now = 0;

    BUG_ON(mix->brief + 1 >= WHEEL || mix->lasting + 1 >= WHEEL || !mix->seed);
    state = mix->seed;
    for (; found.sweeps < sweeps; now++) {
        struct pkmap_stats before = pkmap_stats;
        u32 left = held;

        while (is_held(ring))
            ring = mem_map + ring->next;
        touch(kmap(ring));
        hold(ring, now + duration(mix));
        ring = mem_map + ring->next;
        if (before.sweeps && pkmap_stats.sweeps != before.sweeps) {
            u32 swept = pkmap_stats.swept_slots - before.swept_slots;

            found.sweeps++;
            found.swept += swept;
            found.wrong += swept != nr_pkmap - left;
        }
        end(now + 1);
    }
    for (u32 i = 0; held; i++)
        end(i);
    return found;
}
