/* One page at several addresses: all show the same, whichever was written, and so do read() and
 * write(), which see it at the kernel's address. Neighbouring pages differ in their colour. */
#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

#define PAGES   3
#define ALIASES 5
#define WORDS   (PAGE / 4)

uint32_t test_alias(struct random *r)
{
    int fd = scratch_file(PAGES);
    /* PAGES + 1 apart: the aliases of a page have PAGES + 1 different colours. */
    const size_t apart = (PAGES + 1) * PAGE;
    char *places =
        mmap(NULL, ALIASES * apart + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t content[PAGES * WORDS] = {0}, sum = 0;

    CHECK(places != MAP_FAILED);
    for (uint32_t i = 0; i < ALIASES; i++) {
        char *at = places + i * apart + (i % 2) * PAGE;

        CHECK(mmap(at, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == at);
    }
    for (int step = 0; step < 200; step++) {
        uint32_t alias = random_below(r, ALIASES + 1), word = random_below(r, PAGES * WORDS);
        uint32_t value = random_next(r), seen;
        volatile uint32_t *at = (uint32_t *)(places + alias * apart + (alias % 2) * PAGE) + word;

        if (alias == ALIASES) {
            CHECK(pread(fd, &seen, 4, (off_t)word * 4) == 4);
            CHECK(pwrite(fd, &value, 4, (off_t)word * 4) == 4);
        } else {
            seen = *at;
            *at = value;
        }
        CHECK(seen == content[word]);
        content[word] = value;
        sum = mix(sum, seen);
    }
    for (uint32_t i = 0; i < ALIASES; i++)
        sum = mix_words(sum, (uint32_t *)(places + i * apart + (i % 2) * PAGE), PAGES * WORDS);
    close(fd);
    CHECK(munmap(places, ALIASES * apart + PAGE) == 0);
    return sum;
}
