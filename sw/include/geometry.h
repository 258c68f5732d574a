/* Geometry of translation tables, decided at run time from granule, VA size and the size of an
 * entry (spec 3.1, 10.2).
 *
 * Levels count as the architecture does: 3 holds pages, the start level is where a TTBR points.
 * Host tests compare every function with the specification's tables.
 */
#ifndef GEOMETRY_H
#define GEOMETRY_H

#include "types.h"

/* What this image can be booted with; an image of one page size has GRANULE_FIXED_SHIFT. */
#ifdef GRANULE_FIXED_SHIFT
#define PAGE_SHIFT_MIN GRANULE_FIXED_SHIFT
#define PAGE_SHIFT_MAX GRANULE_FIXED_SHIFT
#else
#define PAGE_SHIFT_MIN 12
#define PAGE_SHIFT_MAX 16
#endif
#define PAGE_SIZE_MAX (1u << PAGE_SHIFT_MAX)

/* log2 of the bytes of an entry. Only an image that is built for it can choose
 * (GRANULE_ENTRY_CHOICE), and another one can have nothing but large entries
 * (GRANULE_ENTRY_SHIFT=4). */
#define ENTRY_64  3
#define ENTRY_128 4
#if defined(GRANULE_ENTRY_CHOICE)
#define ENTRY_SHIFT_MIN ENTRY_64
#define ENTRY_SHIFT_MAX ENTRY_128
#elif defined(GRANULE_ENTRY_SHIFT)
#define ENTRY_SHIFT_MIN GRANULE_ENTRY_SHIFT
#define ENTRY_SHIFT_MAX GRANULE_ENTRY_SHIFT
#else
#define ENTRY_SHIFT_MIN ENTRY_64
#define ENTRY_SHIFT_MAX ENTRY_64
#endif
#define ENTRY_CHOICE (ENTRY_SHIFT_MIN != ENTRY_SHIFT_MAX)

/* Granules by number: 0, 1, 2 are 4K, 16K, 64K. */
#define NR_GRANULES      3u
#define GRANULE_SHIFT(n) (12 + 2 * (n))

#define LEAF_LEVEL 3

struct geometry {
    u8 page_shift;  /* 12, 14 or 16 */
    u8 va_bits;     /* 64 - TnSZ */
    u8 level_bits;  /* VA bits that one full table resolves: page_shift - entry_shift */
    u8 start_level; /* 0..3 */
    /* By level; levels above the start level are not used. */
    u8 shift[LEAF_LEVEL + 1];                    /* lowest VA bit that the level resolves */
    u8 up[LEAF_LEVEL + 1], down[LEAF_LEVEL + 1]; /* index of a 32-bit address: << up >> down */
    u32 mask[LEAF_LEVEL + 1];                    /* entries of a table - 1 */
    u8 entry_shift;                              /* ENTRY_64 or ENTRY_128 */
};

/* The same by the compiler, for an image of one page size. */
#define GEOMETRY_LEVEL_BITS(ps, es) ((ps) - (es))
#define GEOMETRY_START_LEVEL(ps, es, va) \
    (LEAF_LEVEL - ((va)-1 - (ps)) / GEOMETRY_LEVEL_BITS(ps, es))
#define GEOMETRY_SHIFT(ps, es, level) ((ps) + (LEAF_LEVEL - (level)) * GEOMETRY_LEVEL_BITS(ps, es))
#define GEOMETRY_BITS(ps, es, va, level)                                              \
    ((level) == GEOMETRY_START_LEVEL(ps, es, va) ? (va)-GEOMETRY_SHIFT(ps, es, level) \
                                                 : GEOMETRY_LEVEL_BITS(ps, es))
#define GEOMETRY_MASK(ps, es, va, level) ((1u << GEOMETRY_BITS(ps, es, va, level)) - 1)
#define GEOMETRY_DOWN(ps, es, va, level) (32 - GEOMETRY_BITS(ps, es, va, level))
#define GEOMETRY_UP(ps, es, va, level) \
    ((GEOMETRY_DOWN(ps, es, va, level) - GEOMETRY_SHIFT(ps, es, level)) & 31)
#define GEOMETRY_LEVELS(VALUE, ...)                                                                \
    {                                                                                              \
        VALUE(__VA_ARGS__, 0), VALUE(__VA_ARGS__, 1), VALUE(__VA_ARGS__, 2), VALUE(__VA_ARGS__, 3) \
    }
#define GEOMETRY(ps, es, va)                                                                   \
    {                                                                                          \
        (ps), (va), GEOMETRY_LEVEL_BITS(ps, es), GEOMETRY_START_LEVEL(ps, es, va),             \
            GEOMETRY_LEVELS(GEOMETRY_SHIFT, ps, es), GEOMETRY_LEVELS(GEOMETRY_UP, ps, es, va), \
            GEOMETRY_LEVELS(GEOMETRY_DOWN, ps, es, va),                                        \
            GEOMETRY_LEVELS(GEOMETRY_MASK, ps, es, va), (es)                                   \
    }

/* -EINVAL: page_shift is none of the three, entry_shift none of the two, or va_bits outside 16
 * (64K: 17) to 48, or of so many levels that they begin above level 0. */
int geometry_init(struct geometry *g, unsigned page_shift, unsigned entry_shift, unsigned va_bits);

/* Number of the granule: 0, 1, 2 are 4K, 16K, 64K. */
static inline unsigned geometry_granule(const struct geometry *g)
{
    return (g->page_shift - GRANULE_SHIFT(0u)) / 2u;
}

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

/* What a table of level 3 maps: all, when the root is one. */
static inline u32 geometry_span(const struct geometry *g)
{
    return 1u << (g->start_level == LEAF_LEVEL ? g->va_bits : g->shift[LEAF_LEVEL - 1]);
}

/* Index of `va` in its table of `level`; VA bits above va_bits never take part. Addresses have 32
 * bits: every level in use shifts by less. */
static inline u32 geometry_index(const struct geometry *g, unsigned level, vaddr_t va)
{
    return va << g->up[level] >> g->down[level];
}

/* Blocks exist at levels 1 and 2 with 4K, at level 2 else (without LPA2 and 52-bit PA); with
 * entries of 128 bits one level higher. */
static inline bool geometry_has_blocks(const struct geometry *g, unsigned level)
{
    unsigned highest = (g->page_shift == 12 ? 1u : 2u) - (g->entry_shift == ENTRY_128);

    return level >= highest && level < LEAF_LEVEL;
}

/* Encodings of the granule: TCR.TG0, TCR.TG1 (they differ) and TG/TTL of a TLBI operand. */
u32 geometry_tg0(const struct geometry *g);
u32 geometry_tg1(const struct geometry *g);
u32 geometry_tlbi_tg(const struct geometry *g);

/* Capacity arithmetic of document 000 for `bytes` of lowmem: how many PTE pages fit, what one
 * maps, what all of them map. */
u64 geometry_pte_pages(const struct geometry *g, u64 bytes);
u64 geometry_pte_page_reach(const struct geometry *g);
u64 geometry_mappable(const struct geometry *g, u64 bytes);

#endif
