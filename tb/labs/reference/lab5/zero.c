// Lab 5: colours and zero pages.
#include "lab5.h"

static uint64_t line_bytes(const struct machine *machine)
{
    return 16ull << (machine->ccsidr & 7);
}

static uint64_t sets(const struct machine *machine)
{
    return (machine->ccsidr >> 32 & 0xffffff) + 1;
}

static unsigned page_shift(const struct machine *machine)
{
    static const unsigned shifts[] = {12, 16, 14, 12};
    return shifts[machine->tcr >> 14 & 3];
}

unsigned set_of(const struct machine *machine, uint64_t va)
{
    return va / line_bytes(machine) & (sets(machine) - 1);
}

// Pages that a way holds; the number of ways does not count.
unsigned colours(const struct machine *machine)
{
    const uint64_t way = sets(machine) * line_bytes(machine);
    const uint64_t pages = way >> page_shift(machine);
    return pages ? pages : 1;
}

unsigned zero_page(const struct machine *machine, uint64_t va)
{
    return va >> page_shift(machine) & (colours(machine) - 1);
}
