/* The counters of the firmware: what there is, which event has which, start, stop and values. */
#include "granule_events.h"
#include "supervisor.h"

#define PMU(function, ...) SBI(SBI_EXT_PMU, function, __VA_ARGS__)
enum { NUM, INFO, MATCH, START, STOP, FW_READ, FW_READ_HI, SNAPSHOT };
enum { SKIP_MATCH = 1, CLEAR = 2, AUTO_START = 4 };
#define COUNTERS (3 + GRANULE_EVENT_COUNT)
#define ALL      (~2u & (COUNTERS < 32 ? BIT(COUNTERS % 32) - 1 : ~0u)) /* there is no counter 1 */
#define RAW      (2u << 16)

static void what_there_is(void)
{
    EXPECT_VALUE(PMU(NUM), COUNTERS);
    EXPECT_ERROR(PMU(INFO, 1), SBI_INVALID_PARAM);
    for (u32 i = 0; i < COUNTERS; i++)
        if (i != 1)
            EXPECT_VALUE(PMU(INFO, i), (0xc00 + i) | 30 << 12);
    EXPECT_ERROR(PMU(INFO, COUNTERS), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(INFO, ~0u), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(FW_READ, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(FW_READ_HI, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(SNAPSHOT, 0, 0, 0), SBI_NOT_SUPPORTED);
    EXPECT_ERROR(PMU(8, 0), SBI_NOT_SUPPORTED);
}

static void matches(void)
{
    static const struct {
        u32 event, data, counter;
    } events[] = {
        {1, 0, 0},
        {2, 0, 2},
        {3, 0, 3 + GRANULE_EVENT_L1D_ACCESS},
        {4, 0, 3 + GRANULE_EVENT_L1D_MISS},
        {9, 0, 3 + GRANULE_EVENT_L1D_STALL},
        {0x10000, 0, 3 + GRANULE_EVENT_L1D_ACCESS},
        {0x10001, 0, 3 + GRANULE_EVENT_L1D_MISS},
        {0x10008, 0, 3 + GRANULE_EVENT_L1I_ACCESS},
        {0x10009, 0, 3 + GRANULE_EVENT_L1I_MISS},
        {0x10018, 0, 3 + GRANULE_EVENT_DTLB_ACCESS},
        {0x10019, 0, 3 + GRANULE_EVENT_DTLB_MISS},
        {0x10020, 0, 3 + GRANULE_EVENT_ITLB_ACCESS},
        {0x10021, 0, 3 + GRANULE_EVENT_ITLB_MISS},
        {RAW, GRANULE_EVENT_WALKS + 1, 3 + GRANULE_EVENT_WALKS},
        {RAW, GRANULE_EVENT_COUNT, 3 + GRANULE_EVENT_COUNT - 1},
    };
    static const u32 without[] = {0, 5, 6, 7, 8, 10, 0x10002, 0x10010, 0x10028, 0xf0000, RAW};

    for (u32 i = 0; i < ARRAY_SIZE(events); i++) {
        u32 event = events[i].event, data = events[i].data, counter = events[i].counter;

        EXPECT_VALUE(PMU(MATCH, 0, ALL, 0, event, data, 0), counter);
        EXPECT_ERROR(PMU(MATCH, 0, ALL & ~BIT(counter), 0, event, data, 0), SBI_NOT_SUPPORTED);
    }
    for (u32 i = 0; i < ARRAY_SIZE(without); i++)
        EXPECT_ERROR(PMU(MATCH, 0, ALL, 0, without[i], 0, 0), SBI_NOT_SUPPORTED);
    EXPECT_ERROR(PMU(MATCH, 0, ALL, 0, RAW, 1000, 0), SBI_NOT_SUPPORTED);
    EXPECT_ERROR(PMU(MATCH, 0, ALL, 0, RAW, 1, 1), SBI_NOT_SUPPORTED);
    EXPECT_VALUE(PMU(MATCH, 2, 1, 0, 2, 0, 0), 2); /* a set that does not begin at 0 */
    EXPECT_ERROR(PMU(MATCH, 0, 2, 0, 1, 0, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(MATCH, COUNTERS, 1, 0, 1, 0, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(MATCH, 0, 0, 0, 1, 0, 0), SBI_INVALID_PARAM);
    EXPECT_VALUE(PMU(MATCH, 0, BIT(4), SKIP_MATCH, 0, 0, 0), 4);
}

static u32 lookups(void)
{
    return csr_read(GRANULE_EVENT_COUNTER(GRANULE_EVENT_L1D_ACCESS));
}

static void work(void)
{
    static volatile u32 word;

    for (u32 i = 0; i < 100; i++)
        word++;
}

/* Of a counter that counts reads of walks, nothing without translation; of its second event, a
 * reason to wait, something for at least one of them. */
static void second_events(void)
{
    u32 waited = 0;

#define SECOND(name, n, text)                                                        \
    EXPECT_VALUE(PMU(MATCH, 0, ALL, CLEAR, RAW, GRANULE_EVENT_SECOND(n), 0), 3 + n); \
    work();                                                                          \
    waited += csr_read(GRANULE_EVENT_COUNTER(n));                                    \
    EXPECT_VALUE(PMU(MATCH, 0, ALL, CLEAR, RAW, GRANULE_EVENT_FIRST(n), 0), 3 + n);  \
    work();                                                                          \
    if (n <= GRANULE_EVENT_WALK_READ_L3)                                             \
        EXPECT(csr_read(GRANULE_EVENT_COUNTER(n)), 0);
    GRANULE_STALLS(SECOND)
#undef SECOND
    EXPECT(waited > 50, true);
    EXPECT_ERROR(PMU(MATCH, 0, ALL, 0, RAW, GRANULE_EVENT_SECOND(0), 0), SBI_NOT_SUPPORTED);
}

static void start_and_stop(void)
{
    u32 counter = 3 + GRANULE_EVENT_L1D_ACCESS, before;

    EXPECT_ERROR(PMU(START, counter, 1, 0, 0, 0), SBI_ALREADY_STARTED); /* since reset */
    EXPECT_OK(PMU(STOP, counter, 1, 0));
    EXPECT_ERROR(PMU(STOP, counter, 1, 0), SBI_ALREADY_STOPPED);
    before = lookups();
    work();
    EXPECT(lookups(), before);
    EXPECT_OK(PMU(START, counter, 1, 0, 0, 0)); /* goes on where it was */
    work();
    EXPECT(lookups() - before >= 200 && lookups() - before < 1000, true);
    EXPECT_OK(PMU(STOP, counter, 1, 0));
    EXPECT_OK(PMU(START, counter, 1, 1, 0xfffffff0, 0x12)); /* with a value; it carries */
    work();
    EXPECT(csr_read(GRANULE_EVENT_COUNTERH(GRANULE_EVENT_L1D_ACCESS)), 0x13);
    EXPECT_OK(PMU(STOP, counter, 1, 0));
    EXPECT_VALUE(PMU(MATCH, 0, ALL, CLEAR, 3, 0, 0), counter);
    EXPECT(lookups(), 0);
    work();
    EXPECT(lookups(), 0);
    EXPECT_VALUE(PMU(MATCH, 0, ALL, AUTO_START, 3, 0, 0), counter);
    work();
    EXPECT(lookups() >= 200 && lookups() < 1000, true);
    EXPECT_ERROR(PMU(START, 1, 1, 0, 0, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(START, COUNTERS, 1, 0, 0, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(PMU(START, ~0u, 2, 0, 0, 0), SBI_INVALID_PARAM);
    EXPECT_OK(PMU(START, 0, 0, 0, 0, 0)); /* nothing to do */

    EXPECT_OK(PMU(STOP, 0, ALL, 0));
    before = csr_read(CSR_CYCLE);
    work();
    EXPECT(csr_read(CSR_CYCLE), before);
    EXPECT_OK(PMU(START, 0, ALL, 1, 0, 0)); /* all from 0 */
    work();
    EXPECT(csr_read(CSR_CYCLE) > 200 && csr_read(CSR_CYCLE) < 10000, true);
    EXPECT(csr_read(CSR_INSTRET) > 200 && csr_read(CSR_INSTRET) < 10000, true);
    EXPECT(lookups() >= 200 && lookups() < 2000, true);
}

void main(u32 hart, void *tree)
{
    (void)hart;
    (void)tree;
    what_there_is();
    matches();
    second_events();
    start_and_stop();
    EXPECT(seen.count, 0);
    EXPECT_OK(PMU(STOP, 0, ALL, 0)); /* as Linux does; the machine ends without them, too */
    end();
}
