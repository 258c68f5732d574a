// Cycles of 64 loads that each miss: one word of each of 64 lines that were never touched.
#include "soc.h"

static uint32_t lines[64 * 16] __attribute__((aligned(64)));

static __attribute__((noinline)) uint32_t chase(void)
{
    const uint32_t start = CSR_READ(mcycle);
    for (volatile uint32_t *p = lines; p != lines + 64 * 16; p += 16)
        (void)*p;
    return CSR_READ(mcycle) - start;
}

int main(void)
{
    put_value("cold", chase());
    put_value("warm", chase());
    return failures;
}
