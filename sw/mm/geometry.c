#include "geometry.h"
#include "errno.h"

int geometry_init(struct geometry *g, unsigned page_shift, unsigned entry_shift, unsigned va_bits)
{
    unsigned smallest = page_shift == 16 ? 17 : 16, level_bits = page_shift - entry_shift;

    if (page_shift != 12 && page_shift != 14 && page_shift != 16)
        return -EINVAL;
    if (entry_shift != ENTRY_64 && entry_shift != ENTRY_128)
        return -EINVAL;
    if (va_bits < smallest || va_bits > 48 || (va_bits - 1 - page_shift) / level_bits > LEAF_LEVEL)
        return -EINVAL;
    g->page_shift = (u8)page_shift;
    g->va_bits = (u8)va_bits;
    g->entry_shift = (u8)entry_shift;
    g->level_bits = (u8)level_bits;
    g->start_level = (u8)(LEAF_LEVEL - (va_bits - 1 - page_shift) / g->level_bits);
    for (unsigned level = 0; level <= LEAF_LEVEL; level++) {
        g->shift[level] = (u8)(page_shift + (LEAF_LEVEL - level) * g->level_bits);
        unsigned bits = level == g->start_level ? va_bits - g->shift[level] : g->level_bits;

        g->mask[level] = (1u << bits) - 1;
        g->down[level] = (u8)(32 - bits);
        g->up[level] = (u8)((32 - bits - g->shift[level]) & 31);
    }
    return 0;
}

u32 geometry_tg0(const struct geometry *g)
{
    static const u8 code[] = {0, 2, 1};

    return code[geometry_granule(g)];
}

u32 geometry_tg1(const struct geometry *g)
{
    static const u8 code[] = {2, 1, 3};

    return code[geometry_granule(g)];
}

u32 geometry_tlbi_tg(const struct geometry *g)
{
    return geometry_granule(g) + 1;
}

u64 geometry_pte_pages(const struct geometry *g, u64 bytes)
{
    return bytes >> g->page_shift;
}

u64 geometry_pte_page_reach(const struct geometry *g)
{
    return (u64)geometry_entries(g) << g->page_shift;
}

u64 geometry_mappable(const struct geometry *g, u64 bytes)
{
    return geometry_pte_pages(g, bytes) * geometry_pte_page_reach(g);
}
