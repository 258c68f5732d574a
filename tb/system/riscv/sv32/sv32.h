// Sv32 tables by hand and single accesses in any mode, for test programs of M-mode.
#pragma once
#include "granule_mmu.h"
#include "machine.h"

#define PAGE        4096u
#define SUPERPAGE   (4096u * 1024)
#define MMU(offset) REG32(GRANULE_MMU_BASE + GRANULE_MMU_##offset)
#define MPRV        (1u << 17)
#define SUM         (1u << 18)
#define MXR         (1u << 19)
#define SATP_SV32   (1u << 31)

// Bits of an entry (privileged ISA, "Sv32: Page-Based 32-bit Virtual-Memory Systems").
enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128 };
#define KERNEL_RW (V | R | W | A | D)
#define USER_RW   (KERNEL_RW | U)

// Causes of page and access faults.
enum {
    NONE = 0,
    FETCH = 12,
    LOAD = 13,
    STORE = 15,
    FETCH_ACCESS = 1,
    LOAD_ACCESS = 5,
    STORE_ACCESS = 7
};

enum operation { DO_LOAD, DO_STORE, DO_AMO, DO_LR, DO_SC, DO_FETCH };

struct table {
    uint32_t entry[1024];
};

// The space in use; its root maps the whole program by a superpage of the kernel, VA = PA.
extern struct table root;
extern struct table frames[4];

void sv32_on(struct table *root, unsigned asid);
// The kernel's superpage, for tables other than `root`.
void map_kernel(struct table *root);
// Where the entry of `va` in `root` sits: the root's own, or a leaf's, with its table on the way.
volatile uint32_t *superpage_entry(struct table *root, uint32_t va);
volatile uint32_t *page_entry(struct table *root, uint32_t va);
uint32_t entry_for(uint64_t pa, unsigned bits);
// Maps one 4 KiB page of `root`.
volatile uint32_t *map_page(uint32_t va, uint64_t pa, unsigned bits);

// One access of a mode. Its cause, or NONE; `loaded` is what a load or AMO got. Fetches return
// from code that is one ecall.
extern uint32_t loaded;
uint32_t cause_of(enum mode mode, enum operation operation, uint32_t va);
// One access in the space of `table`, held against a walk in software, with SUM and MXR alone in
// mstatus as `status` has them. Nothing answers from NOWHERE on.
void check_access(const struct table *table, enum mode mode, enum operation operation, uint32_t va,
                  unsigned status);
#define NOWHERE 0xb0000000u
// Fills a frame with what a fetch can run.
void write_code(struct table *frame);

static inline void fence_va(uint32_t va)
{
    __asm__ volatile("sfence.vma %0" ::"r"(va) : "memory");
}

static inline void fence_asid(uint32_t asid)
{
    __asm__ volatile("sfence.vma zero, %0" ::"r"(asid) : "memory");
}

static inline void fence_va_asid(uint32_t va, uint32_t asid)
{
    __asm__ volatile("sfence.vma %0, %1" ::"r"(va), "r"(asid) : "memory");
}

// Fences by what they name.
enum form { EVERYTHING, BY_ASID, BY_VA, BY_BOTH };

static inline void fence(enum form form, uint32_t va, uint32_t asid)
{
    if (form == EVERYTHING)
        sfence();
    else if (form == BY_ASID)
        fence_asid(asid);
    else if (form == BY_VA)
        fence_va(va);
    else
        fence_va_asid(va, asid);
}

#define EXPECT_LOAD(va, want)                            \
    do {                                                 \
        EXPECT(cause_of(SUPERVISOR, DO_LOAD, va), NONE); \
        EXPECT(loaded, want);                            \
    } while (0)

// A fault with the Arm status, and its address in both records.
#define EXPECT_FAULT(mode, operation, va, cause, status) \
    do {                                                 \
        EXPECT(cause_of(mode, operation, va), cause);    \
        EXPECT(MMU(ESR_LO) & 0x3f, status);              \
        EXPECT(MMU(FAR_LO), va);                         \
        EXPECT(trap.value, va);                          \
    } while (0)
