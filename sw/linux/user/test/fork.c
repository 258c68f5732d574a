/* A child has the memory and the random numbers of its parent, its own copies, and an address space
 * number that a process before it may have had: many rounds use up all of them. */
#include "test.h"

#include <unistd.h>

static uint32_t data = 1; /* the data section and the stack are copied as mappings are */

uint32_t test_fork(struct random *r)
{
    uint32_t stack = random_next(r), before = data, expected = mix(mix(before, stack), 7) & 0xff;
    int child = fork();

    if (child == 0) {
        data = mix(data, stack);
        stack = mix(data, 7);
        _exit(stack & 0xff);
    }
    CHECK(wait_for(child) == expected);
    CHECK(data == before);
    data = mix(stack, expected);
    return mix(expected, stack);
}
