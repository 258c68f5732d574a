/* A machine for sw/mm on the host: memory, an MMU whose TLB forgets nothing by itself, and page
 * allocation that fails on demand.
 *
 * Memory is one file. The kernel sees lowmem at its addresses and highmem only through the windows
 * of kmap and kmap_local: an access to a window faults on the host, the handler walks the kernel's
 * tables and maps the frame, and it stays mapped until an invalidation takes it away. A stale
 * window thus shows its old frame, as on hardware. User accesses go through the walker of
 * shadow_mmu.c. machine_* and phys belong to the judge, who sees all memory as it is.
 */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#define LIVE 4u /* address spaces at a time */

#include "mm/mm.h"
#include "mm/pgtable.h"

/* ---- memory.c ---- */
struct machine {
    unsigned page_shift, va_bits;
    u32 low_pages, high_pages;
    u32 colours;          /* of zero pages and mapping windows */
    unsigned entry_shift; /* ENTRY_64 or ENTRY_128 */
};
void machine_start(const struct machine *m); /* once per process */
u32 machine_pages_in_use(void);              /* pages that the allocator gave out, zero pages not */

bool phys_exists(paddr_t pa);
void *phys(paddr_t pa);
void fill_page(const struct page *page, u8 byte);

/* Something is wrong: prints it, what ran, and ends the process. */
void machine_failed(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Invalidations reach the windows too; `last` is outside. */
void windows_invalidate(vaddr_t first, u64 last);
void windows_check(void); /* each one that is still mapped agrees with its PTE */

/* ---- shadow_mmu.c ---- */
/* How many pages a range operation covers (spec 8.4), for those who judge its operand. */
static inline u32 tlbi_range_pages(u32 num, u32 scale)
{
    return (num + 1) << (5 * scale + 1);
}

/* Who answers a fault, where address spaces have page sizes of their own; NULL: handle_mm_fault. */
extern int (*shadow_fault)(vaddr_t va, u32 fault);

enum access { LOAD, STORE, FETCH };

/* One access of user code in current_mm, faults and all. 0, or what handle_mm_fault said. STORE
 * writes *value, the others read into it. */
int cpu_access(vaddr_t va, enum access kind, u32 *value);

/* The entry that a walk from the root finds, without TLB and caches; 0: none. */
pte_t walk_tables(const struct mm *mm, vaddr_t va);

/* The TLB has an entry for it, used or not. */
bool shadow_holds(u32 asid, vaddr_t va);

/* Everything in TLB and walk cache agrees with the tables of the mms that live. */
void shadow_check(struct mm *const *mms, u32 count);
/* Neither holds this frame: called before it is freed. */
void shadow_check_unused(const struct page *page);

/* Walks that nobody asked for, as hardware may do them at any time: at each invalidation and
 * allocation. `pick` gives an address to try. */
extern vaddr_t (*speculation_pick)(void);
void speculate(void);

extern unsigned machine_asid_bits;
extern u32 shadow_hits, shadow_walks, shadow_walk_cache_hits;

/* ---- allocation.c ---- */
void fail_allocation(u32 call); /* the call-th of alloc_pages fails; 0: none */
extern u32 alloc_fails_at;      /* that call; 0 from here on: none */
extern bool alloc_failed;       /* a call failed since then, because of that or by itself */

/* ---- wide_entry.c ---- */
/* The value of an entry of 128 bits as hardware understands it at that level; 0: invalid. */
pte_t wide_entry_value(const u32 word[4], unsigned level);

#endif
