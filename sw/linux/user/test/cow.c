/* Copy on write: parent and child write the same pages at the same time, and each sees only its
 * own; so do two children, one of them a grandchild. */
#include "test.h"

#include <unistd.h>

#define PAGES 12
#define WORDS (PAGE / 4)

/* Every page has one word that differs from what it began with. */
static uint32_t change(volatile uint32_t *pages, struct random *r)
{
    uint32_t sum = 0;

    for (int i = 0; i < 2 * PAGES; i++) {
        uint32_t at = random_below(r, PAGES * WORDS);

        pages[at] = mix(pages[at], random_next(r));
        sum = mix(sum, pages[at]);
    }
    return mix_words(sum, pages, PAGES * WORDS);
}

uint32_t test_cow(struct random *r)
{
    volatile uint32_t *pages = map_pages(PAGES, 0);
    volatile uint32_t *told = map_pages(1, 1); /* what the children found */
    struct random child_random = {random_next(r)};
    uint32_t sum;
    int child;

    for (uint32_t i = 0; i < PAGES; i++) {
        uint32_t word = random_below(r, WORDS), value = random_next(r);

        if (value & 0x3000) /* the others are the zero page yet */
            pages[i * WORDS + word] = value;
    }

    child = fork();
    if (child == 0) {
        struct random grandchild_random = {random_next(&child_random)};
        int grandchild;

        told[0] = change(pages, &child_random);
        grandchild = fork();
        if (grandchild == 0) {
            told[1] = change(pages, &grandchild_random);
            _exit(0);
        }
        told[2] = change(pages, &child_random);
        CHECK(wait_for(grandchild) == 0);
        told[3] = mix_words(0, pages, PAGES * WORDS);
        _exit(0);
    }
    sum = change(pages, r);
    CHECK(wait_for(child) == 0);
    sum = mix_words(sum, pages, PAGES * WORDS);
    sum = mix_words(sum, told, 4);
    unmap_pages((void *)pages, PAGES);
    unmap_pages((void *)told, 1);
    return sum;
}
