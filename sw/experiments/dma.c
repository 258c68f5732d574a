/* The DMA engine behind the MMU of devices: what must hold of it and its driver, and what it costs
 * beside the CPU. Not a part of `run=all`: few machines have an engine. */
#include "experiments/dma.h"
#include "drivers/dma.h"
#include "drivers/sysinfo.h"
#include "experiments/experiment.h"
#include "kernel/dma.h"

static void dma_run(void)
{
    if (!dma_present()) {
        kprintf("  machine '%s' has no DMA engine: skipped\n", sysinfo_name());
        return;
    }
    dma_init();
    dma_invariants();
    dma_costs();
    dma_list_costs();
}
EXPERIMENT(dma, "dma", "zeroing and copying pages by DMA", dma_run, NOT_IN_ALL);
