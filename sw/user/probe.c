/* Experiment of document 002: read one word of each of n places, again and again. */
#include "user/probe.h"
#include "geometry.h"
#include "lib/csr.h"
#include "user/user.h"

#define MAX_ROUNDS 16u /* more than the TLB has entries to lose */
#define SMALL_PAGE BIT(GRANULE_SHIFT(0u))
/* Places are touched here first: in the page of the measured word, in another line. */
#define LAST_LINE (SMALL_PAGE - 64u)

typedef void probe_function(u32 base, u32 stride, u32 end, u32 passes, struct probe_counts *counts,
                            u32 unmeasured, u32 work);
probe_function probe_loop, probe_loop_empty, probe_loop_work;

/* One read per place brings its translation into the TLB, but not the line that is measured. */
USER_INLINE void warm_tlb(u32 base, u32 stride, u32 end)
{
    for (u32 at = base; at != end; at += stride)
        user_load(at + LAST_LINE);
}

USER_INLINE u32 dtlb_misses(void)
{
    return csr_read(GRANULE_EVENT_COUNTER(GRANULE_EVENT_DTLB_MISS));
}

/* Where the kernel left the TLB, a round may push out entries of its own: until none misses. */
USER_INLINE void warm_tlb_until_it_hits(u32 base, u32 stride, u32 end, volatile u32 *stack)
{
    u32 rounds = 0, before;

    do {
        before = dtlb_misses();
        *stack = before;
        warm_tlb(base, stride, end);
    } while (dtlb_misses() != before && ++rounds < MAX_ROUNDS);
}

USER_CODE_SECTION void user_probe(u32 base, u32 stride, u32 n, u32 passes, u32 flags, u32 work)
{
    struct probe_report report;
    u32 end = base + n * stride;
    bool dense = stride < SMALL_PAGE; /* every line of a page is measured: none is left to warm */
    u32 aside = dense ? 0 : LAST_LINE;
    probe_function *loop = flags & PROBE_WORK ? probe_loop_work : probe_loop;

    /* Maps the places, and brings the code of the loops into the instruction cache. */
    loop(base + aside, stride, end + aside, 1, &report.cold, 1, work);
    probe_loop_empty(base, stride, end, passes - 1, &report.empty, 1, 0);
    syscall3(SYS_FLUSH, 0, 0, 0);
    if (!dense)
        warm_tlb_until_it_hits(base, stride, end, (volatile u32 *)&report.cold);
    loop(base, stride, end, 1, &report.cold, 0, work);
    loop(base, stride, end, passes - 1, &report.steady, 1, work);
    syscall3(SYS_MARK, MARK_END, 0, 0);
    user_report((const u32 *)&report, sizeof report / sizeof(u32));
    user_exit(0);
}
