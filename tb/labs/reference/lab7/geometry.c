// Lab 7: what follows from a page size that boot chooses.
#include "lab7.h"

#define ENTRY_SHIFT 3

static unsigned index_bits(const struct choice *choice)
{
    return choice->page_shift - ENTRY_SHIFT;
}

static uint64_t page_size(const struct choice *choice)
{
    return 1ull << choice->page_shift;
}

static uint64_t last_byte(const struct area *area)
{
    return area->start + area->bytes - 1;
}

unsigned levels(const struct choice *choice)
{
    const unsigned bits = choice->va_bits - choice->page_shift;
    return (bits + index_bits(choice) - 1) / index_bits(choice);
}

static unsigned first_level(const struct choice *choice)
{
    return LAST_LEVEL + 1 - levels(choice);
}

unsigned index_shift(const struct choice *choice, unsigned level)
{
    return choice->page_shift + (LAST_LEVEL - level) * index_bits(choice);
}

uint64_t entries(const struct choice *choice, unsigned level)
{
    if (level < first_level(choice) || level > LAST_LEVEL)
        return 0;
    if (level == first_level(choice))
        return 1ull << (choice->va_bits - index_shift(choice, level));
    return 1ull << index_bits(choice);
}

uint64_t pages(const struct choice *choice, const struct area *area)
{
    return (last_byte(area) >> choice->page_shift) - (area->start >> choice->page_shift) + 1;
}

uint64_t waste(const struct choice *choice, const uint64_t *sizes, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += -sizes[i] & (page_size(choice) - 1);
    return sum;
}

// An entry of one level is a table of the next; of the last one it is a page.
static uint64_t entries_used(unsigned shift, const struct area *areas, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t first = areas[i].start >> shift;
        sum += (last_byte(&areas[i]) >> shift) - first + 1;
        if (i && last_byte(&areas[i - 1]) >> shift == first)
            sum--;
    }
    return sum;
}

uint64_t tables(const struct choice *choice, const struct area *areas, unsigned count)
{
    uint64_t sum = 1;
    for (unsigned level = first_level(choice); level < LAST_LEVEL; level++)
        sum += entries_used(index_shift(choice, level), areas, count);
    return sum;
}

uint64_t copied(const struct choice *choice, const struct area *areas, unsigned count)
{
    return entries_used(choice->page_shift, areas, count) * page_size(choice);
}

uint64_t reach(const struct choice *choice, unsigned tlb_entries)
{
    return tlb_entries * page_size(choice);
}
