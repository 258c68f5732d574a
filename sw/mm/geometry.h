/* Geometry of translation tables, decided at run time from granule and VA size (spec 3.1).
 *
 * Levels count as the architecture does: 3 holds pages, the start level is where a TTBR points.
 * Host tests compare every function with the specification's tables.
 */
#ifndef MM_GEOMETRY_H
#define MM_GEOMETRY_H

#include "types.h"

#define PAGE_SHIFT_MIN 12
#define PAGE_SHIFT_MAX 16
#define PAGE_SIZE_MAX  (1u << PAGE_SHIFT_MAX)
#define LEAF_LEVEL     3

struct geometry {
    u8 page_shift;  /* 12, 14 or 16 */
    u8 va_bits;     /* 64 - TnSZ */
    u8 level_bits;  /* VA bits that one full table resolves: page_shift - 3 */
    u8 start_level; /* 0..3 */
    /* By level; levels above the start level are not used. */
    u8 shift[LEAF_LEVEL + 1]; /* lowest VA bit that the level resolves */
    u32 mask[LEAF_LEVEL + 1]; /* entries of a table - 1 */
};

/* -EINVAL: page_shift is none of the three, or va_bits outside 16 (64K: 17) to 48. */
int geometry_init(struct geometry *g, unsigned page_shift, unsigned va_bits);

static inline unsigned geometry_levels(const struct geometry *g)
{
    return LEAF_LEVEL + 1 - g->start_level;
}

/* An entry of that level spans 2^shift bytes. */
static inline unsigned geometry_shift(const struct geometry *g, unsigned level)
{
    return g->shift[level];
}

/* Entries of a table below the start level: T of the documents. */
static inline u32 geometry_entries(const struct geometry *g)
{
    return 1u << g->level_bits;
}

static inline u32 geometry_root_entries(const struct geometry *g)
{
    return g->mask[g->start_level] + 1;
}

static inline u32 geometry_root_bytes(const struct geometry *g)
{
    return geometry_root_entries(g) * 8;
}

/* Index of a 64-bit `va` in its table of `level`; VA bits above va_bits never take part. */
static inline u32 geometry_index64(const struct geometry *g, unsigned level, u64 va)
{
    return (u32)(va >> g->shift[level]) & g->mask[level];
}

/* The same for 32-bit addresses: every level in use shifts by less than 32 then. */
static inline u32 geometry_index(const struct geometry *g, unsigned level, vaddr_t va)
{
    return (va >> g->shift[level]) & g->mask[level];
}

/* Blocks exist at levels 1 and 2 with 4K, at level 2 else (without LPA2 and 52-bit PA). */
static inline bool geometry_has_blocks(const struct geometry *g, unsigned level)
{
    return level == 2 || (level == 1 && g->page_shift == 12);
}

/* Encodings of the granule: TCR.TG0, TCR.TG1 (they differ) and TG/TTL of a TLBI operand. */
u32 geometry_tg0(const struct geometry *g);
u32 geometry_tg1(const struct geometry *g);
u32 geometry_tlbi_tg(const struct geometry *g);

/* Capacity arithmetic of document 000 for `bytes` of lowmem: how many PTE pages fit, what one
 * maps, what all of them map. */
static inline u64 geometry_pte_pages(const struct geometry *g, u64 bytes)
{
    return bytes >> g->page_shift;
}

static inline u64 geometry_pte_page_reach(const struct geometry *g)
{
    return (u64)geometry_entries(g) << g->page_shift;
}

static inline u64 geometry_mappable(const struct geometry *g, u64 bytes)
{
    return geometry_pte_pages(g, bytes) * geometry_pte_page_reach(g);
}

#endif
