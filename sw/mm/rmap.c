#include "mm/rmap.h"
#include "mm/inode.h"
#include "mm/mmu_gather.h"
#include "panic.h"

void vma_link_file(struct vma *v)
{
    if (!v->vm_file)
        return;
    struct address_space *mapping = &v->vm_file->i_mapping;

    igrab(v->vm_file);
    v->i_mmap_next = mapping->i_mmap;
    mapping->i_mmap = v;
}

void vma_unlink_file(struct vma *v)
{
    if (!v->vm_file)
        return;
    struct vma **link = &v->vm_file->i_mapping.i_mmap;

    while (*link && *link != v)
        link = &(*link)->i_mmap_next;
    BUG_ON(!*link);
    *link = v->i_mmap_next;
    iput(v->vm_file);
}

void unmap_mapping_pages(struct address_space *mapping, u32 first, u32 nr, bool even_cows)
{
    for (const struct vma *v = mapping->i_mmap; v; v = v->i_mmap_next) {
        u32 start = MAX(first, v->vm_pgoff);
        u32 end = MIN(first + nr, v->vm_pgoff + vma_pages(v));
        struct mmu_gather tlb;

        if (start >= end)
            continue;
        vaddr_t base = v->start - pages_to_bytes(v->vm_pgoff); /* where page 0 would be */

        tlb_gather_mmu(&tlb, v->vm_mm);
        tlb.keep_private = !even_cows;
        unmap_page_range(&tlb, v, base + pages_to_bytes(start), base + pages_to_bytes(end));
        tlb_finish_mmu(&tlb);
    }
}

u32 page_mapcount(const struct page *page)
{
    return (u32)page->refcount - (page->flags & PG_FILE ? 1 : 0);
}
