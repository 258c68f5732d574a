// Lab 4: changes of mappings. Something is wrong with each of them.
#include "lab4.h"

#define ADDRESS 0x0000fffffffff000ull

void unmap_page(uint32_t va)
{
    set_descriptor(descriptor_of(va), 0);
}

void protect_page(uint32_t va)
{
    uint64_t *descriptor = descriptor_of(va);
    invalidate(K_VA, va_operand(va));
    set_descriptor(descriptor, *descriptor | READ_ONLY);
}

void remap_page(uint32_t va, uint64_t pa)
{
    uint64_t *descriptor = descriptor_of(va);
    set_descriptor(descriptor, (*descriptor & ~ADDRESS) | pa);
    invalidate(K_VA, va_operand(va));
}

void unmap_pages(uint32_t va, unsigned pages)
{
    for (unsigned i = 0; i < pages; i++)
        unmap_page(va + (i << page_shift));
}

void exit_space(uint16_t of)
{
    (void)of;
    invalidate(K_ALL, 0);
}
