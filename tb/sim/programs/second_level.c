// Cycles a line of two passes over 128 KiB, which no first-level cache holds: what was written in
// the first is read in the second.
#include "soc.h"

#define LINES 2048
#define WORDS (64 / 4)

static volatile uint32_t memory[LINES * WORDS] __attribute__((aligned(64)));

static __attribute__((noinline)) uint32_t write_lines(void)
{
    const uint32_t start = CSR_READ(mcycle);
    for (uint32_t i = 0; i < LINES; i++)
        memory[i * WORDS] = ~i;
    return CSR_READ(mcycle) - start;
}

static __attribute__((noinline)) uint32_t read_lines(void)
{
    const uint32_t start = CSR_READ(mcycle);
    for (uint32_t i = 0; i < LINES; i++)
        failures += memory[i * WORDS] != ~i;
    return CSR_READ(mcycle) - start;
}

int main(void)
{
    put_value("first", write_lines() / LINES);
    put_value("second", read_lines() / LINES);
    put_value("third", read_lines() / LINES);
    return failures;
}
