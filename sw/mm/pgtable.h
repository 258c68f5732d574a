/* Page tables as a loop over levels; the geometry says how many there are.
 *
 * Tables above level 3 are lowmem and reached by their linear address. User PTE pages (level 3)
 * may lie in highmem, so each use of one is a pte_offset_map ... pte_unmap pair, unmapped in
 * reverse order of mapping. A root that is itself level 3 (small va_bits) is lowmem as every root.
 */
#ifndef MM_PGTABLE_H
#define MM_PGTABLE_H

#include "mm/mm.h"

/* Linux's CONFIG_HIGHPTE. Only an image that document 000's experiment compares with has none. */
#ifdef GRANULE_NO_HIGHPTE
#define HIGHPTE false
#else
#define HIGHPTE true
#endif

/* ---- allocation (mm/pgalloc.c) ---- */
extern gfp_t __userpte_alloc_gfp; /* flags of user PTE pages; boot argument userpte=nohigh */
extern u32 nr_pagetable;          /* NR_PAGETABLE: page-table pages alive */
int setup_userpte(char *arg);
/* Where they come from, from now on, and what was before; only while no user table exists. */
gfp_t set_userpte_gfp(gfp_t gfp);
/* With the boot argument userpte_auto: user PTE pages stay in lowmem if a tenth of `lowmem` is
 * enough for tables of all memory. For the boot, when the sizes are known. */
void userpte_settle(u64 memory, u64 lowmem);

struct page *pte_alloc_one(struct mm *mm);        /* user PTE page: a page, not a pointer */
struct pte_slot *pte_alloc_one_kernel(void);      /* zeroed lowmem table; NULL: no memory */
void pte_free(struct mm *mm, struct page *table); /* after its invalidation */
bool pgtable_page_ctor(struct page *page);
void pgtable_page_dtor(struct page *page);
extern bool pgtable_ctor_fails; /* test knob: injected failure */

/* ---- user tables ---- */
struct pte_map_stats {
    u64 maps; /* pte_offset_map calls */
};
extern struct pte_map_stats pte_map_stats;

/* Entry of the level above PTE pages for `address`, or NULL when the way there is missing. For a
 * one-level geometry the answer is NULL: the root holds the PTEs. */
struct pte_slot *pmd_offset(struct mm *mm, vaddr_t address);
/* The same, but makes missing tables above; NULL means no memory, too. */
struct pte_slot *pmd_alloc(struct mm *mm, vaddr_t address);

/* A block: the large zero page, see mm/huge_memory.h. */
static inline bool pmd_leaf(pte_t entry)
{
    return pte_present(entry) && !pte_is_table(entry);
}

/* Maps the PTE page of `address` and points at its entry; NULL when there is no PTE page,
 * but nothing or a block. */
struct pte_slot *pte_offset_map(struct mm *mm, vaddr_t address);
/* The same, but makes missing tables; NULL means no memory. */
struct pte_slot *pte_alloc_map(struct mm *mm, vaddr_t address);
void pte_unmap(struct pte_slot *pte);

/* ---- what an entry maps ---- */
static inline pfn_t pte_pfn(pte_t pte)
{
    return paddr_to_pfn(pte_paddr(pte));
}

static inline pte_t pfn_pte(pfn_t pfn, u64 prot)
{
    return pfn_to_paddr(pfn) | prot;
}

static inline pte_t mk_pte(const struct page *page, u64 prot)
{
    return pfn_pte(page_to_pfn(page), prot);
}

/* The page that the mapping holds a reference to; NULL for a special mapping, which holds none: a
 * zero page (is_zero_pfn), or memory that the page allocator does not own. */
static inline struct page *vm_normal_page(const struct vma *v, vaddr_t address, pte_t pte)
{
    (void)v, (void)address; /* Linux asks them where no special bit exists */
    return pte_special(pte) ? NULL : pfn_to_page(pte_pfn(pte));
}

/* End of what the PTE page of `address` covers, but `end` at most. */
vaddr_t pte_page_end(vaddr_t address, vaddr_t end);

/* ---- kernel tables (mm/kernel_tables.c) ---- */
extern struct pte_slot *kernel_root;
/* Blocks where they fit, pages else; tables on the way come from early_alloc. */
void kernel_map(vaddr_t va, paddr_t pa, u32 size, u64 prot);
/* PTE pages of a window that begins where a PTE page does, in one piece: the PTE of its page n is
 * entry n after that of its first page. */
void make_kernel_window(vaddr_t start, u32 pages);
struct pte_slot *
pte_offset_kernel(vaddr_t address); /* PTE of a mapped-by-page kernel address; else panics */

#endif
