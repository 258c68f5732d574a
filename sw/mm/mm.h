/* Address spaces: struct mm, its areas, and what user mappings are made of. */
#ifndef MM_MM_H
#define MM_MM_H

#include "mm/page.h"
#include "mm/pte_slot.h"
#include "mm/vm_flags.h"
#include "types.h"

#define NR_MMS  8u
#define NR_VMAS 16u

struct inode;
struct vm_operations;

struct vma {
    vaddr_t start, end; /* page aligned; end is outside */
    u32 flags;          /* 0: the slot is unused */
    struct mm *vm_mm;
    /* Of a file's area; NULL and 0 otherwise. */
    const struct vm_operations *vm_ops;
    struct inode *vm_file;
    u32 vm_pgoff; /* page of the file at `start` */
    struct vma *i_mmap_next;
};

static inline u32 vma_pages(const struct vma *v)
{
    return bytes_to_pages(v->end - v->start);
}

struct mm {
    u32 users;                            /* 0: the slot is unused */
    u32 asid, asid_generation, asid_pins; /* mm/asid.c */
    struct pte_slot *root;                /* first table, always lowmem */
    u32 anon_rss, file_rss; /* pages that this mm holds a reference to: its own, and of the page
                             * cache. What is special, like zero pages, does not count */
    bool huge_zero;         /* it holds a reference to the large zero page */
    u32 nr_tables;          /* page-table pages below the root */
    struct vma vmas[NR_VMAS];
};

extern struct mm all_mms[NR_MMS];

/* NULL when all are in use or no memory is left. It has one user. */
struct mm *mm_alloc(void);
void mmget(struct mm *mm);     /* another user, as a DMA that is under way */
void mmput(struct mm *mm);     /* the last one unmaps everything */
void mm_switch(struct mm *mm); /* NULL: the empty address space */
extern struct mm *current_mm;
void mm_init_reserved(void);

struct vma *vma_lookup(struct mm *mm, vaddr_t address); /* the area that holds it, or NULL */
/* The first area that ends above the address, or NULL; it may begin above it, too. */
struct vma *find_vma(struct mm *mm, vaddr_t address);

/* System calls on the current layout. Addresses and lengths are page aligned (-EINVAL else); a
 * mapping must lie below TASK_SIZE, above page 0, may not be both writable and executable, and may
 * not overlap another (-EEXIST). */
int mm_map(struct mm *mm, vaddr_t start, u32 length, u32 flags);
/* Pages of a file from `pgoff` on; private unless flags say VM_SHARED. */
int mm_map_file(struct mm *mm, vaddr_t start, u32 length, u32 flags, struct inode *file, u32 pgoff);
int mm_unmap(struct mm *mm, vaddr_t start, u32 length);
/* Other permissions for all of the range: -ENOMEM if it has a hole, or no slot is left for a part
 * that areas are split into; nothing has changed then. */
int mm_protect(struct mm *mm, vaddr_t start, u32 length, u32 flags);
int mm_move(struct mm *mm, vaddr_t from, u32 length, vaddr_t to); /* exactly one whole area */
int mm_fork(struct mm *child, struct mm *parent);

/* Another area like this one, at `to`: the target of a move. */
int copy_vma(const struct vma *v, vaddr_t to);

/* The counter that the page belongs to. */
static inline u32 *mm_counter(struct mm *mm, const struct page *page)
{
    return page->flags & PG_FILE ? &mm->file_rss : &mm->anon_rss;
}

/* Page faults: 0, -EFAULT (no area or not permitted), -ENOMEM, or -EIO (the file cannot give it).
 */
#define FAULT_WRITE BIT(0)
#define FAULT_EXEC  BIT(1)
int handle_mm_fault(struct mm *mm, vaddr_t address, u32 fault);

struct fault_stats {
    u32 faults;    /* all of them */
    u32 zero_maps; /* read faults answered by a zero page */
    u32 anon_new;  /* write faults answered by a fresh page */
    u32 cow_copy, cow_reuse, cow_zero;
};
extern struct fault_stats fault_stats;

#endif
