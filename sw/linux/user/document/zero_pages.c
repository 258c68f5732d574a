/* document-002 RUN: the loops of document 002 over memory that was never written, which Linux maps
 * to its zero pages. The document reads 8 or 9 pages at their first line, many times; whole pages
 * are read as well. What the loops cost comes as lines of the form that the firmware's results have
 * (RESULT), under the name RUN. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "counters.h"

#define PAGE   4096u
#define LINE   64u
#define COLOUR 65536u /* a step that keeps the colour: no way is larger */

static const struct loop {
    const char *id, *what;
    unsigned reads, step, passes;
} loops[] = {
    {"empty", "nothing_between_two_readings", 0, PAGE, 0},
    {"read8", "8_reads_in_steps_of_a_page_1000_passes", 8, PAGE, 1000},
    {"read9", "9_reads_in_steps_of_a_page_1000_passes", 9, PAGE, 1000},
    {"colour8", "8_reads_of_one_colour_1000_passes", 8, COLOUR, 1000},
    {"whole4", "all_lines_of_4_pages_100_passes", 4 * PAGE / LINE, LINE, 100},
    {"whole8", "all_lines_of_8_pages_100_passes", 8 * PAGE / LINE, LINE, 100},
};
enum { LOOPS = sizeof(loops) / sizeof(loops[0]) };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Memory of its own, of which the first address has colour 0. */
static volatile uint8_t *untouched(size_t bytes)
{
    void *all =
        mmap(NULL, bytes + COLOUR, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (all == MAP_FAILED)
        fail("mmap");
    return (volatile uint8_t *)(((uintptr_t)all + COLOUR - 1) & ~(uintptr_t)(COLOUR - 1));
}

static unsigned passes(const struct loop *loop, volatile uint8_t *base, unsigned number)
{
    unsigned sum = 0;

    while (number--)
        for (unsigned i = 0; i < loop->reads; i++)
            sum += base[i * loop->step];
    return sum;
}

/* What the loop's passes cost. */
static struct counted measure(const struct loop *loop)
{
    volatile uint8_t *base = untouched(loop->reads * loop->step + LINE);
    struct counted before, after;
    unsigned sum = passes(loop, base, 1); /* faults come here */

    counters_read(&before);
    sum += passes(loop, base, loop->passes);
    counters_read(&after);
    if (sum) {
        fprintf(stderr, "document-002: a zero page is not zero\n");
        exit(1);
    }
    for (int i = 0; i < COUNTERS; i++)
        after.value[i] -= before.value[i];
    return after;
}

static void print(const struct loop *loop, const struct counted *cost, const char *run)
{
    for (int i = 0; i < COUNTERS; i++)
        printf("RESULT id=L2.%s.%s run=%s class=figure value=%llu unit=%s what=%s\n", loop->id,
               counter_names[i], run, (unsigned long long)cost->value[i], counter_units[i],
               loop->what);
}

int main(int argc, char **argv)
{
    struct counted costs[LOOPS], warm;

    if (argc != 2) {
        fprintf(stderr, "usage: document-002 RUN\n");
        return 2;
    }
    counters_open();
    counters_read(&warm);
    /* The console sends what is printed by interrupts: first all is measured. */
    for (int i = 0; i < LOOPS; i++)
        costs[i] = measure(&loops[i]);
    for (int i = 0; i < LOOPS; i++)
        print(&loops[i], &costs[i], argv[1]);
    return 0;
}
