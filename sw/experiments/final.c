/* What must hold when all experiments are over, and what happens when lowmem runs out. */
#include "errno.h"
#include "experiments/experiment.h"
#include "image.h"
#include "kernel/task.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/zero_page.h"
#include "panic.h"

/* Takes all lowmem; the blocks are linked through page->next. */
static u32 take_lowmem(void)
{
    u32 list = PAGE_NONE;

    for (unsigned order = MAX_ORDER + 1; order-- > 0;) {
        struct page *page;

        while ((page = alloc_pages(GFP_KERNEL, order))) {
            page->next = list;
            page->order = (u16)order;
            list = (u32)(page - mem_map);
        }
    }
    return list;
}

static void give_back(u32 list)
{
    while (list != PAGE_NONE) {
        struct page *page = mem_map + list;

        list = page->next;
        free_pages(page, page->order);
    }
}

/* C.2.6: every free page of lowmem can become a PTE page. Nobody needs to clear them for that. */
static void lowmem_full_of_tables(void)
{
    u32 free = zones[ZONE_LOW].free, tables = 0, list = PAGE_NONE;
    struct page *page;

    while ((page = alloc_page(GFP_KERNEL)) && pgtable_page_ctor(page)) {
        page->next = list;
        page->order = 0;
        list = (u32)(page - mem_map);
        tables++;
    }
    for (u32 at = list; at != PAGE_NONE; at = mem_map[at].next)
        pgtable_page_dtor(mem_map + at);
    give_back(list);
    kprintf("  %u PTE pages fit into the free lowmem; they map %s\n", tables,
            bytes_text(tables * geometry_pte_page_reach(&user_geometry)));
    arithmetic("C.2.6", "PTE pages that fit into free lowmem", tables, "pages", free);
}

/* A fault that needs a new PTE page while lowmem is used up. */
static int fault_without_lowmem(gfp_t gfp, vaddr_t first, vaddr_t second)
{
    gfp_t boot_gfp = set_userpte_gfp(gfp);
    struct mm *mm = mm_alloc();

    BUG_ON(!mm || mm_map(mm, first, PAGE_SIZE, VM_DATA) || mm_map(mm, second, PAGE_SIZE, VM_DATA));
    BUG_ON(handle_mm_fault(mm, first, 0)); /* makes the upper tables, which are always low */
    u32 taken = take_lowmem();
    int error = handle_mm_fault(mm, second, 0);

    give_back(taken);
    mmput(mm);
    set_userpte_gfp(boot_gfp);
    return error;
}

/* C.2.5, the reason why highmem page tables exist: with lowmem used up the fault fails under nohigh
 * although highmem is free, and succeeds by default. */
static void lowmem_exhaustion(void)
{
    u32 span = PTE_PAGE_SPAN;
    vaddr_t first = USER_DATA, second = ALIGN_UP(USER_DATA, span) + span;

    if (user_geometry.start_level == LEAF_LEVEL || !zones[ZONE_HIGH].free || second >= TASK_SIZE)
        return;
    int nohigh = fault_without_lowmem(__userpte_alloc_gfp & ~__GFP_HIGHMEM, first, second);
    int high = fault_without_lowmem(__userpte_alloc_gfp | __GFP_HIGHMEM, first, second);

    kprintf("  lowmem used up, highmem free: nohigh %s, default %s\n",
            nohigh ? "out of memory" : "goes on", high ? "out of memory" : "goes on");
    invariant("C.2.5", "nohigh fails, highmem tables go on", nohigh != -ENOMEM || high);
}

static void final_run(void)
{
    bool clean = zero_pages_clean();

    lowmem_full_of_tables();
    lowmem_exhaustion();
    invariant("A.2.1-end", "zero pages are still zero", !clean);
    invariant("E.2.2", "geometry and other words of boot changed since",
              ro_after_init_digest() != ro_after_init_at_boot);
    BUG_ON(kernel_stack[0]); /* the lowest word was never reached */
}
EXPERIMENT(final, "final", "what must hold at the end", final_run, 8);
