/* An address space with a page size of its own: the kernel's, or a multiple of it.
 *
 * The rest of mm/ has the page size of the boot as constants in its instructions (mm/page_size.h).
 * Here it is data of the address space: a struct geometry, and blocks of 2^order pages of the page
 * allocator, aligned to their size, for tables and for memory. All memory from USER_CODE up to
 * `end` is anonymous, and each first access gives it a page that is zero: there are no areas and no
 * zero pages. `mm` has what does not depend on the page size: the root, which is smaller than a
 * page of any size, and the ASID, pinned while the address space lives. */
#ifndef MM_SIZED_MM_H
#define MM_SIZED_MM_H

#include "mm/mm.h"

struct sized_stats {
    u32 faults;
    u32 copied; /* bytes, by copy on write */
};

struct sized_mm {
    struct geometry geometry;
    struct mm *mm;
    vaddr_t start, end;
    u32 blocks, tables; /* that it refers to, tables without the root */
    struct sized_stats stats;
};

/* -EINVAL: the page is smaller than the kernel's or no granule; -ENOMEM. */
int sized_init(struct sized_mm *s, unsigned page_shift, vaddr_t start, vaddr_t end);
void sized_exit(struct sized_mm *s); /* somebody else runs */

/* TTBR0 with the ASID, and TCR with the page size, and no invalidation. NULL: the empty address
 * space, and the page size of the boot. */
void sized_switch(const struct sized_mm *s);

int sized_fault(struct sized_mm *s, vaddr_t address, u32 fault); /* as handle_mm_fault */
/* -ENOMEM: the child has a part; its owner ends it as it is. */
int sized_fork(struct sized_mm *child, struct sized_mm *parent);
/* Memory goes; the next access finds zeros. Bounds are multiples of its page. */
void sized_zap(struct sized_mm *s, vaddr_t start, vaddr_t end);

/* Leaves go from the TLB by their page size and ASID; those of another page size stay. */
void sized_flush(const struct sized_mm *s, vaddr_t start, vaddr_t end);

/* Its entry at level 3; 0: none. */
pte_t sized_pte(const struct sized_mm *s, vaddr_t address);
/* A program of the kernel's image into memory that is there, read-only and executable from now on.
 */
int sized_load(struct sized_mm *s, vaddr_t to, const void *from, u32 bytes);

static inline u32 sized_page_size(const struct sized_mm *s)
{
    return 1u << s->geometry.page_shift;
}

#endif
