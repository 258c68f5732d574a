// Lab 4: changes of mappings.
#include "lab4.h"

#define ADDRESS 0x0000fffffffff000ull
#define SCALES  4
#define MOST    32 // pages of the unit of a scale

void unmap_page(uint32_t va)
{
    set_descriptor(descriptor_of(va), 0);
    invalidate(K_VA, va_operand(va));
}

void protect_page(uint32_t va)
{
    uint64_t *descriptor = descriptor_of(va);
    set_descriptor(descriptor, *descriptor | READ_ONLY);
    invalidate(K_VA, va_operand(va));
}

// Break before make.
void remap_page(uint32_t va, uint64_t pa)
{
    uint64_t *descriptor = descriptor_of(va);
    const uint64_t attributes = *descriptor & ~ADDRESS;
    unmap_page(va);
    set_descriptor(descriptor, attributes | pa);
}

// The largest units first; what is left of one page has no range.
static void invalidate_pages(uint32_t va, unsigned pages)
{
    for (int scale = SCALES - 1; scale >= 0; scale--) {
        const unsigned shift = 5 * scale + 1;
        unsigned units = pages >> shift;
        if (!units)
            continue;
        if (units > MOST)
            units = MOST;
        invalidate(K_RANGE, range_operand(va, scale, units - 1));
        va += units << shift << page_shift;
        pages -= units << shift;
    }
    if (pages)
        invalidate(K_VA, va_operand(va));
}

void unmap_pages(uint32_t va, unsigned pages)
{
    for (unsigned i = 0; i < pages; i++)
        set_descriptor(descriptor_of(va + (i << page_shift)), 0);
    invalidate_pages(va, pages);
}

void exit_space(uint16_t of)
{
    invalidate(K_ASID, asid_operand(of));
}
