// What cases.h, which the grader writes, is made of.
#pragma once
#include <stdint.h>

// A mapping, the offsets in it that are used, and the status code of a store: 0 when it is allowed.
struct page {
    uint32_t va;
    uint64_t pa, attributes;
    uint32_t first, last, store_status;
    int block;
};

struct unmapped {
    uint32_t va, status;
};
