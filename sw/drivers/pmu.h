/* Performance counters: event n of granule_events.h is hpmcounter 3 + n. Reading disturbs nothing.
 * U-mode may read them too (user/probe_loop.S). */
#ifndef DRIVERS_PMU_H
#define DRIVERS_PMU_H

#include "granule_events.h"
#include "types.h"

u64 pmu_read(unsigned event);
u64 pmu_cycles(void);
u64 pmu_instret(void);
const char *pmu_name(unsigned event);
const char *pmu_description(unsigned event);

/* All counters at one moment; differences of two snapshots are what a piece of code did. */
struct pmu_snapshot {
    u64 cycles, instret;
    u64 event[GRANULE_EVENT_COUNT];
};
void pmu_snapshot(struct pmu_snapshot *s);
void pmu_since(struct pmu_snapshot *s); /* replaces *s by now - *s */

#endif
