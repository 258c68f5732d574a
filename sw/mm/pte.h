/* Descriptors of VMSAv8-64 stage 1: their bits (spec 4), and how software reads and writes one.
 *
 * A descriptor is two words on this machine. The valid bit sits in the low one, so it is written
 * last when an entry appears and first when it goes: the walker never sees half an entry as valid.
 */
#ifndef MM_PTE_H
#define MM_PTE_H

#include "mm/geometry.h"
#include "types.h"

typedef u64 pte_t; /* the value of an entry */

/* An entry in its table. Only this file knows how wide one is and looks inside; everybody else
 * holds pointers and steps with ptep_add and ptep_next. */
struct pte_slot;

#define PTE_SLOT_SHIFT 3u /* log2 of its bytes */

#define PTE_VALID     BIT64(0)
#define PTE_TYPE      (3ull << 0)
#define PTE_TABLE     (3ull << 0) /* table at levels 0..2, page at level 3 */
#define PTE_BLOCK     (1ull << 0)
#define PTE_ATTR(n)   ((u64)(n) << 2)
#define PTE_USER      BIT64(6)    /* AP[1] */
#define PTE_RDONLY    BIT64(7)    /* AP[2] */
#define PTE_SHARED    (3ull << 8) /* inner shareable */
#define PTE_AF        BIT64(10)
#define PTE_NG        BIT64(11)
#define PTE_PXN       BIT64(53)
#define PTE_UXN       BIT64(54)
#define PTE_DIRTY     BIT64(55) /* software bit: it was written through this mapping */
#define PTE_SPECIAL   BIT64(56) /* software bit: no struct page stands behind it */
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

/* ---- slots ---- */
static inline struct pte_slot *ptep_add(struct pte_slot *slot, u32 entries)
{
    return (struct pte_slot *)((u8 *)slot + (entries << PTE_SLOT_SHIFT));
}

static inline struct pte_slot *ptep_next(struct pte_slot *slot)
{
    return ptep_add(slot, 1);
}

static inline volatile u32 *ptep_words(const struct pte_slot *slot)
{
    return (volatile u32 *)slot;
}

static inline pte_t ptep_get(const struct pte_slot *slot)
{
    volatile u32 *word = ptep_words(slot);

    return word[0] | (u64)word[1] << 32;
}

/* Asked of every entry of a table: reads the word that has the valid bit, and no other. */
static inline bool ptep_present(const struct pte_slot *slot)
{
    return ptep_words(slot)[0] & (u32)PTE_VALID;
}

/* For an entry that is invalid now, or whose address and attributes do not change. */
static inline void set_pte(struct pte_slot *slot, pte_t pte)
{
    volatile u32 *word = ptep_words(slot);

    word[1] = (u32)(pte >> 32);
    word[0] = (u32)pte;
}

static inline void pte_clear(struct pte_slot *slot)
{
    volatile u32 *word = ptep_words(slot);

    word[0] = 0;
    word[1] = 0;
}

static inline pte_t ptep_get_and_clear(struct pte_slot *slot)
{
    pte_t pte = ptep_get(slot);

    pte_clear(slot);
    return pte;
}

/* The caller flushes. */
static inline void ptep_set_wrprotect(struct pte_slot *slot)
{
    ptep_words(slot)[0] |= (u32)PTE_RDONLY;
}

#endif
