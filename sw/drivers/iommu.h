/* The MMU of devices (docs/bridge.md): which address space a stream of accesses has, and what
 * happens to those that fault. A machine has it together with the DMA engine. */
#ifndef DRIVERS_IOMMU_H
#define DRIVERS_IOMMU_H

#include "types.h"

#define IOMMU_STREAMS 8u

/* No access passes before this; streams that nobody attached fault. */
void iommu_enable(void);

/* Physical addresses. */
void iommu_attach_identity(u32 stream);
/* Those of the user half under `root`, with the rights of user mode. An access that faults waits
 * until iommu_resume. */
void iommu_attach(u32 stream, paddr_t root, u32 asid);
/* Everything faults, once an invalidation of the ASID is complete, which the caller sends. */
void iommu_detach(u32 stream);

struct iommu_fault {
    u64 address;
    u32 stream, status; /* fault status code with its level */
    bool write, waits;
    u32 name; /* for iommu_resume */
};
/* The oldest fault leaves the queue. False: there is none. */
bool iommu_next_fault(struct iommu_fault *fault);
/* Look it up again, or end it with an error of the bus. */
void iommu_resume(const struct iommu_fault *fault, bool retry);

#endif
