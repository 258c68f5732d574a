// Counters of the machine, which start and stop in one cycle: events, or cycles, instructions and
// the reason of every other cycle, of which the sum is exact then.
#pragma once
#include "soc.h"

#define ALL_COUNTERS 0xfffffffdu
#define ALL_STALL_COUNTERS(X)          \
    X(cycles, -3, "all of them")       \
    X(instructions, -1, "all of them") \
    GRANULE_STALLS(X)

static inline void counters_start(void)
{
    CSR_WRITE(mcountinhibit, 0);
}

static inline void counters_stop(void)
{
    CSR_WRITE(mcountinhibit, ALL_COUNTERS);
}

#define CLEAR_COUNTER(name, number, text) \
    __asm__ volatile("csrw %0, zero" ::"i"(GRANULE_EVENT_MCOUNTER(number)));
// A line for each: CAUSE.NAME and the count in hex.
#define PRINT_COUNTER(name, number, text) \
    puts_(cause);                         \
    put_value("." #name, CSR_READ_NUMBER(GRANULE_EVENT_MCOUNTER(number)));

// Zero and stopped, counting events; then what they count.
static inline void event_counters_begin(void)
{
    counters_stop();
    GRANULE_EVENTS(CLEAR_COUNTER)
}

static inline void event_counters_print(const char *cause)
{
    GRANULE_EVENTS(PRINT_COUNTER)
}

// The same of the second events.
static inline void stall_counters_begin(void)
{
    counters_stop();
#define CHOOSE(name, number, text)                                        \
    __asm__ volatile("csrw %0, %1" ::"i"(GRANULE_EVENT_SELECTOR(number)), \
                     "r"(GRANULE_EVENT_SECOND(number)));
    GRANULE_STALLS(CHOOSE)
    ALL_STALL_COUNTERS(CLEAR_COUNTER)
}

static inline void stall_counters_print(const char *cause)
{
    ALL_STALL_COUNTERS(PRINT_COUNTER)
}
