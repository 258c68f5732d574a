/* Access to frames that have no permanent kernel address.
 *
 * kmap/kunmap           long-lived; a pool of LAST_PKMAP slots; the TLB is flushed once per sweep
 * kmap_local/kunmap_local  short-lived, strict stack order; the TLB entry goes at each unmap
 *
 * A lowmem page costs nothing but the test: its linear address is returned and no slot is used.
 * Slots have the colour of their frame when a cache way is larger than a page.
 */
#ifndef MM_HIGHMEM_H
#define MM_HIGHMEM_H

#include "kernel_address.h"
#include "mm/page.h"
#include "mm/pte.h"

/* Kernel windows in the upper half. The slots of kmap_local, whose PTEs are written all the time,
 * do not begin at the first entry of their table: the first lines of page-aligned tables share a
 * set of the cache, and every walk needs some of them. */
#define PKMAP_BASE      0xe0000000u
#define FIX_KMAP_BASE   0xf0100000u
#define LAST_PKMAP      1024u /* power of two, multiple of every colour count */
#define KM_MAX_IDX      16u   /* nesting depth of kmap_local */
#define KMAP_COLOUR_MAX 8u

/* Colours that the mapping windows keep apart: 1 unless the data cache has aliases. */
extern u32 kmap_colours;

static inline void *lowmem_address(const struct page *page)
{
    return kernel_pointer((vaddr_t)page_to_paddr(page));
}

/* ---- kmap_local ---- */
struct kmap_local_stats {
    u64 maps; /* that used a slot; lowmem pages are not counted */
    u32 deepest;
};
extern struct kmap_local_stats kmap_local_stats;

void kmap_local_init(struct pte_slot *first_slot); /* PTE of FIX_KMAP_BASE */
void *kmap_local_slow(struct page *page);
void kunmap_local_slow(vaddr_t address);
unsigned kmap_local_depth(void);

static inline void *kmap_local_page(struct page *page)
{
    return page_is_high(page) ? kmap_local_slow(page) : lowmem_address(page);
}

static inline void kunmap_local(const void *address)
{
    if (kernel_va(address) >= FIX_KMAP_BASE)
        kunmap_local_slow(kernel_va(address) & PAGE_MASK);
}

/* ---- kmap ---- */
enum pkmap_flush_policy {
    PKMAP_FLUSH_RANGE, /* the whole window, once per sweep */
    PKMAP_FLUSH_PAGE,  /* each dead slot inside the sweep */
    PKMAP_FLUSH_ALL,   /* everything, once per sweep */
    PKMAP_FLUSH_EAGER, /* at each kunmap; nothing is deferred */
};
extern enum pkmap_flush_policy pkmap_flush_policy;

struct pkmap_stats {
    u32 sweeps;
    u32 swept_slots; /* dead slots that sweeps recycled */
    u32 maps;        /* new mappings made */
};
extern struct pkmap_stats pkmap_stats;
extern int pkmap_count[LAST_PKMAP];

void pkmap_init(void);
void *kmap(struct page *page);          /* panics "pkmap exhausted" when all slots are live */
void *kmap_try(struct page *page);      /* NULL instead */
void *kmap_high_get(struct page *page); /* pins a mapping that exists, else NULL */
void kunmap(struct page *page);
void *page_address(struct page *page); /* NULL: highmem page without kmap */
struct page *kmap_to_page(void *address);
void kmap_flush_unused(void);

/* What the pool needs from page tables and TLB (mm/pkmap_pte.c; tests bring their own). */
void pkmap_set_pte(u32 slot, struct page *page);
void pkmap_clear_pte(u32 slot);
void pkmap_flush_slots(u32 first, u32 end); /* TLB entries of slots first .. end-1 */
void pkmap_flush_everything(void);

/* ---- helpers on frames of either zone ---- */
void clear_highpage(struct page *page);
void copy_highpage(struct page *to, struct page *from);

#endif
