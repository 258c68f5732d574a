// Lab 5: what zero.c has.
#pragma once
#include <stdint.h>

// What a machine says of itself.
struct machine {
    uint64_t ccsidr; // CCSIDR_EL1 of the data cache: bits 2:0 log2(bytes of a line) - 4,
                     // bits 23:3 ways - 1, bits 55:32 sets - 1
    uint64_t tcr;    // TCR_EL1: bits 15:14, TG0, the page: 00 4 KiB, 01 64 KiB, 10 16 KiB
};

// For you to write. The cache is indexed by virtual address.
//
// The set that the cache looks into for an address.
unsigned set_of(const struct machine *machine, uint64_t va);
// How many zero pages are useful: one for each colour.
unsigned colours(const struct machine *machine);
// The number of the zero page, from 0 on, that a read of untouched memory at `va` shall get.
unsigned zero_page(const struct machine *machine, uint64_t va);
