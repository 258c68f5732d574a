// Tables of the 128-bit format by hand, and its registers, for test programs. Both halves have 31
// bits (TnSZ 33); the kernel half maps lowmem by one block, VA = PA, and its code runs there.
#pragma once
#include "tables.h"

struct entry {
    uint64_t low, high;
};

// Bits of an entry; those of its high half are above 64.
#define VALID     1ull
#define NOT_DIRTY (1ull << 7)
#define SKIP(n)   ((uint64_t)(n) << 45)
#define RIGHTS(n) ((uint64_t)(n) << 51)
#define SOFTWARE  (0x2a5ull << 27)
#define PAGE_LOW  (VALID | SHARED | ACCESSED)

// What the permission indirection registers say of each index.
enum { NOTHING, KERNEL_READS_WRITES, KERNEL_ALL, USER_READS_WRITES, USER_RUNS, USER_READS };
#define PIR   0x115750ull
#define PIRE0 0x135000ull

#define HA      (1ull << 39)
#define HD      (1ull << 40)
#define LARGEST 65536

// First tables.
extern struct entry user_root[], kernel_root[];

// Registers for the chosen granule; the user half is empty.
void d128_on(void);
// TCR with more than d128_on() sets, which may be none, and the TLB empty.
void set_tcr(uint64_t more);
// Where the entry of `va` at `level` sits in the user half; tables above are made.
volatile struct entry *entry_of(uint32_t va, unsigned level);
// What no walk can see a half of.
void write_entry(volatile struct entry *entry, uint64_t low, uint64_t high);
volatile struct entry *map_page(uint32_t va, uint64_t pa, unsigned rights);
