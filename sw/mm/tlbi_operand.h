/* Operands of TLB invalidation (spec 8.3, 8.4), and how a range becomes operations (8.5). Pure. */
#ifndef MM_TLBI_OPERAND_H
#define MM_TLBI_OPERAND_H

#include "mm/geometry.h"
#include "types.h"

/* Largest range of one operation, in pages; a longer one flushes the whole ASID instead. */
#define TLBI_RANGE_MAX_PAGES (1u << 21)

/* Operands are made of words, and in place: as calls on 64-bit values they would cost more cycles
 * than the invalidation itself. `va` is sign-extended to 64 bits; ttl 0 gives no hint, 1..3 the
 * level. */
static inline u32 tlbi_granule(const struct geometry *g)
{
    return (u32)(g->page_shift - 10) / 2; /* geometry_tlbi_tg */
}

/* Of one page. */
static inline u64 tlbi_va_operand(const struct geometry *g, u64 va, u32 asid, u32 ttl)
{
    u32 hint = ttl ? tlbi_granule(g) << 2 | ttl : 0;

    return (u64)(asid << 16 | hint << 12) << 32 | ((va >> 12) & (BIT64(44) - 1));
}

/* Of (num + 1) << (5 * scale + 1) pages. */
static inline u64 tlbi_range_operand(const struct geometry *g, u64 va, u32 asid, u32 ttl, u32 num,
                                     u32 scale)
{
    u32 shift = g->page_shift, va_high = (u32)(va >> 32);
    u32 low = (u32)va >> shift | va_high << (32 - shift), page_high = va_high >> shift & 31;

    return low |
           (u64)(asid << 16 | tlbi_granule(g) << 14 | scale << 12 | num << 7 | ttl << 5 | page_high)
               << 32;
}

static inline u32 tlbi_range_pages(u32 num, u32 scale)
{
    return (num + 1) << (5 * scale + 1);
}

/* One step of a range: `pages` is covered by a range operation, or a single one if !is_range. */
struct tlbi_step {
    bool is_range;
    u8 num;
    u8 scale;
    u32 pages;
};

/* The next operation for `left` pages (1 .. 2^21); scales come largest first, a last single page
 * by its own operation, as Linux 6.9 does it. At most five steps for any count. */
static inline struct tlbi_step tlbi_next_step(u32 left)
{
    u32 scale = 0, units = left / 2;

    if (!units)
        return (struct tlbi_step){false, 0, 0, 1};
    for (; units >= 32 && scale < 3; scale++)
        units /= 32;
    return (struct tlbi_step){true, (u8)(units - 1), (u8)scale, units << (5 * scale + 1)};
}

#endif
