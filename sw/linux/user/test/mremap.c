/* A mapping that moves, grows or shrinks takes its pages along; the old place is empty. */
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/mman.h>

#define MOST  12
#define WORDS (PAGE / 4)

static uint32_t sum_of(const volatile uint32_t *pages, uint32_t count)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum = mix(mix(sum, pages[i * WORDS]), pages[(i + 1) * WORDS - 1]);
    return sum;
}

/* The page first, then the value: an assignment alone leaves that to the compiler. */
static void write_somewhere(volatile uint32_t *pages, uint32_t count, uint32_t word,
                            struct random *r)
{
    uint32_t page = random_below(r, count);

    pages[page * WORDS + word] = random_next(r);
}

uint32_t test_mremap(struct random *r)
{
    uint32_t count = 1 + random_below(r, MOST), sum = 0, value;
    /* A reservation holds every place that is moved to, so that no other mapping is there. */
    char *places = mmap(NULL, 2 * MOST * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile uint32_t *pages = map_pages(count, 0);

    CHECK(places != MAP_FAILED);
    for (int step = 0; step < 16; step++) {
        uint32_t larger = 1 + random_below(r, MOST), kept = larger < count ? larger : count;
        uint32_t half = (uint32_t)step % 2, before;
        volatile uint32_t *old = pages;
        void *target = places + half * MOST * PAGE;

        write_somewhere(pages, count, 0, r);
        write_somewhere(pages, count, WORDS - 1, r);
        before = sum_of(pages, kept);
        pages =
            mremap((void *)old, count * PAGE, larger * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, target);
        CHECK(pages == target);
        CHECK(sum_of(pages, kept) == before);
        if (larger > count)
            CHECK(pages[count * WORDS] == 0);
        CHECK(probe_read(old, &value) == SEGV_MAPERR);
        count = larger;
        sum = mix(sum, sum_of(pages, count));
    }
    unmap_pages((void *)pages, count);
    munmap(places, 2 * MOST * PAGE);
    return sum;
}
