// Lab 4: what flush.c has, and what it may use. All of it runs in M-mode, which is not translated,
// while programs use the pages in S-mode: at any time, so also between two of your calls.
#pragma once
#include <stdint.h>

#define VALID     1ull
#define READ_ONLY (1ull << 7)

// The codes of TLBI_COMMAND.kind.
enum kind { K_ALL, K_ASID, K_VA, K_VA_ALL_ASIDS, K_RANGE, K_RANGE_ALL_ASIDS };

// log2 of a page, and the ASID of the address space that is changed.
extern unsigned page_shift;
extern uint16_t asid;

// The last descriptor of an address; the store that changes it; an invalidation, which is complete
// when this returns.
uint64_t *descriptor_of(uint32_t va);
void set_descriptor(uint64_t *descriptor, uint64_t value);
void invalidate(enum kind kind, uint64_t operand);

// Operands of K_VA, K_RANGE and K_ASID. A range is (num + 1) << (5 * scale + 1) pages from `va` on;
// num is at most 31, scale at most 3.
static inline uint64_t va_operand(uint32_t va)
{
    return va >> 12 | (uint64_t)asid << 48;
}

static inline uint64_t range_operand(uint32_t va, unsigned scale, unsigned num)
{
    const uint64_t granule = page_shift == 12 ? 1 : page_shift == 14 ? 2 : 3;
    return (uint64_t)(va >> page_shift) | (uint64_t)num << 39 | (uint64_t)scale << 44 |
           granule << 46 | (uint64_t)asid << 48;
}

static inline uint64_t asid_operand(uint16_t of)
{
    return (uint64_t)of << 48;
}

// For you to write. When one returns, nobody uses the old mapping any more.
void unmap_page(uint32_t va);
void protect_page(uint32_t va); // may be read from then on, not written
void remap_page(uint32_t va, uint64_t pa);
void unmap_pages(uint32_t va, unsigned pages);
void exit_space(uint16_t of); // tables of this address space will be freed
