/* Document 002: coloured zero pages. Its parts are in the files beside this one; run numbers A-n
 * and figures H2.n are those of linux-mm A.4 and 1.3. Interrupts are off. */
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "mm/page.h"

static void e002_run(void)
{
    cache_get_info(CACHE_DATA, &e002_cache);
    e002_mode = l1d_alias_mode();
    e002_dtlb_misses = e002_violations = 0;
    kprintf("  %u sets x %u ways x %u B = %s, %s, %s;\n  way %s, page %s: colours %u; %u passes\n",
            e002_cache.sets, e002_cache.ways, e002_cache.line_bytes,
            bytes_text(cache_bytes(&e002_cache)), cache_policy_name(cache_policy()),
            l1d_alias_name(e002_mode), bytes_text(cache_way_bytes(&e002_cache)),
            bytes_text(PAGE_SIZE), cache_colours(&e002_cache, PAGE_SHIFT), PASSES);
    e002_table_head();
    e002_conflict();
    e002_zero();
    e002_crowded();
    if (PAGE_SHIFT == GRANULE_SHIFT(0u)) { /* the document's page; a larger one changes nothing */
        e002_sources(e002_knee());
        e002_work();
        e002_stream();
    }
    invariant("A.dtlb", "data TLB misses of the measured loops", e002_dtlb_misses);
    invariant("A.2.5-run", "writable or wrong zero mappings", e002_violations);
}
EXPERIMENT(e002, "e002", "coloured zero pages (document 002)", e002_run, 1);
