/* The parts of experiment `dma`, in the order in which they run. */
#ifndef EXPERIMENTS_DMA_H
#define EXPERIMENTS_DMA_H

void dma_invariants(void);
void dma_costs(void);

#endif
