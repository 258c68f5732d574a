/* What this MMU can do: its ID registers (spec 2). */
#include "drivers/device.h"
#include "drivers/mmu.h"
#include "granule_map.h"
#include "granule_mmu.h"

#define REG(name) (GRANULE_MMU_BASE + GRANULE_MMU_##name)

static u32 id_field(u64 id, unsigned lsb)
{
    return (u32)(id >> lsb) & 15;
}

unsigned mmu_pa_bits(void)
{
    static const u8 bits[] = {32, 36, 40, 42, 44, 48, 52, 56};

    return bits[id_field(device_read64(REG(MMFR0_LO)), 0) & 7];
}

unsigned mmu_asid_bits(void)
{
    return id_field(device_read64(REG(MMFR0_LO)), 4) == 2 ? 16 : 8;
}

/* TGran4 and TGran64 say "absent" with 15, TGran16 with 0. */
bool mmu_has_granule(unsigned page_shift)
{
    u64 id = device_read64(REG(MMFR0_LO));

    if (page_shift == 14)
        return id_field(id, 20) != 0;
    return (page_shift == 12 && id_field(id, 28) != 15) ||
           (page_shift == 16 && id_field(id, 24) != 15);
}

u64 mmu_mmfr3(void)
{
    return device_read64(REG(MMFR3_LO));
}

bool mmu_has_wide_entries(void)
{
    return id_field(mmu_mmfr3(), 32) != 0;
}

bool mmu_sets_access_flag(void)
{
    return id_field(device_read64(REG(MMFR1_LO)), 0) != 0;
}

bool mmu_has_range_invalidation(void)
{
    return id_field(device_read64(REG(ISAR0_LO)), 56) >= 2;
}
