/* The TLBs as a debugger reads them, entry by entry. Not every MMU can show them. */
#ifndef DRIVERS_TLB_VIEW_H
#define DRIVERS_TLB_VIEW_H

#include "types.h"

enum tlb_kind { TLB_FETCH, TLB_DATA };

struct tlb_entry {
    u64 va, pa; /* what it maps begins there */
    u32 asid;   /* if not global */
    bool global;
    bool writable_clean; /* the first store still has to mark the page dirty */
    unsigned level;
    unsigned size_log2;
    u8 memory; /* byte of MAIR */
};

#define TLB_VIEW_MAX 64u /* no TLB of ours has more entries; the registers could show 256 */

bool tlb_view_present(void);
/* Entry n of a TLB; false: it holds nothing, or there is no such entry. */
bool tlb_view_read(enum tlb_kind kind, u32 n, struct tlb_entry *entry);

#endif
