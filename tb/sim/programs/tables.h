// Hand-written translation tables at any granule, and the MMU's registers, for test programs.
// Both halves have 31 bits (TnSZ 33). The kernel half maps lowmem by one block, VA = PA.
#pragma once
#include "granule_mmu.h"
#include "soc.h"

#define MMU(offset) REG32(GRANULE_MMU_BASE + GRANULE_MMU_##offset)

enum tlbi { ALL, ASID, VA, VA_ALL_ASIDS, RANGE, RANGE_ALL_ASIDS };

// Leaf descriptor bits.
#define NON_GLOBAL  (1ull << 11)
#define ACCESSED    (1ull << 10)
#define SHARED      (3ull << 8)
#define READ_ONLY   (1ull << 7)
#define EL0         (1ull << 6)
#define PXN         (1ull << 53)
#define UXN         (1ull << 54)
#define KERNEL_DATA (ACCESSED | SHARED | PXN | UXN)
#define KERNEL_CODE (ACCESSED | SHARED | UXN)
#define USER_DATA   (ACCESSED | SHARED | PXN | UXN | EL0 | NON_GLOBAL)
#define USER_CODE   (ACCESSED | SHARED | PXN | EL0 | READ_ONLY | NON_GLOBAL)

struct granule {
    unsigned shift, index_bits, start_level;
    uint32_t tcr_tg; // TG0 and TG1 in place
};

extern struct granule granule;
extern uint64_t user_table[], kernel_table[]; // first tables, the largest that can be needed

// From the boot arguments "4k", "16k" or "64k".
void choose_granule(void);
// Registers for the chosen granule; the tables start empty but for the kernel's block of lowmem.
void mmu_on(void);
void write_pair(uint32_t offset, uint64_t value);
// Maps one page of the user half, with tables on the way. The leaf descriptor's place.
volatile uint64_t *map(uint32_t va, uint64_t pa, uint64_t flags);
// Where the descriptor of `va` at `level` sits; tables above are made.
volatile uint64_t *descriptor(uint32_t va, unsigned level);
void tlbi(enum tlbi kind, uint64_t operand);
void tlbi_va(uint32_t va, uint16_t asid);

static inline uint32_t page_size(void)
{
    return 1u << granule.shift;
}
