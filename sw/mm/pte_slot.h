/* A slot: an entry where it lies in its table, of 64 or 128 bits. Only this file knows which, and
 * looks inside; everybody else holds pointers and steps with ptep_add and ptep_next.
 *
 * An entry of 64 bits is its value. One of 128 bits (VMSAv9-128, spec 10.5) has four words:
 *
 *   word 0  as in the value, without type and AP[1]; nDirty has the place of AP[2], and without
 *           hardware's dirty state it means the same
 *   word 1  the address above 4 GiB
 *   word 2  0, from the making of the table on
 *   word 3  22:19 permission index {UXN, PXN, 0, AP[1]}: that of an entry of 64 bits with PIE;
 * 14:13 levels skipped, which tell a block; 1:0 software's
 *
 * The valid bit sits in word 0, so it is written last when an entry appears and first when it goes:
 * the walker never sees a part of an entry as valid.
 */
#ifndef MM_PTE_SLOT_H
#define MM_PTE_SLOT_H

#include "mm/pte.h"

struct pte_slot; /* in no file complete */

/* What the permission indexes mean (PIR_EL1, PIRE0_EL1): a digit each, by {UXN, PXN, 0, AP[1]}.
 * 3 is read and execute, 5 read and write; nDirty takes the write away. */
#define PIR_NIBBLE(uxn, pxn, user, rights) ((u64)(rights) << 4 * ((uxn) << 3 | (pxn) << 2 | (user)))
#define PIR_VALUE                                                                     \
    (PIR_NIBBLE(1, 0, 0, 3) /* text */ | PIR_NIBBLE(1, 1, 0, 5) /* kernel's data */ | \
     PIR_NIBBLE(0, 1, 1, 5) /* user's text */ | PIR_NIBBLE(1, 1, 1, 5) /* user's data */)
#define PIRE0_VALUE (PIR_NIBBLE(0, 1, 1, 3) | PIR_NIBBLE(1, 1, 1, 5))

#define WIDE_NEVER_EXECUTE (3u << 21) /* PXN, UXN: in the upper half of a value, too */
#define WIDE_USER_SHIFT    13         /* from AP[1] to word 3 */
#define WIDE_SOFT_SHIFT    23         /* from word 3 to PTE_DIRTY and PTE_SPECIAL */
#define WIDE_SOFT          3u
#define WIDE_SKIP_SHIFT    12 /* from word 3 to PTE_SKIP */
#define WIDE_SKIP          (3u << 13)
#define WIDE_TYPE_BIT      2u /* of a value: set in a table and in a page */

static inline struct pte_slot *ptep_add(struct pte_slot *slot, u32 entries)
{
    return (struct pte_slot *)((u8 *)slot + entries_to_bytes(entries));
}

static inline struct pte_slot *ptep_next(struct pte_slot *slot)
{
    return (struct pte_slot *)next_entry((uintptr_t)slot);
}

static inline volatile u32 *ptep_words(const struct pte_slot *slot)
{
    return (volatile u32 *)slot;
}

static inline pte_t wide_get(const struct pte_slot *slot)
{
    volatile u32 *word = ptep_words(slot);
    u32 low = word[0], attributes = word[3];
    u32 high = word[1] | (attributes & WIDE_NEVER_EXECUTE) |
               (attributes & WIDE_SOFT) << WIDE_SOFT_SHIFT |
               (attributes & WIDE_SKIP) << WIDE_SKIP_SHIFT;

    low |= attributes >> WIDE_USER_SHIFT & (u32)PTE_USER;
    if (!(attributes & WIDE_SKIP))
        low |= low << 1 & WIDE_TYPE_BIT;
    return low | (u64)high << 32;
}

static inline void wide_set(struct pte_slot *slot, pte_t pte)
{
    volatile u32 *word = ptep_words(slot);
    u32 low = (u32)pte, high = (u32)(pte >> 32);

    word[3] = (high & WIDE_NEVER_EXECUTE) | (low & (u32)PTE_USER) << WIDE_USER_SHIFT |
              (high >> WIDE_SOFT_SHIFT & WIDE_SOFT) | (high >> WIDE_SKIP_SHIFT & WIDE_SKIP);
    word[1] = high & (u32)(PTE_ADDR_MASK >> 32);
    word[0] = low & ~((u32)PTE_USER | WIDE_TYPE_BIT);
}

static inline pte_t ptep_get(const struct pte_slot *slot)
{
    volatile u32 *word = ptep_words(slot);

    return ENTRY_WIDE ? wide_get(slot) : word[0] | (u64)word[1] << 32;
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

    if (ENTRY_WIDE) {
        wide_set(slot, pte);
        return;
    }
    word[1] = (u32)(pte >> 32);
    word[0] = (u32)pte;
}

static inline void pte_clear(struct pte_slot *slot)
{
    volatile u32 *word = ptep_words(slot);

    word[0] = 0;
    word[1] = 0;
    if (ENTRY_WIDE)
        word[3] = 0;
}

static inline pte_t ptep_get_and_clear(struct pte_slot *slot)
{
    pte_t pte = ptep_get(slot);

    pte_clear(slot);
    return pte;
}

/* The caller flushes. The same bit in both. */
static inline void ptep_set_wrprotect(struct pte_slot *slot)
{
    ptep_words(slot)[0] |= (u32)PTE_RDONLY;
}

#endif
