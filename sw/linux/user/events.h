/* How events are named for perf_event_open(2): type and number, as members of an initializer. */
#ifndef EVENTS_H
#define EVENTS_H

#include <linux/perf_event.h>

#include "granule_events.h"

#define CACHE(cache, result)                                                    \
    .type = PERF_TYPE_HW_CACHE,                                                 \
    .config = (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
               PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define HARDWARE(name) .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##name
#define RAW(name)      .type = PERF_TYPE_RAW, .config = GRANULE_EVENT_FIRST(GRANULE_EVENT_##name)

#endif
