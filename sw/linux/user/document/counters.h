/* Counters of this process, user's and kernel's side together. They are one group: it is read by
 * one call, so that what lies between two readings has the cost of one call in it and no more. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

enum { CYCLES, INSTRUCTIONS, L1D_MISSES, DTLB_MISSES, COUNTERS };

struct counted {
    uint64_t value[COUNTERS];
};

extern const char *const counter_names[COUNTERS], *const counter_units[COUNTERS];

/* Starts them. Ends the program when one is not there. */
void counters_open(void);
/* Ends the program when one was taken away for a while: it would tell too little. */
void counters_read(struct counted *now);

#endif
