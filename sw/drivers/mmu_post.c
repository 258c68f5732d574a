#include "drivers/mmu_post.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"
#include "granule_mmu.h"

#define REG(name) (GRANULE_MMU_BASE + GRANULE_MMU_##name)
#define SYNC(name, v) \
    (((v)&GRANULE_MMU_TLBI_SYNC_##name##_MASK) >> GRANULE_MMU_TLBI_SYNC_##name##_SHIFT)

_Static_assert(MMU_POST_LAST_LEVEL == GRANULE_MMU_TLBI_COMMAND_LAST_LEVEL_MASK, "last_level");
_Static_assert(MMU_POST_NOT_CPU == GRANULE_MMU_TLBI_COMMAND_NOT_CPU_MASK, "not_cpu");
_Static_assert(MMU_POST_NOT_DEVICES == GRANULE_MMU_TLBI_COMMAND_NOT_DEVICES_MASK, "not_devices");

bool mmu_posts_tlbis(void)
{
    return sysinfo_posts_tlbis();
}

void mmu_tlbi_post(enum mmu_tlbi kind, u32 options, u64 operand)
{
    device_write64(REG(TLBI_OPERAND_LO), operand);
    device_write(REG(TLBI_COMMAND), (u32)kind << GRANULE_MMU_TLBI_COMMAND_KIND_SHIFT |
                                        GRANULE_MMU_TLBI_COMMAND_POSTED_MASK | options);
}

void mmu_tlbi_sync(void)
{
    device_write(REG(TLBI_SYNC), 0);
}

u32 mmu_tlbi_places(void)
{
    return SYNC(COMMANDS, device_read(REG(TLBI_SYNC)));
}

u16 mmu_tlbi_held(void)
{
    return (u16)SYNC(HELD, device_read(REG(TLBI_SYNC)));
}
