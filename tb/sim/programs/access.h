// Single accesses of a test program.
#pragma once
#include "soc.h"

static inline uint32_t load(uint32_t va)
{
    uint32_t value = 0xdeadbeef;
    __asm__ volatile("lw %0, 0(%1)" : "+r"(value) : "r"(va) : "memory");
    return value;
}

static inline uint32_t store(uint32_t va)
{
    __asm__ volatile("sw %0, 0(%0)" ::"r"(va) : "memory");
    return 0;
}
