/* What the MMU shows to people: its address-translation operation, which not every configuration
 * has (GranuleConfig: addressTranslate), and its registers. */
#ifndef DRIVERS_MMU_LOOK_H
#define DRIVERS_MMU_LOOK_H

#include "types.h"

/* ---- AT: a translation that the hardware makes for the asker, and that changes nothing ---- */
enum mmu_at { /* codes of AT_COMMAND.operation */
              MMU_AT_KERNEL_READ,
              MMU_AT_KERNEL_WRITE,
              MMU_AT_USER_READ,
              MMU_AT_USER_WRITE,
};

/* The word that AT leaves in PAR_EL1. `va` has 64 bits. */
u64 mmu_translate(enum mmu_at kind, u64 va);

#define PAR_FAULT      BIT64(0)
#define PAR_STATUS(p)  ((u32)((p) >> 1) & 63) /* as in ESR */
#define PAR_EXISTS     BIT64(11)              /* reads 0 where the MMU has no AT */
#define PAR_ADDRESS(p) ((p)&0x000ffffffffff000ull)
#define PAR_OFFSET     0xfffull /* bits that it leaves to the VA */

/* ---- registers as software set them ---- */
u64 mmu_table_base(bool kernel);    /* TTBR1 or TTBR0 without ASID */
u32 mmu_asid(void);                 /* of TTBR0 */
u8 mmu_memory_type(unsigned index); /* byte of MAIR */

#endif
