// Lab 1: what map.c has, and what it may use.
#pragma once
#include <stdint.h>

#define EINVAL 22 // va or pa is not where a page begins, or va has too many bits
#define EEXIST 17 // something is mapped there already
#define ENOMEM 12 // new_table() has no more
#define ENOSYS 38 // not written yet

// An address space. Everything follows from these three numbers.
struct space {
    uint64_t root;    // physical address of the first table
    unsigned granule; // log2 of a page and of a table: 12, 14 or 16
    unsigned va_bits; // bits of an address that count: 64 - T0SZ
};

// A new table, full of zeros: its physical address; 0 when there is no more memory.
uint64_t new_table(void);
// The descriptors of the table at a physical address.
uint64_t *table_at(uint64_t address);

// Maps the page at `va` to the page at `pa`; makes the tables that are missing. `attributes` are
// all bits of the last descriptor but its address and its type. 0, or one of the errors above,
// negative; after an error everything that was mapped is as before.
int map_page(const struct space *space, uint64_t va, uint64_t pa, uint64_t attributes);
// The same for a block of level 2: 2, 32 or 512 MiB.
int map_block(const struct space *space, uint64_t va, uint64_t pa, uint64_t attributes);
