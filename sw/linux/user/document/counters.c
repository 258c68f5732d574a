#define _GNU_SOURCE
#include "counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../events.h"

static const struct {
    uint32_t type, config;
} events[COUNTERS] = {
    [CYCLES] = {HARDWARE(CPU_CYCLES)},
    [INSTRUCTIONS] = {HARDWARE(INSTRUCTIONS)},
    [L1D_MISSES] = {CACHE(L1D, MISS)},
    [DTLB_MISSES] = {CACHE(DTLB, MISS)},
};
const char *const counter_names[COUNTERS] = {"cycles", "instructions", "misses", "tlb"};
const char *const counter_units[COUNTERS] = {"cycles", "instructions", "misses", "misses"};
static int leader = -1;

void counters_open(void)
{
    for (int i = 0; i < COUNTERS; i++) {
        struct perf_event_attr attr = {
            .size = sizeof(attr),
            .type = events[i].type,
            .config = events[i].config,
            .read_format =
                PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        };
        int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);

        if (fd < 0) {
            perror(counter_names[i]);
            exit(1);
        }
        if (leader < 0)
            leader = fd;
    }
}

void counters_read(struct counted *now)
{
    struct {
        uint64_t number, enabled, running, value[COUNTERS];
    } group;

    if (read(leader, &group, sizeof(group)) != sizeof(group) || group.number != COUNTERS ||
        group.enabled != group.running) {
        fprintf(stderr, "counters: not all of them counted all the time\n");
        exit(1);
    }
    for (int i = 0; i < COUNTERS; i++)
        now->value[i] = group.value[i];
}
