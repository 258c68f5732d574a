/* What mprotect takes away is gone at once, and what it gives is there, page by page. */
#include "test.h"

#include <signal.h>
#include <sys/mman.h>

#define PAGES 8
#define WORDS (PAGE / 4)

uint32_t test_mprotect(struct random *r)
{
    static const int rights[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE};
    volatile uint32_t *pages = map_pages(PAGES, random_below(r, 2));
    uint32_t content[PAGES] = {0}, sum = 0;
    int right[PAGES];

    for (int i = 0; i < PAGES; i++)
        right[i] = PROT_READ | PROT_WRITE;
    for (int step = 0; step < 4 * PAGES; step++) {
        uint32_t first = random_below(r, PAGES), count = 1 + random_below(r, PAGES - first);
        int now = rights[random_below(r, 3)];

        CHECK(mprotect((void *)(pages + first * WORDS), count * PAGE, now) == 0);
        for (uint32_t i = first; i < first + count; i++)
            right[i] = now;
        for (int i = 0; i < PAGES; i++) {
            volatile uint32_t *word = pages + i * WORDS + i;
            uint32_t value = 0, written = random_next(r);

            CHECK(probe_read(word, &value) == (right[i] & PROT_READ ? 0 : SEGV_ACCERR));
            CHECK(value == (right[i] & PROT_READ ? content[i] : 0));
            CHECK(probe_write(word, written) == (right[i] & PROT_WRITE ? 0 : SEGV_ACCERR));
            if (right[i] & PROT_WRITE)
                content[i] = written;
            sum = mix(sum, value + (uint32_t)right[i]);
        }
    }
    unmap_pages((void *)pages, PAGES);
    return sum;
}
