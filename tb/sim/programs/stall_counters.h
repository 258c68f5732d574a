// Cycles, instructions and the reason of every other cycle, in the machine's own counters. All of
// them start and stop in one cycle, so that the sum is exact.
#pragma once
#include "soc.h"

#define ALL_COUNTERS 0xfffffffdu
#define ALL_STALL_COUNTERS(X)          \
    X(cycles, -3, "all of them")       \
    X(instructions, -1, "all of them") \
    GRANULE_STALLS(X)

// Zero, and counting the second events.
static inline void stall_counters_begin(void)
{
    CSR_WRITE(mcountinhibit, ALL_COUNTERS);
#define CHOOSE(name, number, text)                                        \
    __asm__ volatile("csrw %0, %1" ::"i"(GRANULE_EVENT_SELECTOR(number)), \
                     "r"(GRANULE_EVENT_SECOND(number)));
    GRANULE_STALLS(CHOOSE)
#define CLEAR(name, number, text) \
    __asm__ volatile("csrw %0, zero" ::"i"(GRANULE_EVENT_MCOUNTER(number)));
    ALL_STALL_COUNTERS(CLEAR)
}

static inline void stall_counters_start(void)
{
    CSR_WRITE(mcountinhibit, 0);
}

static inline void stall_counters_stop(void)
{
    CSR_WRITE(mcountinhibit, ALL_COUNTERS);
}

// A line for each: CAUSE.NAME and the count in hex.
static inline void stall_counters_print(const char *cause)
{
#define PRINT(name, number, text)                                                            \
    {                                                                                        \
        uint32_t count;                                                                      \
        __asm__ volatile("csrr %0, %1" : "=r"(count) : "i"(GRANULE_EVENT_MCOUNTER(number))); \
        puts_(cause);                                                                        \
        put_value("." #name, count);                                                         \
    }
    ALL_STALL_COUNTERS(PRINT)
}
