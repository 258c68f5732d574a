/* exec puts a new program in the place of this one: arguments, environment and an open file come
 * along, memory does not. The new program is this one again, as `echo-status`. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint32_t test_exec(struct random *r)
{
    uint32_t number = random_next(r), told = 0;
    char text[16], variable[32];
    char *arguments[] = {"granule-test", "echo-status", text, NULL};
    char *environment[] = {variable, NULL};
    int ends[2], child;

    snprintf(text, sizeof(text), "%u", number);
    snprintf(variable, sizeof(variable), "NUMBER=%u", ~number);
    CHECK(pipe(ends) == 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], 3);
        execve("/proc/self/exe", arguments, environment);
        _exit(255);
    }
    CHECK(wait_for(child) == (number & 0x7f));
    CHECK(read(ends[0], &told, 4) == 4);
    CHECK(told == ~number);
    close(ends[0]);
    close(ends[1]);
    return mix(mix(0, number), told);
}
