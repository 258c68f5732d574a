/* Sources: lib/string.c
 *
 * granule-stat: a counter that could not be read whole is a dash with a reason, and never a 0. */
#define _GNU_SOURCE
#define main granule_stat
#define read read_event
#include <asm/errno.h>
#include <sys/types.h>

static int errno; /* the firmware's errno.h has only the numbers */
ssize_t read_event(int file, void *buffer, size_t bytes);
#undef _GNU_SOURCE
#include "linux/user/granule_stat.c"
#undef main
#include "check.h"

static ssize_t answer;
static int reason;

ssize_t read_event(int file, void *buffer, size_t bytes)
{
    (void)file;
    memset(buffer, 1, bytes);
    errno = reason;
    return answer;
}

static int error_after(ssize_t bytes, int error)
{
    for (int i = 0; i < COUNTERS; i++)
        counters[i].error = 0;
    answer = bytes;
    reason = error;
    read_counters();
    return counters[CYCLES].error;
}

TEST(what_was_not_read_is_an_error)
{
    CHECK(error_after(24, 0) == 0 && counters[CYCLES].value == 0x0101010101010101u);
    CHECK(error_after(-1, EBADF) == EBADF);
    CHECK(error_after(0, 0) == EIO); /* an event in the state of error reads as nothing */
    CHECK(error_after(8, ENOENT) == EIO);
}
