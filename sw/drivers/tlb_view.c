#include "drivers/tlb_view.h"
#include "drivers/device.h"
#include "granule_map.h"
#include "granule_mmu.h"

#define REG(name) (GRANULE_MMU_BASE + GRANULE_MMU_##name)

static void select(enum tlb_kind kind, u32 n)
{
    device_write(REG(TLB_SELECT), (kind == TLB_DATA ? GRANULE_MMU_TLB_SELECT_DATA_MASK : 0) | n);
}

bool tlb_view_present(void)
{
    select(TLB_DATA, 1);
    return device_read(REG(TLB_SELECT)) != 0;
}

bool tlb_view_read(enum tlb_kind kind, u32 n, struct tlb_entry *entry)
{
    select(kind, n);
    u32 flags = device_read(REG(TLB_FLAGS));

    if (!(flags & BIT(0)))
        return false;
    *entry = (struct tlb_entry){
        .va = device_read64(REG(TLB_VA_LO)),
        .pa = device_read64(REG(TLB_PA_LO)),
        .asid = device_read(REG(TLB_ASID)),
        .global = flags & BIT(1),
        .writable_clean = flags & BIT(2),
        .level = flags >> 8 & 7,
        .size_log2 = flags >> 16 & 0xff,
        .memory = (u8)(flags >> 24),
    };
    return true;
}
