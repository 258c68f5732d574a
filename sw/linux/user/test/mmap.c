/* Pages come as zeros, keep what is written, and are gone after munmap, in any order of pieces. */
#include "test.h"

#include <signal.h>
#include <sys/mman.h>

#define PAGES 16
#define WORDS (PAGE / 4)

uint32_t test_mmap(struct random *r)
{
    volatile uint32_t *pages = map_pages(PAGES, random_below(r, 2));
    uint32_t content[PAGES] = {0}, sum = 0, value;
    int gone[PAGES] = {0};

    for (int step = 0; step < 3 * PAGES; step++) {
        uint32_t page = random_below(r, PAGES), choice = random_below(r, 8);
        volatile uint32_t *word = pages + page * WORDS + 5;

        if (gone[page]) {
            CHECK(probe_read(word, &value) == SEGV_MAPERR);
            CHECK(probe_write(word, 1) == SEGV_MAPERR);
            if (choice < 4) { /* the hole is filled again, with zeros */
                void *at = mmap((void *)(pages + page * WORDS), PAGE, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

                CHECK(at == (void *)(pages + page * WORDS));
                gone[page] = 0;
                content[page] = 0;
            }
        } else if (choice == 0) {
            unmap_pages((void *)(pages + page * WORDS), 1);
            gone[page] = 1;
        } else {
            CHECK(*word == content[page]);
            if (choice < 5)
                *word = content[page] = random_next(r);
            sum = mix(sum, *word + choice);
        }
        sum = mix(sum, (uint32_t)gone[page] << 8 | page);
    }
    unmap_pages((void *)pages, PAGES); /* holes are no error */
    CHECK(probe_read(pages, &value) == SEGV_MAPERR);
    return sum;
}
