// Lab 1 on this computer: does what stdin says, and prints the tables. Physical memory for tables
// is an array that begins at MEMORY.
//
//     space ROOT GRANULE VA_BITS TABLES    tables that new_table may give
//     page VA PA ATTRIBUTES                prints `result N`, N negative for an error
//     block VA PA ATTRIBUTES
//     dump                                 prints `word ADDRESS VALUE` for each that is not 0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab1.h"

#define MEMORY 0x40000000ull
#define BYTES  (64u << 20)

static uint64_t *memory;
static struct space space;
static uint64_t used;
static unsigned left;

uint64_t new_table(void)
{
    if (!left)
        return 0;
    left--;
    used += 1ull << space.granule;
    return MEMORY + used;
}

uint64_t *table_at(uint64_t address)
{
    const uint64_t end = MEMORY + used + (1ull << space.granule);
    if (address < MEMORY || address >= end || (address & ((1ull << space.granule) - 1))) {
        fprintf(stderr, "harness: table_at(0x%" PRIx64 "), where no table is\n", address);
        exit(3);
    }
    return memory + (address - MEMORY) / sizeof *memory;
}

static void dump(void)
{
    const uint64_t words = (used + (1ull << space.granule)) / sizeof *memory;
    for (uint64_t i = 0; i < words; i++)
        if (memory[i])
            printf("word %" PRIx64 " %" PRIx64 "\n", MEMORY + i * sizeof *memory, memory[i]);
}

int main(void)
{
    char command[16];
    uint64_t a, b, c;
    memory = calloc(1, BYTES);
    while (memory && scanf("%15s", command) == 1) {
        if (!strcmp(command, "space") &&
            scanf("%" SCNx64 " %u %u %u", &a, &space.granule, &space.va_bits, &left) == 4)
            space.root = a;
        else if (!strcmp(command, "dump"))
            dump();
        else if (scanf("%" SCNx64 " %" SCNx64 " %" SCNx64, &a, &b, &c) == 3)
            printf("result %d\n",
                   command[0] == 'p' ? map_page(&space, a, b, c) : map_block(&space, a, b, c));
        fflush(stdout);
    }
    free(memory);
    return 0;
}
