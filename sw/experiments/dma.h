/* The parts of experiment `dma`, in the order in which they run. */
#ifndef EXPERIMENTS_DMA_H
#define EXPERIMENTS_DMA_H

#include "mm/mm.h"

void dma_invariants(void);
void dma_list_invariants(void);
void dma_fault_invariants(void);
void dma_costs(void);
void dma_list_costs(void);

/* What page faults cleared and copied in all of a run, if boot argument dma= asked for it. */
void dma_pages_report(void);

/* ---- what the parts share (dma_invariants.c) ---- */
#define DMA_PAGES 16u

void dma_check(bool good, const char *what);
/* One line of the table and one RESULT, of the checks since the last one. */
void dma_section(const char *id, const char *what);

/* Places for PAGES pages and more in user memory, in PTE pages of their own. */
vaddr_t dma_from(void);
vaddr_t dma_to(void);

/* Word i is seed + i * step. */
void dma_fill(struct page *page, u32 seed, u32 step);
bool dma_holds(struct page *page, u32 seed, u32 step);

struct mm *dma_space(vaddr_t start, u32 pages, u32 flags);
u32 dma_peek(struct mm *mm, vaddr_t va);
void dma_poke(struct mm *mm, vaddr_t va, u32 value);

/* Sections that are run again where page faults have the engine: user pages, and munmap. */
void dma_user_pages(const char *id, const char *shared_id);
void dma_unmap_under_transfer(const char *id, u32 pages); /* DMA_PAGES at most */

#endif
