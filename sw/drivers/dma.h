/* The DMA engine (docs/dma.md): a list of copies and fills, worked off in order. Its addresses are
 * those of the streams of drivers/iommu.h. It does not see the caches. */
#ifndef DRIVERS_DMA_H
#define DRIVERS_DMA_H

#include "types.h"

#define DMA_FILL BIT(0)
#define DMA_LAST BIT(1)

/* As the engine reads it. Addresses and bytes are multiples of 4. */
struct dma_entry {
    u32 flags, bytes;
    u64 source, destination;
    u32 value; /* what a fill writes */
    u32 own;
} __attribute__((aligned(32)));

/* Numbers of streams. */
struct dma_streams {
    u32 list, source, destination;
};

bool dma_present(void);
/* Only while it is idle. `interrupt`: it comes at the end. */
void dma_start(u64 list, struct dma_streams streams, bool interrupt);
bool dma_busy(void);
/* Takes the interrupt back. 0: all is done. -EINVAL: an entry is illegal; -EFAULT: an address was
 * refused. */
int dma_finish(void);
/* How far a list got that ended in an error: whole entries, and bytes of the next one. */
u32 dma_entries_done(void);
u32 dma_bytes_done(void);

#endif
