// Lab 6: what kmap.c has, and what it may use. All of it runs in S-mode with the MMU on, as a
// kernel does. Pointers have 32 bits. Pages of lowmem lie below 4 GiB, and a pointer to them is
// their physical address. Pages of highmem lie above, and no pointer reaches them.
#pragma once
#include <stdint.h>

// The window: addresses of `slots` pages from WINDOW on, at most MOST_SLOTS. All are free at first.
#define WINDOW     0x20000000u
#define MOST_SLOTS 16
extern unsigned slots, page_shift;

// A descriptor is the physical address of a page and PRESENT: the kernel reads and writes it.
// ACCESSED: it was used. The TLB keeps no page without it; at the first use the MMU sets it in the
// descriptor.
#define PRESENT  (3ull | 3ull << 8 | 1ull << 53 | 1ull << 54)
#define ACCESSED (1ull << 10)

// The descriptor of a slot; the store that changes it.
uint64_t get_slot(unsigned slot);
void set_slot(unsigned slot, uint64_t descriptor);
// Invalidates `count` slots from `first` on. It is one operation for as many as you like, and
// complete when this returns.
void forget(unsigned first, unsigned count);

// For you to write.

// A pointer to the page at a physical address, which is a page's first; 0 when every slot has a
// user. A page that is mapped already gets no second slot.
void *kmap(uint64_t page);
// The end of one use: as many kunmap() as there were kmap(). `address` points into the page.
void kunmap(const void *address);
// Writes an entry of a last-level table, which may lie anywhere: 0, or -1 when there is no slot.
int set_entry(uint64_t table, unsigned index, uint64_t descriptor);
