/* Address spaces: struct mm, its areas, and what user mappings are made of. */
#ifndef MM_MM_H
#define MM_MM_H

#include "mm/page.h"
#include "mm/pte.h"
#include "mm/vm_flags.h"
#include "types.h"

#define NR_MMS  8u
#define NR_VMAS 16u

struct vma {
    vaddr_t start, end; /* page aligned; end is outside */
    u32 flags;          /* 0: the slot is unused */
};

struct mm {
    bool used;
    u32 asid;
    struct pte_slot *root; /* first table, always lowmem */
    u32 anon_rss;          /* pages that this mm holds a reference to; zero pages do not count */
    u32 nr_tables;         /* page-table pages below the root */
    struct vma vmas[NR_VMAS];
};

/* mm_alloc: NULL when all are in use or no memory is left. mm_free unmaps everything. */
struct mm *mm_alloc(void);
void mm_free(struct mm *mm);
void mm_switch(struct mm *mm); /* NULL: the empty address space */
extern struct mm *current_mm;
void mm_init_reserved(void);

struct vma *find_vma(struct mm *mm, vaddr_t address); /* the area that holds it, or NULL */

/* System calls on the current layout. Addresses and lengths are page aligned (-EINVAL else); a
 * mapping must lie below TASK_SIZE, above page 0, may not be both writable and executable, and may
 * not overlap another (-EEXIST). */
int mm_map(struct mm *mm, vaddr_t start, u32 length, u32 flags);
int mm_unmap(struct mm *mm, vaddr_t start, u32 length);
int mm_move(struct mm *mm, vaddr_t from, u32 length, vaddr_t to); /* exactly one whole area */
int mm_fork(struct mm *child, struct mm *parent);

/* Page faults: 0, -EFAULT (no area or not permitted) or -ENOMEM. */
#define FAULT_WRITE BIT(0)
#define FAULT_EXEC  BIT(1)
int handle_mm_fault(struct mm *mm, vaddr_t address, u32 fault);

struct fault_stats {
    u32 zero_maps; /* read faults answered by a zero page */
    u32 anon_new;  /* write faults answered by a fresh page */
    u32 cow_copy, cow_reuse, cow_zero;
};
extern struct fault_stats fault_stats;

#endif
