// How a lab's program on the RTL says what it saw: `BAD`, what, address or count, expected, got.
#pragma once
#include "soc.h"

static inline void bad(const char *what, uint32_t where, uint32_t expected, uint32_t got)
{
    const uint32_t numbers[] = {where, expected, got};
    puts_("BAD ");
    puts_(what);
    for (unsigned i = 0; i < 3; i++) {
        put(' ');
        put_hex(numbers[i]);
    }
    put('\n');
    failures++;
}
