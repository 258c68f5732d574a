/* The geometry of this boot, and what follows from it for nearly every line of mm: PAGE_SIZE. */
#ifndef MM_PAGE_SIZE_H
#define MM_PAGE_SIZE_H

#include "geometry.h"
#include "lib/runtime_const.h"
#include "mm/tlbi_operand.h"
#include "types.h"

#define KERNEL_VA_BITS 31 /* the upper half of 32-bit addresses */
#define USER_VA_BITS   31 /* all of the lower half, unless va_bits= says less */

/* Kernel and user half share the granule. An image of one page size knows everything here. */
#ifdef GRANULE_FIXED_SHIFT
#define USER_VA_BITS_MIN USER_VA_BITS
static const struct geometry kernel_geometry =
    GEOMETRY(GRANULE_FIXED_SHIFT, ENTRY_SHIFT_MIN, KERNEL_VA_BITS);
static const struct geometry user_geometry =
    GEOMETRY(GRANULE_FIXED_SHIFT, ENTRY_SHIFT_MIN, USER_VA_BITS);
#else
#define USER_VA_BITS_MIN 25 /* TnSZ 39, the limit without small tables */
extern struct geometry kernel_geometry, user_geometry;
#endif

/* Once, before anything else of mm: -EINVAL when this image has no such geometry. */
int page_size_init(unsigned page_shift, unsigned entry_shift, unsigned va_bits);

/* A TLBI of a 64-bit operand that names a level means entries of 64 bits alone (spec 10.9). */
static inline u32 tlbi_leaf_hint(const struct geometry *g)
{
    return g->entry_shift == ENTRY_128 ? TLBI_NO_HINT
                                       : TLBI_HINT(geometry_granule(g) + 1, LEAF_LEVEL);
}

#define RUNTIME_CONSTS(RUNTIME_CONST)                                   \
    RUNTIME_CONST(page_shift, kernel_geometry.page_shift)               \
    RUNTIME_CONST(page_size, 1u << kernel_geometry.page_shift)          \
    RUNTIME_CONST(page_mask, ~0u << kernel_geometry.page_shift)         \
    RUNTIME_CONST(pfn_high, 32u - kernel_geometry.page_shift)           \
    RUNTIME_CONST(task_size, 1u << user_geometry.va_bits)               \
    RUNTIME_CONST(tlbi_granule, geometry_granule(&kernel_geometry) + 1) \
    RUNTIME_CONST(tlbi_leaf, tlbi_leaf_hint(&kernel_geometry))          \
    RUNTIME_CONST(user_start_level, user_geometry.start_level)          \
    RUNTIME_CONST(pte_page_span, geometry_span(&user_geometry))         \
    RUNTIME_CONST(up_1, user_geometry.up[1])                            \
    RUNTIME_CONST(up_2, user_geometry.up[2])                            \
    RUNTIME_CONST(up_3, user_geometry.up[3])                            \
    RUNTIME_CONST(down_1, user_geometry.down[1])                        \
    RUNTIME_CONST(down_2, user_geometry.down[2])                        \
    RUNTIME_CONST(down_3, user_geometry.down[3])                        \
    RUNTIME_CONST(entry_shift, kernel_geometry.entry_shift)             \
    RUNTIME_CONST(entry_bytes, 1u << kernel_geometry.entry_shift)       \
    RUNTIME_CONST(entry_wide, kernel_geometry.entry_shift == ENTRY_128)

#define RUNTIME_CONST_NUMBER(name, value) RUNTIME_CONST_##name,
enum runtime_const { RUNTIME_CONSTS(RUNTIME_CONST_NUMBER) NR_RUNTIME_CONSTS };

RUNTIME_CONSTS(RUNTIME_CONST_FUNCTIONS)

#define PAGE_SHIFT runtime_const(page_shift)
#define PAGE_SIZE  runtime_const_upper(page_size)
#define PAGE_MASK  runtime_const_upper(page_mask)
#define TASK_SIZE  ((vaddr_t)runtime_const_upper(task_size)) /* va_bits is 31 at most */

/* Tables of the user half. Loops over them are unrolled, so that each level has immediates. */
#define USER_FIRST_LEVEL 1u /* 31 bits never need level 0 */
#define USER_START_LEVEL runtime_const(user_start_level)

/* What an invalidation says of its pages. */
#define TLBI_GRANULE runtime_const(tlbi_granule)
#define LEAF_HINT    runtime_const_upper(tlbi_leaf)
#define HINTED_LEVEL (ENTRY_WIDE ? 0u : LEAF_LEVEL) /* of a range of leaves */

/* What one table of level 3 maps: all, when it is the root. */
#define PTE_PAGE_SPAN runtime_const_upper(pte_page_span)

/* Entries have 128 bits. Known to the compiler in an image that cannot choose. */
#define ENTRY_WIDE (ENTRY_CHOICE ? runtime_const(entry_wide) : ENTRY_SHIFT_MIN == ENTRY_128)

static inline u32 entries_to_bytes(u32 entries)
{
    return ENTRY_CHOICE ? runtime_const_shl(entries, entry_shift) : entries << ENTRY_SHIFT_MIN;
}

/* The one behind the entry at `address`. */
static inline uintptr_t next_entry(uintptr_t address)
{
    return ENTRY_CHOICE ? runtime_const_add(address, entry_bytes)
                        : address + (1u << ENTRY_SHIFT_MIN);
}

/* geometry_index of the user half. */
static inline u32 user_index(unsigned level, vaddr_t va)
{
    switch (level) {
    case 1:
        return runtime_const_shr(runtime_const_shl(va, up_1), down_1);
    case 2:
        return runtime_const_shr(runtime_const_shl(va, up_2), down_2);
    default:
        return runtime_const_shr(runtime_const_shl(va, up_3), down_3);
    }
}

static inline u32 pages_to_bytes(u32 pages)
{
    return runtime_const_shl(pages, page_shift);
}

/* Bytes that are no whole page do not count. */
static inline u32 bytes_to_pages(u32 bytes)
{
    return runtime_const_shr(bytes, page_shift);
}

/* By halves, as a shift of 64 bits by a variable amount is many instructions. Positions in a file
 * are pages and bytes, too. */
static inline paddr_t pfn_to_paddr(pfn_t pfn)
{
    return runtime_const_shl(pfn, page_shift) | (paddr_t)runtime_const_shr(pfn, pfn_high) << 32;
}

static inline pfn_t paddr_to_pfn(paddr_t pa)
{
    return runtime_const_shr((u32)pa, page_shift) | runtime_const_shl((u32)(pa >> 32), pfn_high);
}

#endif
