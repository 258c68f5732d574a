/* Operands of TLB invalidation (spec 8.3, 8.4), and how a range becomes operations (8.5). Pure. */
#ifndef MM_TLBI_OPERAND_H
#define MM_TLBI_OPERAND_H

#include "types.h"

/* Largest range of one operation, in pages; a longer one flushes the whole ASID instead. */
#define TLBI_RANGE_MAX_PAGES (1u << 21)

/* log2 of the unit in which a range's base counts where entries have 128 bits. */
#define TLBI_WIDE_SHIFT 16

/* Operands are made of words, and in place: as calls on 64-bit values they would cost more cycles
 * than the invalidation itself. Addresses are sign-extended to 64 bits. */

/* What is promised about an entry: its granule (1, 2, 3 for 4K, 16K, 64K) and its level. */
#define TLBI_HINT(granule, level) (((granule) << 2 | (level)) << 12)
#define TLBI_NO_HINT              0u

/* Of one page. */
static inline u64 tlbi_va_operand(u64 va, u32 asid, u32 hint)
{
    return (u64)(asid << 16 | hint) << 32 | ((va >> 12) & (BIT64(44) - 1));
}

/* Of (num + 1) << (5 * scale + 1) pages from the address `page << page_shift` on; level 0 promises
 * nothing. */
static inline u64 tlbi_range_operand(u64 page, u32 granule, u32 asid, u32 level, u32 num, u32 scale)
{
    u32 low = (u32)page, high = (u32)(page >> 32) & 31;

    return low | (u64)(asid << 16 | granule << 14 | scale << 12 | num << 7 | level << 5 | high)
                     << 32;
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
