/* The measured loop: strided reads of user memory, with nothing but registers beside them. */
#ifndef USER_PROBE_H
#define USER_PROBE_H

#include "types.h"

/* What one run of the loop cost; order as in user/probe_loop.S. */
struct probe_counts {
    u32 cycles, instret;
    u32 l1d_access, l1d_miss, l1d_evict, l1d_alias_move;
    u32 dtlb_miss, l1d_stall;
};

struct probe_report {
    struct probe_counts cold;   /* the first pass over lines that are in no cache */
    struct probe_counts steady; /* `passes` - 1 passes after one unmeasured pass */
    struct probe_counts empty;  /* the same loop without its load */
};

#endif
