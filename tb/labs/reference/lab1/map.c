// Lab 1: fill translation tables, for every granule.
#include "lab1.h"

#define VALID       1ull
#define TABLE       2ull // at the last level: a page
#define ADDRESS_TOP 48

static unsigned index_bits(const struct space *space)
{
    return space->granule - 3;
}

// The lowest address bit that chooses a descriptor of this level.
static unsigned lowest_bit(const struct space *space, int level)
{
    return space->granule + (3 - level) * index_bits(space);
}

static int start_level(const struct space *space)
{
    return 3 - (int)((space->va_bits - 1 - space->granule) / index_bits(space));
}

static uint64_t address_of(const struct space *space, uint64_t descriptor)
{
    return descriptor & ((1ull << ADDRESS_TOP) - 1) & ~((1ull << space->granule) - 1);
}

static int map_at(const struct space *space, uint64_t va, uint64_t pa, uint64_t attributes,
                  int last)
{
    const uint64_t offset = (1ull << lowest_bit(space, last)) - 1;
    if ((va & offset) || (pa & offset) || va >> space->va_bits || pa >> ADDRESS_TOP)
        return -EINVAL;
    uint64_t *table = table_at(space->root);
    for (int level = start_level(space);; level++) {
        uint64_t index = va >> lowest_bit(space, level);
        if (level > start_level(space))
            index &= (1ull << index_bits(space)) - 1;
        uint64_t *descriptor = &table[index];
        if (level == last) {
            if (*descriptor & VALID)
                return -EEXIST;
            *descriptor = pa | attributes | VALID | (last == 3 ? TABLE : 0);
            return 0;
        }
        if (!(*descriptor & VALID)) {
            const uint64_t made = new_table();
            if (!made)
                return -ENOMEM;
            *descriptor = made | TABLE | VALID;
        } else if (!(*descriptor & TABLE)) {
            return -EEXIST; // a block
        }
        table = table_at(address_of(space, *descriptor));
    }
}

int map_page(const struct space *space, uint64_t va, uint64_t pa, uint64_t attributes)
{
    return map_at(space, va, pa, attributes, 3);
}

int map_block(const struct space *space, uint64_t va, uint64_t pa, uint64_t attributes)
{
    return map_at(space, va, pa, attributes, 2);
}
