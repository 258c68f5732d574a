#include "drivers/dma.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "errno.h"
#include "granule_dma.h"
#include "granule_map.h"

#define REG(name) (GRANULE_DMA_BASE + GRANULE_DMA_##name)

#define CAUSE_ILLEGAL 4u
#define ENDS \
    (GRANULE_DMA_STATUS_DONE_MASK | GRANULE_DMA_STATUS_ERROR_MASK | GRANULE_DMA_STATUS_STOPPED_MASK)

bool dma_present(void)
{
    return sysinfo_has_dma();
}

void dma_start(u64 list, struct dma_streams streams, bool interrupt)
{
    device_write(REG(STREAMS), streams.list << GRANULE_DMA_STREAMS_LIST_SHIFT |
                                   streams.source << GRANULE_DMA_STREAMS_SOURCE_SHIFT |
                                   streams.destination << GRANULE_DMA_STREAMS_DESTINATION_SHIFT);
    device_write(REG(LIST_LO), (u32)list);
    device_write(REG(LIST_HI), (u32)(list >> 32));
    device_write(REG(INTERRUPT), interrupt ? ENDS : 0);
    device_write(REG(CONTROL), GRANULE_DMA_CONTROL_START_MASK);
}

bool dma_busy(void)
{
    return device_read(REG(STATUS)) & GRANULE_DMA_STATUS_BUSY_MASK;
}

int dma_finish(void)
{
    u32 status = device_read(REG(STATUS));

    device_write(REG(STATUS), ENDS);
    if (!(status & GRANULE_DMA_STATUS_ERROR_MASK))
        return 0;
    u32 cause = device_read(REG(ERROR)) & GRANULE_DMA_ERROR_CAUSE_MASK;

    return cause == CAUSE_ILLEGAL ? -EINVAL : -EFAULT;
}

u32 dma_entries_done(void)
{
    return device_read(REG(ENTRY));
}

u32 dma_bytes_done(void)
{
    return device_read(REG(BYTES));
}
