/* Shared memory: two processes write a page in turns, each changes what the other wrote. */
#include "test.h"

#include <unistd.h>

#define PAGES 4
#define WORDS (PAGE / 4)
#define TURNS 12

static uint32_t turn(volatile uint32_t *pages, uint32_t key)
{
    uint32_t sum = 0;

    for (uint32_t i = key % 7; i < PAGES * WORDS; i += 61) {
        sum = mix(sum, pages[i]);
        pages[i] = mix(pages[i], key + i);
    }
    return sum;
}

static uint32_t take_turns(volatile uint32_t *pages, uint32_t key, int in, int out)
{
    uint32_t sum = 0;
    char token;

    for (int i = 0; i < TURNS; i++) {
        CHECK(read(in, &token, 1) == 1);
        sum = mix(sum, turn(pages, key + (uint32_t)i));
        CHECK(write(out, "t", 1) == 1);
    }
    return sum;
}

uint32_t test_shared(struct random *r)
{
    volatile uint32_t *pages = map_pages(PAGES, 1), *told = map_pages(1, 1);
    uint32_t key = random_next(r), sum;
    int ours[2], theirs[2], child;
    char token;

    CHECK(pipe(ours) == 0 && pipe(theirs) == 0);
    child = fork();
    if (child == 0) {
        *told = take_turns(pages, key, theirs[0], ours[1]);
        _exit(0);
    }
    CHECK(write(ours[1], "t", 1) == 1);
    sum = take_turns(pages, key * 3, ours[0], theirs[1]);
    CHECK(read(ours[0], &token, 1) == 1);
    CHECK(wait_for(child) == 0);
    sum = mix_words(mix(sum, *told), pages, PAGES * WORDS);
    for (int i = 0; i < 2; i++) {
        close(ours[i]);
        close(theirs[i]);
    }
    unmap_pages((void *)pages, PAGES);
    unmap_pages((void *)told, 1);
    return sum;
}
