/* Operands of TLB invalidation (spec 8.3, 8.4), and how a range becomes operations (8.5). Pure. */
#ifndef MM_TLBI_OPERAND_H
#define MM_TLBI_OPERAND_H

#include "mm/geometry.h"
#include "types.h"

/* Largest range of one operation, in pages; a longer one flushes the whole ASID instead. */
#define TLBI_RANGE_MAX_PAGES (1u << 21)

/* Operand of one page. `va` is sign-extended to 64 bits; ttl 0 gives no hint, 1..3 the level. Each
 * unmapping of a kmap_local slot needs one, so it is no call. */
static inline u64 tlbi_va_operand(const struct geometry *g, u64 va, u32 asid, u32 ttl)
{
    u32 granule = (u32)(g->page_shift - 10) / 2; /* geometry_tlbi_tg */
    u32 hint = ttl ? granule << 2 | ttl : 0;

    return (u64)(asid << 16 | hint << 12) << 32 | ((va >> 12) & (BIT64(44) - 1));
}

/* Operand of (num + 1) << (5 * scale + 1) pages. */
u64 tlbi_range_operand(const struct geometry *g, u64 va, u32 asid, u32 ttl, u32 num, u32 scale);

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
struct tlbi_step tlbi_next_step(u32 left);

#endif
