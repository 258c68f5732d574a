// Lab 1 on this computer: does what stdin says, and prints the tables. Physical memory for tables
// is an array that begins at MEMORY. What is no table in it is poisoned, and as much as a table has
// lies free behind each: AddressSanitizer sees an index that is not masked.
//
//     space ROOT GRANULE VA_BITS TABLES    tables that new_table may give
//     page VA PA ATTRIBUTES                prints `result N`, N negative for an error
//     block VA PA ATTRIBUTES
//     dump                                 prints `word ADDRESS VALUE` for each that is not 0
#include <inttypes.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab1.h"

#define MEMORY 0x40000000ull
#define BYTES  (256u << 20)

static uint64_t *memory;
static struct space space;
static uint64_t used;
static unsigned left;

static uint64_t table_bytes(void)
{
    return 1ull << space.granule;
}

static uint64_t *at(uint64_t offset)
{
    return memory + offset / sizeof *memory;
}

uint64_t new_table(void)
{
    if (!left || used + 4 * table_bytes() > BYTES)
        return 0;
    left--;
    used += 2 * table_bytes();
    ASAN_UNPOISON_MEMORY_REGION(at(used), table_bytes());
    return MEMORY + used;
}

uint64_t *table_at(uint64_t address)
{
    const uint64_t offset = address - MEMORY;
    if (address < MEMORY || offset > used || (offset & (2 * table_bytes() - 1))) {
        fprintf(stderr, "harness: table_at(0x%" PRIx64 "), where no table is\n", address);
        exit(3);
    }
    return at(offset);
}

static void dump(void)
{
    for (uint64_t table = 0; table <= used; table += 2 * table_bytes())
        for (uint64_t i = 0; i < table_bytes(); i += sizeof *memory)
            if (*at(table + i))
                printf("word %" PRIx64 " %" PRIx64 "\n", MEMORY + table + i, *at(table + i));
}

int main(void)
{
    char command[16];
    uint64_t a, b, c;
    memory = calloc(1, BYTES);
    if (memory)
        ASAN_POISON_MEMORY_REGION(memory, BYTES);
    while (memory && scanf("%15s", command) == 1) {
        if (!strcmp(command, "space") &&
            scanf("%" SCNx64 " %u %u %u", &a, &space.granule, &space.va_bits, &left) == 4) {
            space.root = a;
            ASAN_UNPOISON_MEMORY_REGION(memory, table_bytes());
        } else if (!strcmp(command, "dump")) {
            dump();
        } else if (scanf("%" SCNx64 " %" SCNx64 " %" SCNx64, &a, &b, &c) == 3) {
            printf("result %d\n",
                   command[0] == 'p' ? map_page(&space, a, b, c) : map_block(&space, a, b, c));
        }
        fflush(stdout);
    }
    ASAN_UNPOISON_MEMORY_REGION(memory, BYTES);
    free(memory);
    return 0;
}
