/* How many pages a range operation covers (spec 8.4), for those who judge its operand. */
#ifndef TESTS_TLBI_RANGE_H
#define TESTS_TLBI_RANGE_H

#include "types.h"

static inline u32 tlbi_range_pages(u32 num, u32 scale)
{
    return (num + 1) << (5 * scale + 1);
}

#endif
