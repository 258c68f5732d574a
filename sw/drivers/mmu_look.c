#include "drivers/mmu_look.h"
#include "drivers/device.h"
#include "granule_map.h"
#include "granule_mmu.h"

#define REG(name)  (GRANULE_MMU_BASE + GRANULE_MMU_##name)
#define BASE_MASK  0x0000fffffffffffeull
#define ASID_SHIFT 48
#define PAR_WIDE   BIT64(0) /* of the upper half: it has the address, in the same bits */

u64 mmu_translate(enum mmu_at kind, u64 va)
{
    device_write64(REG(AT_VA_LO), va);
    device_write(REG(AT_COMMAND), kind);
    u64 par = device_read64(REG(PAR_LO)), high = device_read64(REG(PAR_HIGH_LO));

    return high & PAR_WIDE ? par | PAR_ADDRESS(high) : par;
}

u64 mmu_table_base(bool kernel)
{
    return device_read64(kernel ? REG(TTBR1_LO) : REG(TTBR0_LO)) & BASE_MASK;
}

u32 mmu_asid(void)
{
    return (u32)(device_read64(REG(TTBR0_LO)) >> ASID_SHIFT);
}

u8 mmu_memory_type(unsigned index)
{
    return (u8)(device_read64(REG(MAIR_LO)) >> 8 * index);
}
