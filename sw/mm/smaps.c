#include "mm/smaps.h"
#include "lib/printf.h"
#include "mm/inode.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"

static void account(struct mem_size_stats *m, const struct page *page, pte_t pte)
{
    u32 mappers = page_mapcount(page);
    bool dirty = pte_dirty(pte);

    m->resident += PAGE_SIZE;
    m->pss += PAGE_SIZE / mappers;
    if (pte_young(pte))
        m->referenced += PAGE_SIZE;
    if (!(page->flags & PG_FILE))
        m->anonymous += PAGE_SIZE;
    if (mappers > 1)
        *(dirty ? &m->shared_dirty : &m->shared_clean) += PAGE_SIZE;
    else
        *(dirty ? &m->private_dirty : &m->private_clean) += PAGE_SIZE;
}

struct mem_size_stats smap_gather_stats(const struct vma *v)
{
    struct mem_size_stats m = {.size = v->end - v->start};

    for (vaddr_t at = v->start; at < v->end;) {
        vaddr_t stop = pte_page_end(at, v->end);
        struct pte_slot *base = pte_offset_map(v->vm_mm, at), *slot = base;

        if (base) {
            for (; at != stop; at += PAGE_SIZE, slot = ptep_next(slot)) {
                pte_t pte = ptep_present(slot) ? ptep_get(slot) : 0;
                const struct page *page = pte ? vm_normal_page(v, at, pte) : NULL;

                if (page)
                    account(&m, page, pte);
            }
            pte_unmap(base);
        }
        at = stop;
    }
    return m;
}

static void line(const char *name, u64 bytes)
{
    char label[20];

    ksnprintf(label, sizeof label, "%s:", name);
    kprintf("%-16s %8u kB\n", label, (u32)(bytes >> 10));
}

static void head_line(const struct vma *v)
{
    kprintf("%08x-%08x %c%c%c%c %08llx 00:00 %-4u %s\n", v->start, v->end,
            v->flags & VM_READ ? 'r' : '-', v->flags & VM_WRITE ? 'w' : '-',
            v->flags & VM_EXEC ? 'x' : '-', v->flags & VM_SHARED ? 's' : 'p',
            (u64)v->vm_pgoff << PAGE_SHIFT, v->vm_file ? v->vm_file->i_ino : 0,
            v->vm_file ? v->vm_file->name : "");
}

void smaps_dump_vma(const struct vma *v)
{
    struct mem_size_stats m = smap_gather_stats(v);

    head_line(v);
    line("Size", m.size);
    line("Rss", m.resident);
    line("Pss", m.pss);
    line("Shared_Clean", m.shared_clean);
    line("Shared_Dirty", m.shared_dirty);
    line("Private_Clean", m.private_clean);
    line("Private_Dirty", m.private_dirty);
    line("Referenced", m.referenced);
    line("Anonymous", m.anonymous);
    line("LazyFree", 0); /* what follows does not exist here; the form has it */
    line("AnonHugePages", 0);
    line("ShmemPmdMapped", 0);
    line("Shared_Hugetlb", 0);
    line("Private_Hugetlb", 0);
    line("Swap", 0);
    line("SwapPss", 0);
    line("KernelPageSize", PAGE_SIZE);
    line("MMUPageSize", PAGE_SIZE);
    line("Locked", 0);
}

void smaps_dump(struct mm *mm)
{
    for (const struct vma *v = find_vma(mm, 0); v; v = find_vma(mm, v->end))
        smaps_dump_vma(v);
}
