// Lab 3: what mystery.c has, and what it may use. Nothing of the machine is known: only how long
// its loads take.
#pragma once
#include <stdint.h>

enum policy { UNKNOWN, LRU, FIFO };

// Bytes of the memory of the machine. Its addresses begin at 0.
uint32_t memory_bytes(void);
// Loads a word. Cycles that this took.
uint32_t load(uint32_t address);
// The same word under another name, `pages` (1 to 7) pages behind its first one. For words of the
// first page only.
uint32_t load_under(uint32_t address, uint32_t pages);
// The TLB knows no page of this memory any more; the cache holds no line of it.
void forget_translations(void);
void forget_lines(void);
// Prints a line in explore().
void show(const char *name, uint32_t value);

// For you to write. Each may call the others.
uint32_t line_bytes(void);
uint32_t ways(void);
uint32_t way_bytes(void);  // how far apart two addresses are that share a set, at least
uint32_t page_bytes(void); // what one entry of the TLB translates
uint32_t entries(void);    // of the TLB, for data
uint32_t colours(void);    // pages in a row whose lines lie in different sets: 1 if there are none

// `places` are `count` addresses that want the same seats, in a set of the cache or in the TLB.
// There are seats for all of them but one. Which place loses its seat to a newcomer: the one that
// was used longest ago, or the one that came first?
enum policy policy(const uint32_t *places, uint32_t count);

// `make explore` runs this one, on your machine.
void explore(void);
