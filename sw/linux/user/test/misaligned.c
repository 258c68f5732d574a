/* Accesses at every offset, within a page and across two: over a page that is there, one that was
 * never touched, one that is shared with a child until it is written, and one that is missing. */
#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

#include "arch.h"

#define PAGES 4

static uint32_t sweep(uint8_t *around, struct random *r)
{
    uint32_t sum = 0;

    for (int offset = -7; offset < 5; offset++) {
        uint8_t *at = around + offset;
        uint32_t value = random_next(r);

        sum = mix(sum, load_u32(at));
        store_u32(at, value);
        CHECK(load_u32(at) == value);
        CHECK(load_u16(at + 1) == (uint16_t)(value >> 8));
        CHECK(load_s16(at + 1) == (int16_t)(value >> 8));
        store_u16(at + 1, (uint16_t)~value);
        for (int i = 0; i < 4; i++)
            sum = mix(sum, at[i]);
    }
    return sum;
}

uint32_t test_misaligned(struct random *r)
{
    uint8_t *pages = map_pages(PAGES, 0);
    struct random child_random = {random_next(r)};
    uint32_t sum = sweep(pages + 64, r), value;
    int child;

    /* The second page of each pair has not been touched. */
    sum = mix(sum, sweep(pages + PAGE, r));
    child = fork();
    if (child == 0) {
        uint32_t own = sweep(pages + PAGE, &child_random); /* both pages are copied now */

        own = mix(own, sweep(pages + 2 * PAGE, &child_random));
        _exit(own & 0xff);
    }
    sum = mix(sum, wait_for(child));
    for (int offset = -16; offset < 16; offset++)
        sum = mix(sum, pages[PAGE + offset]); /* not the child's */

    /* The first half is there, the second is not: the fault is that of the second. */
    CHECK(munmap(pages + 3 * PAGE, PAGE) == 0);
    sum = mix(sum, (uint32_t)probe_misaligned(pages + 3 * PAGE - 2, &value));
    sum = mix(sum, (uint32_t)probe_misaligned(pages + 3 * PAGE - 4, &value));
    sum = mix(sum, value);
    unmap_pages(pages, PAGES - 1);
    return sum;
}
