/* Experiment of document 002: read one word of each of n places, again and again. */
#include "user/probe.h"
#include "lib/csr.h"
#include "mm/geometry.h"
#include "user/user.h"

#define MAX_ROUNDS 16u /* more than the TLB has entries to lose */
/* Places are touched here first: in the page of the measured word, in another line. */
#define LAST_LINE (BIT(GRANULE_SHIFT(0u)) - 64u)

void probe_loop(u32 base, u32 stride, u32 end, u32 passes, struct probe_counts *counts,
                u32 unmeasured);
void probe_loop_empty(u32 base, u32 stride, u32 end, u32 passes, struct probe_counts *counts,
                      u32 unmeasured);

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

USER_CODE_SECTION void user_probe(u32 base, u32 stride, u32 n, u32 passes, u32 flags)
{
    struct probe_report report;
    u32 end = base + n * stride, rounds = 0, before;

    for (u32 at = base; at != end; at += stride)
        if (flags & PROBE_WRITE_FIRST)
            user_store(at, at);
    warm_tlb(base, stride, end);
    /* The code of the loop comes into the instruction cache with addresses of no interest. */
    probe_loop(base + LAST_LINE, stride, end + LAST_LINE, 1, &report.cold, 1);
    probe_loop_empty(base, stride, end, passes - 1, &report.empty, 1);
    syscall3(SYS_FLUSH, 0, 0, 0);
    /* Where the kernel left the TLB, a round may push out entries of its own: until none misses. */
    do {
        before = dtlb_misses();
        user_store((u32)(uintptr_t)&report, before);
        warm_tlb(base, stride, end);
    } while (dtlb_misses() != before && ++rounds < MAX_ROUNDS);
    probe_loop(base, stride, end, 1, &report.cold, 0);
    probe_loop(base, stride, end, passes - 1, &report.steady, 1);
    syscall3(SYS_MARK, MARK_END, 0, 0);
    user_report((const u32 *)&report, sizeof report / sizeof(u32));
    user_exit(0);
}
