// Tables of Sv32 by hand, for test programs of M-mode.
#pragma once
#include "machine.h"

#define PAGE      4096u
#define SUPERPAGE (4096u * 1024)
#define SUM       (1u << 18)

// Bits of an entry (privileged ISA, "Sv32: Page-Based 32-bit Virtual-Memory Systems").
enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128 };

// Causes of page faults.
enum { FETCH = 12, LOAD = 13, STORE = 15 };

struct table {
    uint32_t entry[1024];
};

static inline uint32_t entry_for(uint32_t pa, unsigned bits)
{
    return pa >> 12 << 10 | bits;
}

static inline void sv32_on(struct table *root, unsigned asid)
{
    CSR_WRITE(satp, 1u << 31 | asid << 22 | (uint32_t)root >> 12);
}

static inline void fence_va_asid(uint32_t va, uint32_t asid)
{
    __asm__ volatile("sfence.vma %0, %1" ::"r"(va), "r"(asid) : "memory");
}
