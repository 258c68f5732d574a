/* Page-table pages: where they come from and their bookkeeping. */
#include "errno.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

#define PGALLOC_GFP      (GFP_KERNEL | __GFP_ZERO)
#define PGALLOC_USER_GFP (HIGHPTE ? __GFP_HIGHMEM : 0)

gfp_t __userpte_alloc_gfp = PGALLOC_GFP | PGALLOC_USER_GFP;
u32 nr_pagetable;
bool pgtable_ctor_fails;

gfp_t set_userpte_gfp(gfp_t gfp)
{
    gfp_t before = __userpte_alloc_gfp;

    BUG_ON(nr_pagetable);
    __userpte_alloc_gfp = gfp;
    return before;
}

/* "userpte=nohigh" keeps user page tables out of highmem. */
int setup_userpte(char *arg)
{
    if (!arg || strcmp(arg, "nohigh") != 0) {
        kprintf("userpte='%s' is not 'nohigh'\n", arg ? arg : "");
        return -EINVAL;
    }
    set_userpte_gfp(PGALLOC_GFP);
    return 0;
}
early_param("userpte", setup_userpte);

#define LOWMEM_FUDGE 10 /* lowmem is needed for more than tables: document 000's guess */

static bool userpte_auto;

/* "userpte_auto" decides by the size of memory, which the author of userpte= wished for. */
static int setup_userpte_auto(char *arg)
{
    if (arg) {
        kprintf("userpte_auto='%s': it takes no value\n", arg);
        return -EINVAL;
    }
    userpte_auto = true;
    return 0;
}
early_param("userpte_auto", setup_userpte_auto);

void userpte_settle(u64 memory, u64 lowmem)
{
    if (userpte_auto && memory <= geometry_mappable(&user_geometry, lowmem) / LOWMEM_FUDGE)
        __userpte_alloc_gfp &= ~__GFP_HIGHMEM;
    userpte_auto = false;
}

bool pgtable_page_ctor(struct page *page)
{
    if (pgtable_ctor_fails)
        return false;
    page->flags |= PG_TABLE;
    nr_pagetable++;
    return true;
}

void pgtable_page_dtor(struct page *page)
{
    BUG_ON(!(page->flags & PG_TABLE));
    page->flags &= (u16)~PG_TABLE;
    nr_pagetable--;
}

static struct page *table_alloc(gfp_t gfp)
{
    struct page *page = alloc_page(gfp);

    if (page && !pgtable_page_ctor(page)) {
        put_page(page);
        return NULL;
    }
    return page;
}

struct page *pte_alloc_one(struct mm *mm)
{
    struct page *page = table_alloc(__userpte_alloc_gfp);

    if (page) {
        mm->nr_tables++;
        BUG_ON(page_is_high(page) && !(__userpte_alloc_gfp & __GFP_HIGHMEM));
    }
    return page;
}

struct pte_slot *pte_alloc_one_kernel(void)
{
    struct page *page = table_alloc(PGALLOC_GFP);

    return page ? lowmem_address(page) : NULL;
}

void pte_free(struct mm *mm, struct page *table)
{
    mm->nr_tables--;
    pgtable_page_dtor(table);
    put_page(table);
}
