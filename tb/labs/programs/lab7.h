// Lab 7: what geometry.c has. Nothing in it may know the page size before boot has chosen it. The
// same file runs on your computer and on the simulated machine.
#pragma once
#include <stdint.h>

#define LAST_LEVEL 3

// What boot chooses: log2 of a page, which is 12, 14 or 16, and the bits of an address that count.
// A table is as large as a page, and an entry has 8 bytes.
struct choice {
    unsigned page_shift, va_bits;
};

// Some bytes of an address space.
struct area {
    uint64_t start, bytes;
};

// Levels of a walk. The last one is always LAST_LEVEL.
unsigned levels(const struct choice *choice);
// The lowest bit of an address that chooses an entry of a table of this level.
unsigned index_shift(const struct choice *choice, unsigned level);
// Entries of a table of this level: the first one has only those that addresses can choose. 0 where
// there is no such level.
uint64_t entries(const struct choice *choice, unsigned level);

// Pages that an area has bytes in.
uint64_t pages(const struct choice *choice, const struct area *area);
// Bytes that mappings of these sizes waste: each begins at a page, and has whole pages.
uint64_t waste(const struct choice *choice, const uint64_t *sizes, unsigned count);
// Tables that map these areas page by page, with the first one. The areas are in ascending order,
// do not overlap, and have a byte at least; two of them may need the same table.
uint64_t tables(const struct choice *choice, const struct area *areas, unsigned count);
// After a fork a process writes these areas, as in tables(): bytes that copy on write copies for
// it, if all of its memory is in pages of this size. Two areas may lie in one page.
uint64_t copied(const struct choice *choice, const struct area *areas, unsigned count);
// Bytes that a TLB with so many entries reaches, if each holds one page.
uint64_t reach(const struct choice *choice, unsigned tlb_entries);
