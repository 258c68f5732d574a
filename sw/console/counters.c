/* counters: since the last time, and in total. */
#include "console/args.h"
#include "console/commands.h"
#include "drivers/pmu.h"
#include "lib/printf.h"

static struct pmu_snapshot last;

static void print_row(u64 since, u64 total, const char *name, const char *text)
{
    kprintf("  %12llu %14llu  %-15s %s\n", since, total, name, text);
}

void cmd_counters(char *args)
{
    struct pmu_snapshot now;

    if (!no_more_arguments(args, "`counters`"))
        return;
    pmu_snapshot(&now);
    kprintf("    since last          total\n");
    print_row(now.cycles - last.cycles, now.cycles, "CYCLES", "clock cycles");
    print_row(now.instret - last.instret, now.instret, "INSTRUCTIONS", "instructions retired");
    for (unsigned i = 0; i < GRANULE_EVENT_COUNT; i++)
        print_row(now.event[i] - last.event[i], now.event[i], pmu_name(i), pmu_description(i));
    pmu_snapshot(&last); /* without what the printing took */
}
