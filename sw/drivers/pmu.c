#include "drivers/pmu.h"
#include "lib/csr.h"

/* A CSR number is part of the instruction, hence one case per counter. */
u64 pmu_read(unsigned event)
{
    switch (event) {
#define COUNTER(name, n, text) \
    case n:                    \
        return csr_read64(GRANULE_EVENT_COUNTER(n), GRANULE_EVENT_COUNTERH(n));
        GRANULE_EVENTS(COUNTER)
#undef COUNTER
    }
    return 0;
}

u64 pmu_cycles(void)
{
    return csr_read64(CSR_CYCLE, CSR_CYCLEH);
}

u64 pmu_instret(void)
{
    return csr_read64(CSR_INSTRET, CSR_INSTRETH);
}

static const struct {
    const char *name, *text;
} events[] = {
#define DESCRIBE(event, n, description) [n] = {#event, description},
    GRANULE_EVENTS(DESCRIBE)
#undef DESCRIBE
};

const char *pmu_name(unsigned event)
{
    return events[event].name;
}

const char *pmu_description(unsigned event)
{
    return events[event].text;
}

void pmu_snapshot(struct pmu_snapshot *s)
{
    for (unsigned i = 0; i < GRANULE_EVENT_COUNT; i++)
        s->event[i] = pmu_read(i);
    s->instret = pmu_instret();
    s->cycles = pmu_cycles();
}

void pmu_since(struct pmu_snapshot *s)
{
    struct pmu_snapshot now;

    pmu_snapshot(&now);
    s->cycles = now.cycles - s->cycles;
    s->instret = now.instret - s->instret;
    for (unsigned i = 0; i < GRANULE_EVENT_COUNT; i++)
        s->event[i] = now.event[i] - s->event[i];
}
