#include "drivers/iommu.h"
#include "drivers/device.h"
#include "granule_bridge.h"
#include "granule_map.h"

#define REG(name) (GRANULE_BRIDGE_BASE + GRANULE_BRIDGE_##name)
#define INFO(name, v) \
    (((v)&GRANULE_BRIDGE_FAULT_INFO_##name##_MASK) >> GRANULE_BRIDGE_FAULT_INFO_##name##_SHIFT)

/* CONTEXT.mode */
enum mode { MODE_OFF, MODE_BYPASS, MODE_TTBR0 };

static void set_row(u32 stream, u64 root, u32 context)
{
    device_write(REG(STREAM), stream);
    device_write(REG(ROOT_LO), (u32)root);
    device_write(REG(ROOT_HI), (u32)(root >> 32));
    device_write(REG(CONTEXT), context);
}

void iommu_enable(void)
{
    for (u32 stream = 0; stream < IOMMU_STREAMS; stream++)
        iommu_detach(stream);
    device_write(REG(INTERRUPT), GRANULE_BRIDGE_INTERRUPT_FAULT_MASK);
    device_write(REG(CONTROL), GRANULE_BRIDGE_CONTROL_RUN_MASK);
}

void iommu_attach_identity(u32 stream)
{
    set_row(stream, 0, MODE_BYPASS);
}

void iommu_attach(u32 stream, paddr_t root, u32 asid)
{
    set_row(stream, root | (u64)asid << 48, MODE_TTBR0 | GRANULE_BRIDGE_CONTEXT_STALLS_MASK);
}

void iommu_detach(u32 stream)
{
    set_row(stream, 0, MODE_OFF);
}

bool iommu_next_fault(struct iommu_fault *fault)
{
    if (!(device_read(REG(STATUS)) & GRANULE_BRIDGE_STATUS_FAULT_MASK))
        return false;
    u32 info = device_read(REG(FAULT_INFO));

    *fault = (struct iommu_fault){
        .address = device_read64(REG(FAULT_VA_LO)),
        .stream = INFO(STREAM, info),
        .status = INFO(STATUS, info),
        .write = INFO(WRITE, info),
        .waits = INFO(STALLS, info),
        .name = info & (GRANULE_BRIDGE_RESUME_SLOT_MASK | GRANULE_BRIDGE_RESUME_WRITE_MASK),
    };
    device_write(REG(FAULT_POP), 0);
    return true;
}

void iommu_resume(const struct iommu_fault *fault, bool retry)
{
    device_write(REG(RESUME), fault->name | (retry ? GRANULE_BRIDGE_RESUME_RETRY_MASK : 0));
}
