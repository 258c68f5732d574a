/* Random numbers, checksums, pages and children of the self-tests. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Xorshift of Marsaglia; a state of 0 would stay 0. */
uint32_t random_next(struct random *r)
{
    uint32_t x = r->state ? r->state : 0x9e3779b9;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return r->state = x;
}

uint32_t random_below(struct random *r, uint32_t limit)
{
    return (random_next(r) >> 8) % limit;
}

uint32_t mix(uint32_t sum, uint32_t value)
{
    sum = (sum ^ value) * 0x85ebca6b;
    return sum ^ (sum >> 15);
}

uint32_t mix_words(uint32_t sum, const volatile uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum = mix(sum, words[i]);
    return sum;
}

void check_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: %s does not hold (errno: %s)\n", file, line, condition,
            strerror(errno));
    _exit(1);
}

void *map_pages(size_t pages, int shared)
{
    void *at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
                    (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);

    CHECK(at != MAP_FAILED);
    return at;
}

void unmap_pages(void *at, size_t pages)
{
    CHECK(munmap(at, pages * PAGE) == 0);
}

int scratch_file(size_t pages)
{
    char name[] = "/tmp/scratch-XXXXXX";
    int fd = mkstemp(name);

    CHECK(fd >= 0);
    CHECK(unlink(name) == 0);
    CHECK(ftruncate(fd, (off_t)pages * PAGE) == 0);
    return fd;
}

uint32_t wait_for(int child)
{
    int status = 0;

    CHECK(child > 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}
