/* Access to frames that have no permanent kernel address.
 *
 * kmap/kunmap           long-lived; a pool of nr_pkmap slots; the TLB is flushed once per sweep
 * kmap_local/kunmap_local  short-lived, strict stack order; the TLB entry goes at each unmap
 *
 * A lowmem page costs nothing but the test: its linear address is returned and no slot is used.
 * Slots have the colour of their frame when a cache way is larger than a page.
 */
#ifndef MM_HIGHMEM_H
#define MM_HIGHMEM_H

#include "kernel_address.h"
#include "mm/page.h"
#include "mm/pte_slot.h"

/* Kernel windows in the upper half. The slots of kmap_local, whose PTEs are written all the time,
 * do not begin at the first entry of their table: the first lines of page-aligned tables share a
 * set of the cache, and every walk needs some of them. */
#define PKMAP_BASE      0xc0000000u /* up to 0xd0000000: PKMAP_MAX of the largest pages */
#define FIX_KMAP_BASE   0xf0100000u
#define KM_MAX_IDX      16u /* nesting depth of kmap_local */
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
#define PKMAP_MIN     64u
#define PKMAP_MAX     4096u
#define PKMAP_DEFAULT 1024u

/* Slots of the pool, LAST_PKMAP of Linux: a power of two, multiple of every colour count. Boot
 * argument pkmap=. */
extern u32 nr_pkmap;

static inline void *pkmap_address(u32 slot)
{
    return kernel_pointer(PKMAP_BASE + pages_to_bytes(slot));
}

static inline u32 pkmap_nr(const void *address)
{
    return bytes_to_pages(kernel_va(address) - PKMAP_BASE);
}

enum pkmap_flush_policy {
    PKMAP_FLUSH_RANGE, /* the whole window, once per sweep */
    PKMAP_FLUSH_PAGE,  /* each dead slot inside the sweep */
    PKMAP_FLUSH_ALL,   /* everything, once per sweep */
    PKMAP_FLUSH_EAGER, /* at each kunmap; nothing is deferred */
};
extern enum pkmap_flush_policy pkmap_flush_policy;

struct pkmap_stats {
    u32 sweeps;
    u32 swept_slots;  /* dead slots that sweeps recycled */
    u32 cached_slots; /* those of them that a TLB might still hold */
    u32 maps;         /* new mappings made */
    u32 waits;
};
extern struct pkmap_stats pkmap_stats;
extern int pkmap_count[PKMAP_MAX];

void pkmap_init(void);
int setup_pkmap(char *arg);
/* Another size, and statistics from 0: -EINVAL: no such size; -EBUSY: a slot is in use. */
int pkmap_resize(u32 slots);
void *kmap(struct page *page);     /* waits for a slot; panics "pkmap exhausted" if none can come */
void *kmap_try(struct page *page); /* NULL instead */
void *kmap_high_get(struct page *page); /* pins a mapping that exists, else NULL */
void kunmap(struct page *page);
void kmap_flush_unused(void);

/* A scheduler's part: kmap_wait returns when a slot of that colour may be free, kmap_wake is called
 * when one became free and somebody waits. NULL: nobody else runs, waiting would be for ever. */
extern void (*kmap_wait)(u32 colour);
extern void (*kmap_wake)(u32 colour);

/* ---- page -> address (mm/page_address.c) ---- */
void page_address_init(void);
void *page_address(const struct page *page);             /* NULL: highmem page without kmap */
void set_page_address(struct page *page, void *address); /* of a slot of the pool */
void clear_page_address(void *address);
struct page *kmap_to_page(const void *address);

/* ---- what the pool needs from page tables and TLB (mm/pkmap_pte.c; tests bring their own) ---- */
void pkmap_set_pte(u32 slot, struct page *page);
bool pkmap_clear_pte(u32 slot);             /* false: no TLB ever held that mapping */
void pkmap_flush_slots(u32 first, u32 end); /* TLB entries of slots first .. end-1 */
void pkmap_flush_everything(void);

void pkmap_pte_init(struct pte_slot *first_slot); /* PTE of PKMAP_BASE */
extern struct pte_slot *pkmap_page_table;         /* PKMAP_MAX entries in one piece */
struct pte_slot *pkmap_pte(u32 slot);
/* Fresh mappings have no access flag. The hardware sets it before a TLB may hold the entry, so that
 * a sweep sees which slots need no flush. False where the hardware cannot. */
extern bool pkmap_tracks_access;

/* ---- helpers on frames of either zone ---- */
void clear_highpage(struct page *page);
void copy_highpage(struct page *to, struct page *from);

/* The same in a page fault. Whoever can do it instead of the CPU puts itself here
 * (kernel/dma_pages.h). */
extern void (*clear_user_highpage)(struct page *page);
extern void (*copy_user_highpage)(struct page *to, struct page *from);

#endif
