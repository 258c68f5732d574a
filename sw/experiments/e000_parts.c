/* Document 000: its arithmetic, and the cost of one mapping. */
#include "drivers/sysinfo.h"
#include "errno.h"
#include "experiments/e000.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

#define MIB   (1024u * 1024u)
#define GIB   (1024ull * MIB)
#define FUDGE 10 /* of the document: lowmem is needed for more than tables */

#define PAIRS 64u

void e000_arithmetic(void)
{
    struct geometry pae; /* 4K pages, 512 entries of 8 bytes: the document's machine */
    const u64 lowmem = 768ull * MIB;
    u64 own = sysinfo_lowmem_bytes();

    BUG_ON(geometry_init(&pae, 12, ENTRY_64, 32));
    u64 tables = geometry_pte_pages(&pae, lowmem), reach = geometry_pte_page_reach(&pae);
    u64 mappable = geometry_mappable(&pae, lowmem);

    kprintf("  768 MiB of lowmem, 4 KiB pages: %llu PTE pages, each maps %s, together %s\n", tables,
            bytes_text(reach), bytes_text(mappable));
    kprintf("  this machine, %s of lowmem, %s pages: %llu PTE pages, each maps %s, together %s\n",
            bytes_text(own), bytes_text(PAGE_SIZE), geometry_pte_pages(&user_geometry, own),
            bytes_text(geometry_pte_page_reach(&user_geometry)),
            bytes_text(geometry_mappable(&user_geometry, own)));
    arithmetic("H0.5", "PTE pages in 768 MiB of lowmem", (s64)tables, "pages", 196608);
    arithmetic("H0.6", "memory that one PTE page maps", (s64)(reach / MIB), "MiB", 2);
    arithmetic("H0.7", "memory that all of them map", (s64)(mappable / GIB), "GiB", 384);
    /* A tenth of lowmem is left to tables, by the author's guess; memory beyond needs highmem. */
    figure("H0.8", "memory that a tenth of lowmem reaches",
           ratio_e6((s64)(mappable / MIB), FUDGE * (s64)(GIB / MIB)), "GiB");
    arithmetic("H0.9", "lowmem taken by tables of 32 GiB",
               (s64)(32 * GIB / reach * (1u << pae.page_shift) / MIB), "MiB", 64);
    figure("H0.10", "memory where highmem tables begin to be needed",
           ratio_e6((s64)(mappable / MIB), FUDGE * (s64)(GIB / MIB)), "GiB");
}

/* Average of many pairs on the one PTE page of `mm`. */
static s64 pair_cycles(struct mm *mm)
{
    u64 start = pmu_cycles();

    for (u32 i = 0; i < PAIRS; i++) {
        struct pte_slot *pte = pte_offset_map(mm, USER_DATA);

        BUG_ON(!ptep_present(pte));
        pte_unmap(pte);
    }
    return ratio_e6((s64)(pmu_cycles() - start), PAIRS);
}

static struct mm *one_page_mm(void)
{
    struct mm *mm = mm_alloc();
    u32 value;

    BUG_ON(!mm || mm_map(mm, USER_DATA, PAGE_SIZE, VM_DATA));
    mm_switch(mm);
    BUG_ON(get_user(&value, USER_DATA) || value);
    return mm;
}

void e000_pair_cost(void)
{
    gfp_t boot_gfp = __userpte_alloc_gfp;
    struct mm *mm = one_page_mm();
    vaddr_t slot;
    u32 value, stale = 0;

    pair_cycles(mm); /* warm up */
    s64 high = pair_cycles(mm);
    struct pte_slot *pte = pte_offset_map(mm, USER_DATA);

    slot = (vaddr_t)(uintptr_t)pte;
    stale += probe_read(-EFAULT, slot, &value) != 0; /* mapped: the load must succeed */
    pte_unmap(pte);
    stale += probe_read(-EFAULT, slot, &value) != -EFAULT; /* and now it must fault */
    mmput(mm);

    BUG_ON(setup_userpte("nohigh"));
    mm = one_page_mm();
    pair_cycles(mm);
    s64 low = pair_cycles(mm);
    mmput(mm);
    set_userpte_gfp(boot_gfp);

    kprintf("  pte_offset_map + pte_unmap: highmem %s cycles, lowmem %s cycles\n", fixed(high, 1),
            fixed(low, 1));
    figure("H0.pair-high", "map and unmap a PTE page, highmem", high, "cycles");
    figure("H0.pair-low", "map and unmap a PTE page, lowmem", low, "cycles");
    invariant("C.2.7", "stale slots after pte_unmap", stale);
}
