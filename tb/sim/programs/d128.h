// Entries of 128 bits beside those of 64 (spec chapter 10), for test programs: what tables.h says
// is about the format in use. The lower half of an entry is its first word.
#pragma once
#include "machine.h"
#include "tables.h"

#define LARGEST 65536

// Bits of an entry; those of its upper half are above 64.
#define VALID         1ull
#define NOT_DIRTY     (1ull << 7)
#define PAGE_LOW      (VALID | SHARED | ACCESSED)
#define SKIP(n)       ((uint64_t)(n) << 45)
#define RIGHTS(n)     ((uint64_t)(n) << 51)
#define SOFTWARE_BITS (0x2a5ull << 27)

// What the permission indirection registers say of each index.
enum { NOTHING, KERNEL_READS_WRITES, KERNEL_ALL, USER_READS_WRITES, USER_RUNS, USER_READS };
#define PIR   0x115750ull
#define PIRE0 0x135000ull

// Hardware keeps access flag and dirty state.
#define HA (1ull << 39)
#define HD (1ull << 40)

struct format {
    unsigned words;          // of 64 bits in an entry
    uint64_t *user, *kernel; // first tables
};
extern const struct format bits_64, bits_128, *format; // the last is the one in use

// The granule, and 128 bits if the boot arguments have "d128" behind it.
void choose_format(void);
// The tables of a format, the user half's under an ASID.
void use_format(const struct format *other, uint64_t asid);
// TCR with more than mmu_on() sets, which may be none, and the TLB empty.
void set_tcr(uint64_t more);
// What no walk can see a half of.
void write_entry(volatile uint64_t *entry, uint64_t low, uint64_t high);
// As map(): with rights of 128 bits, or in the format in use, as data of the kernel with `more`.
volatile uint64_t *map_128(uint32_t va, uint64_t pa, unsigned rights);
volatile uint64_t *map_data(uint32_t va, uint64_t pa, uint64_t more);
