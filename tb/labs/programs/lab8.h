// Lab 8: what hunt.c has, and what it may use. All of it runs in M-mode, whose own accesses are not
// translated: a pointer is a physical address there. Programs are the kernel (S-mode) and a user
// program (U-mode), whose accesses the MMU translates.
#pragma once
#include <stdint.h>

// Bits of a descriptor at level 3, or of one at level 2 that maps a block.
#define PAGE       3ull // its type at level 3
#define BLOCK      1ull // its type at level 2
#define NON_GLOBAL (1ull << 11)
#define ACCESSED   (1ull << 10)
#define SHARED     (3ull << 8)
#define READ_ONLY  (1ull << 7)
#define EL0        (1ull << 6)  // user programs may read it, and write unless READ_ONLY
#define PXN        (1ull << 53) // the kernel may not execute it
#define UXN        (1ull << 54) // user programs may not execute it
#define DATA       (ACCESSED | SHARED | PXN | UXN)

// Bits of a descriptor above level 3 that leads to a table: what all below it is denied.
#define TABLE_PXN      (1ull << 59)
#define TABLE_UXN      (1ull << 60)
#define TABLE_NO_USER  (1ull << 61)
#define TABLE_NO_WRITE (1ull << 62)

// The codes of TLBI_COMMAND.kind.
enum kind { K_ALL, K_ASID, K_VA, K_VA_ALL_ASIDS, K_RANGE, K_RANGE_ALL_ASIDS };
enum who { USER_PROGRAM, KERNEL };

// Of an access. `status` is 0, or what the MMU tells: 4, 8 and 12 are translation, access flag and
// permission fault, plus the level. `write`: the fault is told to be that of a write. `value`: what
// was read, or CODE_VALUE of code that was executed.
struct outcome {
    uint32_t status, write, value;
};

// Your addresses are from FIRST to LAST. log2 of a page; the level at which walks begin.
#define FIRST 0x10000000u
#define LAST  0x6fffffffu
extern unsigned page_shift, start_level;

// Physical pages for you: 24, of the largest size that a page may have.
#define FRAMES 24
static inline uint32_t frame(unsigned number)
{
    return 0x80800000u + number * 0x50000u;
}

static inline volatile uint32_t *word_at(uint32_t physical)
{
    return (volatile uint32_t *)physical;
}

// The descriptor of an address at a level; tables above it are made.
volatile uint64_t *descriptor_of(uint32_t va, unsigned level);

// Accesses by programs. write_at() writes the address itself, execute_at() needs put_code() before.
struct outcome read_at(enum who who, uint32_t va);
struct outcome write_at(enum who who, uint32_t va);
struct outcome execute_at(enum who who, uint32_t va);
#define CODE_VALUE 42
void put_code(uint32_t physical);

// The address space that is in use; 1 at first. All have the same tables.
void use_space(uint16_t asid);
void invalidate(enum kind kind, uint64_t operand);
uint32_t walks(void); // so far

// Says that the machine is broken, and ends the test.
_Noreturn void report(const char *what, uint32_t where, uint32_t expected, uint32_t got);

// Operands of K_VA, K_RANGE and K_ASID. A range is (num + 1) * 2 pages from `va` on.
static inline uint64_t va_operand(uint32_t va, uint16_t asid)
{
    return va >> 12 | (uint64_t)asid << 48;
}

static inline uint64_t range_operand(uint32_t va, unsigned num, uint16_t asid)
{
    const uint64_t granule = page_shift == 12 ? 1 : page_shift == 14 ? 2 : 3;
    return (uint64_t)(va >> page_shift) | (uint64_t)num << 39 | granule << 46 |
           (uint64_t)asid << 48;
}

static inline uint64_t asid_operand(uint16_t asid)
{
    return (uint64_t)asid << 48;
}

// For you to write.
void test(void);
