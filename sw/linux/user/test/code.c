/* Instructions that were data a moment ago: written where they run, or through another address of
 * their page, or copied by fork; each time something else at the same address. */
#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

#include "arch.h"

#define PAGES 2
#define SLOTS (PAGES * PAGE / 16)

uint32_t test_code(struct random *r)
{
    int fd = scratch_file(PAGES), child;
    char *written = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *executed = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
    char *both =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t sum = 0;

    CHECK(written != MAP_FAILED && executed != MAP_FAILED && both != MAP_FAILED);
    write_code(written, 1);
    publish_code(executed, CODE_BYTES);
    for (int step = 0; step < 40; step++) {
        uint32_t offset = random_below(r, SLOTS) * 16, value = random_next(r);

        write_code(written + offset, value);
        publish_code(executed + offset, CODE_BYTES);
        CHECK(call_code(executed + offset) == value);
        offset %= 64; /* so close that the same lines are written again and again */
        write_code(both + offset, ~value);
        publish_code(both + offset, CODE_BYTES);
        CHECK(call_code(both + offset) == ~value);
        sum = mix(mix(sum, value), call_code(executed));
        write_code(written, sum);
        publish_code(executed, CODE_BYTES);
    }
    /* The child's code is its own. */
    child = fork();
    if (child == 0) {
        write_code(both, 17);
        publish_code(both, CODE_BYTES);
        _exit((int)call_code(both));
    }
    write_code(both, 18);
    publish_code(both, CODE_BYTES);
    CHECK(wait_for(child) == 17);
    CHECK(call_code(both) == 18);
    close(fd);
    unmap_pages(written, PAGES);
    unmap_pages(executed, PAGES);
    unmap_pages(both, 1);
    return sum;
}
