#include "drivers/mmu.h"
#include "drivers/device.h"
#include "granule_map.h"
#include "granule_mmu.h"

#define REG(name)      (GRANULE_MMU_BASE + GRANULE_MMU_##name)
#define FIELD(name, v) ((u32)(v) << GRANULE_MMU_##name##_SHIFT)

/* Write-back write-allocate, inner shareable: how walks read tables. */
#define WALK_WBWA  1u
#define WALK_INNER 3u

static u32 user_fields(const struct geometry *user)
{
    return FIELD(TCR_LO_T0SZ, 64 - user->va_bits) | FIELD(TCR_LO_TG0, geometry_tg0(user));
}

static u64 tcr_value(const struct geometry *user, const struct geometry *kernel)
{
    u32 low = user_fields(user) | FIELD(TCR_LO_T1SZ, 64 - kernel->va_bits) |
              FIELD(TCR_LO_TG1, geometry_tg1(kernel)) | FIELD(TCR_LO_IRGN0, WALK_WBWA) |
              FIELD(TCR_LO_ORGN0, WALK_WBWA) | FIELD(TCR_LO_SH0, WALK_INNER) |
              FIELD(TCR_LO_IRGN1, WALK_WBWA) | FIELD(TCR_LO_ORGN1, WALK_WBWA) |
              FIELD(TCR_LO_SH1, WALK_INNER);
    u32 ips = (u32)device_read64(REG(MMFR0_LO)) & 15; /* same codes as PARange */
    u32 high = FIELD(TCR_HI_IPS, ips) | FIELD(TCR_HI_AS, mmu_asid_bits() == 16) |
               FIELD(TCR_HI_HA, mmu_sets_access_flag());

    return low | (u64)high << 32;
}

void mmu_enable(const struct geometry *user, const struct geometry *kernel, paddr_t kernel_root,
                u64 mair)
{
    mmu_tlbi(MMU_TLBI_ALL, 0, 0);
    device_write64(REG(MAIR_LO), mair);
    device_write64(REG(TCR_LO), tcr_value(user, kernel));
    device_write64(REG(TTBR1_LO), kernel_root);
    device_write64(REG(SCTLR_LO), GRANULE_MMU_SCTLR_LO_M_MASK | GRANULE_MMU_SCTLR_LO_C_MASK |
                                      GRANULE_MMU_SCTLR_LO_I_MASK | GRANULE_MMU_SCTLR_LO_WXN_MASK);
}

void mmu_use_wide_entries(u64 pir, u64 pire0)
{
    device_write64(REG(PIR_LO), pir);
    device_write64(REG(PIRE0_LO), pire0);
    device_write64(REG(TTBR0_HIGH_LO), 0);
    device_write64(REG(TTBR1_HIGH_LO), 0);
    device_write64(REG(TCR2_LO), GRANULE_MMU_TCR2_LO_D128_MASK);
}

void mmu_set_user_table(paddr_t root, u32 asid)
{
    device_write64(REG(TTBR0_LO), root | (u64)asid << 48);
}

void mmu_set_user_geometry(const struct geometry *user)
{
    u64 others = ~(u64)(GRANULE_MMU_TCR_LO_T0SZ_MASK | GRANULE_MMU_TCR_LO_TG0_MASK);

    device_write64(REG(TCR_LO), (device_read64(REG(TCR_LO)) & others) | user_fields(user));
}

void mmu_tlbi(enum mmu_tlbi kind, u32 options, u64 operand)
{
    u32 command = FIELD(TLBI_COMMAND_KIND, kind);

    if (options & MMU_TLBI_LAST_LEVEL)
        command |= GRANULE_MMU_TLBI_COMMAND_LAST_LEVEL_MASK;
    device_write64(REG(TLBI_OPERAND_LO), operand);
    device_write(REG(TLBI_COMMAND), command);
}

u32 mmu_tlbi_cycles(void)
{
    return device_read(REG(TLBI_CYCLES));
}

u32 mmu_esr(void)
{
    return device_read(REG(ESR_LO));
}

u64 mmu_far(void)
{
    return device_read64(REG(FAR_LO));
}
