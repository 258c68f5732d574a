/* The value of a descriptor, as all of mm/ has it: the bits of VMSAv8-64 stage 1 (spec 4), whatever
 * the entries in memory look like. How it gets there is mm/pte_slot.h's business.
 */
#ifndef MM_PTE_H
#define MM_PTE_H

#include "mm/page_size.h"
#include "types.h"

typedef u64 pte_t; /* the value of an entry */

#define PTE_VALID     BIT64(0)
#define PTE_TYPE      (3ull << 0)
#define PTE_TABLE     (3ull << 0) /* table at levels 0..2, page at level 3 */
#define PTE_BLOCK     (1ull << 0) /* see pte_block */
#define PTE_ATTR(n)   ((u64)(n) << 2)
#define PTE_USER      BIT64(6)    /* AP[1] */
#define PTE_RDONLY    BIT64(7)    /* AP[2] */
#define PTE_SHARED    (3ull << 8) /* inner shareable */
#define PTE_AF        BIT64(10)
#define PTE_NG        BIT64(11)
#define PTE_PXN       BIT64(53)
#define PTE_UXN       BIT64(54)
#define PTE_DIRTY     BIT64(55)        /* software bit: it was written through this mapping */
#define PTE_SPECIAL   BIT64(56)        /* software bit: no struct page stands behind it */
#define PTE_SKIP(n)   ((u64)(n) << 57) /* an entry of 128 bits says so how large a block is */
#define PTE_ADDR_MASK 0x0000fffffffff000ull

/* Indexes into MAIR; its value is MAIR_VALUE. */
#define ATTR_NORMAL 0
#define ATTR_DEVICE 1
#define MAIR_VALUE  0x00000000000004ffull /* 0: write-back, allocating; 1: Device-nGnRE */

#define PROT_LEAF    (PTE_TABLE | PTE_AF)
#define PROT_KERNEL  (PROT_LEAF | PTE_SHARED | PTE_ATTR(ATTR_NORMAL) | PTE_PXN | PTE_UXN)
#define PROT_TEXT    ((PROT_KERNEL & ~PTE_PXN) | PTE_RDONLY)
#define PROT_DEVICE  (PROT_LEAF | PTE_ATTR(ATTR_DEVICE) | PTE_PXN | PTE_UXN)
#define PROT_USER    (PROT_KERNEL | PTE_USER | PTE_NG)
#define PROT_USER_RO (PROT_USER | PTE_RDONLY)
#define PROT_USER_RX (PROT_USER_RO & ~PTE_UXN)

/* Type of a leaf above the last level. */
static inline u64 pte_block(unsigned level)
{
    return PTE_BLOCK | (ENTRY_WIDE ? PTE_SKIP(LEAF_LEVEL - level) : 0);
}

static inline bool pte_present(pte_t pte)
{
    return pte & PTE_VALID;
}

static inline bool pte_writable(pte_t pte)
{
    return !(pte & PTE_RDONLY);
}

static inline pte_t pte_wrprotect(pte_t pte)
{
    return pte | PTE_RDONLY;
}

static inline bool pte_dirty(pte_t pte)
{
    return pte & PTE_DIRTY;
}

/* The access flag. */
static inline bool pte_young(pte_t pte)
{
    return pte & PTE_AF;
}

static inline pte_t pte_mkold(pte_t pte)
{
    return pte & ~PTE_AF;
}

static inline bool pte_special(pte_t pte)
{
    return pte & PTE_SPECIAL;
}

static inline paddr_t pte_paddr(pte_t pte)
{
    return pte & PTE_ADDR_MASK;
}

/* At levels 0..2: is it a pointer to a table? */
static inline bool pte_is_table(pte_t pte)
{
    return (pte & PTE_TYPE) == PTE_TABLE;
}

#endif
