/* Who clears and copies pages in page faults. Boot argument dma=, a list of `zero` and `cow`, gives
 * them to the DMA engine; with `none` the CPU does both, and they are counted as with the others.
 * Without the argument nothing is counted. Page tables and what boot clears stay with the CPU. */
#ifndef KERNEL_DMA_PAGES_H
#define KERNEL_DMA_PAGES_H

#include "types.h"

#define DMA_ZERO BIT(0)
#define DMA_COW  BIT(1)

struct dma_pages_part {
    u32 pages, by_engine; /* the others by the CPU: somebody had the engine */
    u64 cycles;           /* of all of them */
};
struct dma_pages_stats {
    u64 since; /* clock when counting began; 0: it did not */
    struct dma_pages_part zero, cow;
};
extern struct dma_pages_stats dma_pages_stats;

/* The boot argument takes effect. */
void dma_pages_init(void);
/* DMA_ZERO and DMA_COW, on a machine with an engine, after dma_init; 0: the CPU. */
void dma_pages_use(u32 parts);

#endif
