/* The MMU's register block: translation context, TLB invalidation, fault record. */
#ifndef DRIVERS_MMU_H
#define DRIVERS_MMU_H

#include "geometry.h"
#include "types.h"

/* ---- identification ---- */
unsigned mmu_pa_bits(void);
unsigned mmu_asid_bits(void);
bool mmu_has_granule(unsigned page_shift);
u64 mmu_mmfr3(void);                   /* ID_AA64MMFR3_EL1 */
bool mmu_has_wide_entries(void);       /* FEAT_D128 */
bool mmu_sets_access_flag(void);       /* FEAT_HAFDBS; mmu_enable turns it on */
bool mmu_has_range_invalidation(void); /* FEAT_TLBIRANGE */

/* ---- context ---- */
/* Programs TCR, MAIR, TTBR1 and SCTLR: both halves with the granule of `kernel`. Takes effect for
 * S and U mode at once; M-mode stays untranslated. Everything is invalidated first. */
void mmu_enable(const struct geometry *user, const struct geometry *kernel, paddr_t kernel_root,
                u64 mair);
/* Before that: tables of both halves have entries of 128 bits, whose permission indexes mean this.
 */
void mmu_use_wide_entries(u64 pir, u64 pire0);
void mmu_set_user_table(paddr_t root, u32 asid);
/* Another page size and size of the user half. What the TLB has stays, and is its ASID's. */
void mmu_set_user_geometry(const struct geometry *user);

/* ---- invalidation: returns when it is complete ---- */
enum mmu_tlbi { /* codes of TLBI_COMMAND.kind */
                MMU_TLBI_ALL,
                MMU_TLBI_ASID,
                MMU_TLBI_VA,
                MMU_TLBI_VA_ALL_ASIDS,
                MMU_TLBI_RANGE,
                MMU_TLBI_RANGE_ALL_ASIDS,
};
#define MMU_TLBI_LAST_LEVEL BIT(0) /* leaves only: walk-cache entries may stay */

void mmu_tlbi(enum mmu_tlbi kind, u32 options, u64 operand);
u32 mmu_tlbi_cycles(void); /* of the last one */

/* ---- fault record ---- */
u32 mmu_esr(void);
u64 mmu_far(void);

#endif
