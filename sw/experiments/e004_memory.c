/* Memory that is taken while a hole is read, page by page: tables and index once, and with the old
 * method a page for each page. */
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "kernel/uaccess.h"
#include "panic.h"

#define PAGES 8u

/* Pages taken by reading them all. */
static u32 taken(enum dax_hole_method method, const char *curve)
{
    struct inode *file = new_inode("/dax/memory", (u64)PAGES << PAGE_SHIFT);
    enum dax_hole_method before = dax_hole_method;
    struct mm *mm = mm_alloc();
    u32 free = nr_free_pages(), word;

    BUG_ON(!file || !mm ||
           mm_map_file(mm, HOLE_BASE, PAGES << PAGE_SHIFT, VM_DATA | VM_SHARED, file, 0));
    dax_hole_method = method;
    mm_switch(mm);
    for (u32 i = 0; i < PAGES; i++) {
        BUG_ON(get_user(&word, HOLE_BASE + (i << PAGE_SHIFT)) || word);
        series(curve, i + 1, (s64)(free - nr_free_pages()) * E6);
    }
    free -= nr_free_pages();
    mmput(mm);
    iput(file);
    dax_hole_method = before;
    return free;
}

void e004_memory(void)
{
    u32 old = taken(DAX_HOLE_PAGECACHE, "e004.memory.page-cache");
    u32 zero = taken(DAX_HOLE_ZERO_PAGE, "e004.memory.zero-page");

    arithmetic("H4.memory", "pages that the old method takes more for 8 pages of a hole",
               (s64)old - zero, "pages", PAGES);
}
