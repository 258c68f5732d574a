// Lab 7 on this computer: asks what stdin asks, and prints `result N` for each question. Numbers
// are decimal.
//
//     choice PAGE_SHIFT VA_BITS      what the questions after it are about; prints nothing
//     levels 0
//     shift LEVEL
//     entries LEVEL
//     reach ENTRIES
//     waste COUNT SIZE...
//     pages COUNT START BYTES ...    prints one result for each area
//     tables COUNT START BYTES ...
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lab7.h"

#define MOST 32

static struct choice choice;

static void result(uint64_t value)
{
    printf("result %" PRIu64 "\n", value);
    fflush(stdout);
}

static unsigned read_numbers(uint64_t *numbers, unsigned count)
{
    unsigned i = 0;
    while (i < count && i < MOST && scanf("%" SCNu64, &numbers[i]) == 1)
        i++;
    return i;
}

static unsigned read_areas(struct area *areas, unsigned count)
{
    uint64_t numbers[2];
    unsigned i = 0;
    while (i < count && i < MOST && read_numbers(numbers, 2) == 2)
        areas[i++] = (struct area){numbers[0], numbers[1]};
    return i;
}

static void ask(const char *what, unsigned number)
{
    uint64_t sizes[MOST];
    struct area areas[MOST];
    if (!strcmp(what, "choice") && scanf("%u", &choice.va_bits) == 1)
        choice.page_shift = number;
    else if (!strcmp(what, "levels"))
        result(levels(&choice));
    else if (!strcmp(what, "shift"))
        result(index_shift(&choice, number));
    else if (!strcmp(what, "entries"))
        result(entries(&choice, number));
    else if (!strcmp(what, "reach"))
        result(reach(&choice, number));
    else if (!strcmp(what, "waste"))
        result(waste(&choice, sizes, read_numbers(sizes, number)));
    else if (!strcmp(what, "tables"))
        result(tables(&choice, areas, read_areas(areas, number)));
    else if (!strcmp(what, "pages"))
        for (unsigned i = 0, count = read_areas(areas, number); i < count; i++)
            result(pages(&choice, &areas[i]));
}

int main(void)
{
    char what[16];
    unsigned number;
    while (scanf("%15s %u", what, &number) == 2)
        ask(what, number);
    return 0;
}
