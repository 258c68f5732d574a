/* When to flush page by page, and when everything (linux-mm 5.3, 5.4).
 *
 * x86 has no operation on a range: beyond some pages, flushing all of them one by one costs more
 * than flushing everything and walking for the entries that were still of use. Where that lies is
 * measured at each boot. A machine with range operations never gets there.
 */
#ifndef MM_FLUSH_POLICY_H
#define MM_FLUSH_POLICY_H

#include "types.h"

/* In cycles, of this machine. */
struct flush_costs {
    u32 page;      /* one page that a TLB may hold */
    u32 untouched; /* one page that was never accessed: its PTE says so */
    u32 range;     /* all slots of the kmap pool */
    u32 all;       /* everything ... */
    u32 refill;    /* ... and walking for a TLB full of entries again */
};

/* Largest number of pages that cost no more one by one than everything does. */
u32 flush_break_even(const struct flush_costs *costs);

/* A number of pages as text: -EINVAL, and the old value stays, if it is none or negative. Also the
 * boot argument of this name; then the calibration only reports. */
int set_tlb_single_page_flush_ceiling(const char *text);
extern bool tlb_flush_ceiling_chosen;

/* Measures the costs, prints them, and sets the ceiling to where they meet. */
struct flush_costs measure_flush_costs(void);
void tlb_flush_policy_calibrate(void);

#endif
