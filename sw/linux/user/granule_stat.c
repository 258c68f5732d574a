/* granule-stat COMMAND [ARGUMENT...]: runs a command and prints what it cost the MMU and the
 * caches, in it and in the processes that it starts, user's and kernel's side together.
 *
 * Linux reads the counters (perf_event_open(2)), the machine-mode firmware hands them to Linux (the
 * SBI's PMU extension). Cache events that perf has a name for go by it, the MMU's own by their
 * number in the hardware (raw events). An event that was not counted all the time is a dash, with
 * the kernel's reason. Exit status: the command's; 125 if it was not run, as of timeout(1).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"

enum {
    CYCLES,
    INSTRUCTIONS,
    ITLB_ACCESS,
    ITLB_MISS,
    DTLB_ACCESS,
    DTLB_MISS,
    L1I_ACCESS,
    L1I_MISS,
    L1D_ACCESS,
    L1D_MISS,
    WALKS,
    WALK_CYCLES,
    WALK_SINGLE,
    WALK_CACHED,
    COUNTERS
};

static struct counter {
    const char *name;
    uint32_t type, config;
    int fd, error; /* error: why there is no value, as errno */
    uint64_t value;
} counters[COUNTERS] = {
    [CYCLES] = {.name = "cycles", HARDWARE(CPU_CYCLES)},
    [INSTRUCTIONS] = {.name = "instructions", HARDWARE(INSTRUCTIONS)},
    [ITLB_ACCESS] = {.name = "iTLB accesses", CACHE(ITLB, ACCESS)},
    [ITLB_MISS] = {.name = "iTLB misses", CACHE(ITLB, MISS)},
    [DTLB_ACCESS] = {.name = "dTLB accesses", CACHE(DTLB, ACCESS)},
    [DTLB_MISS] = {.name = "dTLB misses", CACHE(DTLB, MISS)},
    [L1I_ACCESS] = {.name = "L1I accesses", CACHE(L1I, ACCESS)},
    [L1I_MISS] = {.name = "L1I misses", CACHE(L1I, MISS)},
    [L1D_ACCESS] = {.name = "L1D accesses", CACHE(L1D, ACCESS)},
    [L1D_MISS] = {.name = "L1D misses", CACHE(L1D, MISS)},
    [WALKS] = {.name = "walks", RAW(WALKS)},
    [WALK_CYCLES] = {.name = "walk cycles", RAW(WALK_CYCLES)},
    [WALK_SINGLE] = {.name = "walks of one read", RAW(WALK_SINGLE)},
    [WALK_CACHED] = {.name = "walks from the walk cache", RAW(WALK_CACHED)},
};

/* What a child does before exec is not counted; what it starts is. */
static void open_counters(pid_t child)
{
    for (int i = 0; i < COUNTERS; i++) {
        struct perf_event_attr attr = {
            .size = sizeof(attr),
            .type = counters[i].type,
            .config = counters[i].config,
            .disabled = 1,
            .inherit = 1,
            .enable_on_exec = 1,
            .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        };

        counters[i].fd = (int)syscall(SYS_perf_event_open, &attr, child, -1, -1, 0);
        counters[i].error = counters[i].fd < 0 ? errno : 0;
        if (counters[i].error == ENOSYS) {
            fprintf(stderr, "granule-stat: this kernel has no CONFIG_PERF_EVENTS\n");
            kill(child, SIGKILL);
            exit(125);
        }
    }
}

/* A counter that was taken away for a while would tell too little, so it tells nothing. */
static void read_counters(void)
{
    for (int i = 0; i < COUNTERS; i++) {
        struct {
            uint64_t value, enabled, running;
        } got;

        if (counters[i].error)
            continue;
        ssize_t bytes = read(counters[i].fd, &got, sizeof(got));

        if (bytes != sizeof(got)) /* of a short one errno says nothing */
            counters[i].error = bytes < 0 ? errno : EIO;
        else if (got.running == 0 || got.enabled != got.running)
            counters[i].error = EAGAIN;
        else
            counters[i].value = got.value;
    }
}

/* name: value, and how many of it come on `per` of another. */
static void row(int which, const char *text, int of, unsigned per)
{
    const struct counter *c = &counters[which], *whole = &counters[of];

    if (c->error) {
        fprintf(stderr, "%-26s %14s  (%s)\n", c->name, "-", strerror(c->error));
        return;
    }
    fprintf(stderr, "%-26s %14llu", c->name, (unsigned long long)c->value);
    if (text && !whole->error && whole->value)
        fprintf(stderr, "  %9.2f %s", (double)c->value * per / (double)whole->value, text);
    fprintf(stderr, "\n");
}

static void report(char **command)
{
    fprintf(stderr, "\ngranule-stat:");
    for (; *command; command++)
        fprintf(stderr, " %s", *command);
    fprintf(stderr, "\n");
    row(CYCLES, "an instruction", INSTRUCTIONS, 1);
    row(INSTRUCTIONS, NULL, 0, 0);
    row(WALKS, "of 1000 instructions", INSTRUCTIONS, 1000);
    row(WALK_CYCLES, "a walk", WALKS, 1);
    row(WALK_SINGLE, "% of all walks", WALKS, 100);
    row(WALK_CACHED, "% of all walks", WALKS, 100);
    row(ITLB_ACCESS, NULL, 0, 0);
    row(ITLB_MISS, "% of all accesses", ITLB_ACCESS, 100);
    row(DTLB_ACCESS, NULL, 0, 0);
    row(DTLB_MISS, "% of all accesses", DTLB_ACCESS, 100);
    row(L1I_ACCESS, NULL, 0, 0);
    row(L1I_MISS, "% of all accesses", L1I_ACCESS, 100);
    row(L1D_ACCESS, NULL, 0, 0);
    row(L1D_MISS, "% of all accesses", L1D_ACCESS, 100);
}

int main(int argc, char **argv)
{
    int go[2], status;
    pid_t child;
    char token;

    if (argc < 2) {
        fprintf(stderr, "usage: granule-stat COMMAND [ARGUMENT...]\n");
        return 125;
    }
    if (pipe2(go, O_CLOEXEC)) {
        perror("granule-stat: pipe");
        return 125;
    }
    child = fork();
    if (child < 0) {
        perror("granule-stat: fork");
        return 125;
    }
    if (child == 0) { /* waits until the counters are there */
        if (read(go[0], &token, 1) != 1)
            _exit(125);
        execvp(argv[1], argv + 1);
        fprintf(stderr, "granule-stat: %s: %s\n", argv[1], strerror(errno));
        _exit(125);
    }
    open_counters(child);
    if (write(go[1], "g", 1) != 1 || waitpid(child, &status, 0) != child) {
        perror("granule-stat");
        return 125;
    }
    read_counters();
    report(argv + 1);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
