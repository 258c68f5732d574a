/* Performance counters (SBI 2.0, chapter 11). Counter i is the CSR 0xc00 + i: cycle, instret, and
 * one for each event of the machine. Some have a second event, which mhpmevent chooses; else a
 * counter counts nothing else. So an event has one counter, and what has none is not supported.
 * Loads and stores share the counters of their cache and TLB; they are offered as reads. No
 * overflow interrupt, no counter of the firmware itself, and counting in one mode only cannot be
 * had.
 */
#include "granule_events.h"
#include "lib/csr.h"
#include "sbi/sbi.h"

enum {
    NUM_COUNTERS,
    GET_INFO,
    CONFIG_MATCHING,
    START,
    STOP,
    FW_READ,
    FW_READ_HI,
    SNAPSHOT_SET_SHMEM,
};

enum { CYCLE = 0, TIME = 1, INSTRET = 2, FIRST_EVENT = 3 };
#define COUNTERS (FIRST_EVENT + GRANULE_EVENT_COUNT)
#define EVENT(n) (FIRST_EVENT + GRANULE_EVENT_##n)

/* The counters are wider. Linux 6.1 with 32 bits shifts the upper word by 31 instead of 32 when it
 * reads one (drivers/perf/riscv_pmu_sbi.c); of 31 bits it uses nothing of that word. */
#define OFFERED_BITS 31u

/* event_idx: type in bits 19:16, code below. */
#define TYPE(event) ((event) >> 16 & 0xf)
#define CODE(event) ((event)&0xffff)
enum { GENERAL, CACHE, RAW };
enum { L1D = 0, L1I = 1, DTLB = 3, ITLB = 4, ACCESS = 0, MISS = 1 };
#define READ(cache, result) (CACHE << 16 | (cache) << 3 | (result))

static const struct {
    u32 event, counter;
} offered[] = {
    {1, CYCLE},
    {2, INSTRET},
    {3, EVENT(L1D_ACCESS)}, /* cache references */
    {4, EVENT(L1D_MISS)},
    {9, EVENT(L1D_STALL)}, /* stalled cycles of the back end */
    {READ(L1D, ACCESS), EVENT(L1D_ACCESS)},
    {READ(L1D, MISS), EVENT(L1D_MISS)},
    {READ(L1I, ACCESS), EVENT(L1I_ACCESS)},
    {READ(L1I, MISS), EVENT(L1I_MISS)},
    {READ(DTLB, ACCESS), EVENT(DTLB_ACCESS)},
    {READ(DTLB, MISS), EVENT(DTLB_MISS)},
    {READ(ITLB, ACCESS), EVENT(ITLB_ACCESS)},
    {READ(ITLB, MISS), EVENT(ITLB_MISS)},
};

static bool exists(u32 counter)
{
    return counter < COUNTERS && counter != TIME;
}

/* A raw event is the value of mhpmevent that counts it. */
static u32 raw_counter(u32 value)
{
    switch (value) {
#define FIRST(name, n, text)     \
    case GRANULE_EVENT_FIRST(n): \
        return FIRST_EVENT + n;
        GRANULE_EVENTS(FIRST)
#undef FIRST
#define SECOND(name, n, text)     \
    case GRANULE_EVENT_SECOND(n): \
        return FIRST_EVENT + n;
        GRANULE_STALLS(SECOND)
#undef SECOND
    }
    return COUNTERS;
}

/* COUNTERS: nobody counts it. */
static u32 counter_of(u32 event, u32 data, u32 data_high)
{
    if (TYPE(event) == RAW)
        return data_high ? COUNTERS : raw_counter(data);
    for (u32 i = 0; i < ARRAY_SIZE(offered); i++)
        if (offered[i].event == event)
            return offered[i].counter;
    return COUNTERS;
}

/* What a counter counts: its second event if it is a raw one, its first one otherwise. */
static void select_event(u32 counter, u32 event, u32 data)
{
    switch (counter) {
#define SELECT(name, n, text)                                               \
    case FIRST_EVENT + n:                                                   \
        csr_write(GRANULE_EVENT_SELECTOR(n),                                \
                  TYPE(event) == RAW ? data : (u32)GRANULE_EVENT_FIRST(n)); \
        break;
        GRANULE_EVENTS(SELECT)
#undef SELECT
    }
}

/* A CSR number is part of the instruction, hence one case per counter. */
static void counter_write(u32 counter, u64 value)
{
    u32 low = (u32)value, high = (u32)(value >> 32);

    switch (counter) {
    case CYCLE:
        csr_write_named(mcycle, low);
        csr_write_named(mcycleh, high);
        break;
    case INSTRET:
        csr_write_named(minstret, low);
        csr_write_named(minstreth, high);
        break;
#define WRITE(name, n, text)                         \
    case FIRST_EVENT + n:                            \
        csr_write(GRANULE_EVENT_MCOUNTER(n), low);   \
        csr_write(GRANULE_EVENT_MCOUNTERH(n), high); \
        break;
        GRANULE_EVENTS(WRITE)
#undef WRITE
    }
}

/* The set of counters of a call: bit i of `mask` is counter base + i. All of them exist. */
static bool set_exists(u32 base, u32 mask)
{
    for (u32 i = 0; mask; i++, mask >>= 1)
        if ((mask & 1) && (base + i < base || !exists(base + i)))
            return false;
    return true;
}

static bool set_has(u32 base, u32 mask, u32 counter)
{
    return counter >= base && counter - base < 32 && (mask >> (counter - base) & 1);
}

static struct sbi_ret info(u32 counter)
{
    if (!exists(counter))
        return sbi_error(SBI_INVALID_PARAM);
    return sbi_value((CSR_CYCLE + counter) | (OFFERED_BITS - 1) << 12);
}

static void run(u32 counter, bool on)
{
    if (on)
        csr_clear_named(mcountinhibit, BIT(counter));
    else
        csr_set_named(mcountinhibit, BIT(counter));
}

static bool runs(u32 counter)
{
    return !(csr_read_named(mcountinhibit) & BIT(counter));
}

#define SKIP_MATCH  BIT(0)
#define CLEAR_VALUE BIT(1)
#define AUTO_START  BIT(2)

static struct sbi_ret config_matching(const u32 *args)
{
    u32 base = args[0], mask = args[1], flags = args[2], counter;

    if (!mask || !set_exists(base, mask))
        return sbi_error(SBI_INVALID_PARAM);
    if (flags & SKIP_MATCH) /* the lowest of the set, which was chosen before */
        counter = base + (u32)__builtin_ctz(mask);
    else
        counter = counter_of(args[3], args[4], args[5]);
    if (counter == COUNTERS || !set_has(base, mask, counter))
        return sbi_error(SBI_NOT_SUPPORTED);
    if (!(flags & SKIP_MATCH))
        select_event(counter, args[3], args[4]);
    if (flags & CLEAR_VALUE)
        counter_write(counter, 0);
    if (flags & AUTO_START)
        run(counter, true);
    return sbi_value(counter);
}

#define SET_INIT_VALUE BIT(0)

/* Starts or stops the counters of a set; those that do so already make it an error. */
static struct sbi_ret start_or_stop(const u32 *args, bool start)
{
    u32 base = args[0], mask = args[1];
    bool already = false;

    if (!set_exists(base, mask))
        return sbi_error(SBI_INVALID_PARAM);
    for (u32 counter = base; mask; counter++, mask >>= 1) {
        if (!(mask & 1))
            continue;
        if (runs(counter) == start) {
            already = true;
            continue;
        }
        if (start && (args[2] & SET_INIT_VALUE))
            counter_write(counter, args[3] | (u64)args[4] << 32);
        run(counter, start);
    }
    if (already)
        return sbi_error(start ? SBI_ALREADY_STARTED : SBI_ALREADY_STOPPED);
    return sbi_value(0);
}

struct sbi_ret sbi_pmu(u32 function, const u32 *args)
{
    switch (function) {
    case NUM_COUNTERS:
        return sbi_value(COUNTERS);
    case GET_INFO:
        return info(args[0]);
    case CONFIG_MATCHING:
        return config_matching(args);
    case START:
    case STOP:
        return start_or_stop(args, function == START);
    case FW_READ:
    case FW_READ_HI:
        return sbi_error(SBI_INVALID_PARAM); /* no counter is the firmware's */
    }
    return sbi_error(SBI_NOT_SUPPORTED); /* SNAPSHOT_SET_SHMEM among them */
}
