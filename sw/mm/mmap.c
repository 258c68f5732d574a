/* Areas of an address space. A fixed table of them, in no order: there are few. */
#include "errno.h"
#include "mm/inode.h"
#include "mm/mm.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"

static bool valid_range(vaddr_t start, u32 length)
{
    return length && !((start | length) & (PAGE_SIZE - 1)) && start >= PAGE_SIZE &&
           start < TASK_SIZE && length <= TASK_SIZE - start;
}

struct vma *find_vma(struct mm *mm, vaddr_t address)
{
    struct vma *first = NULL;

    for (struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        if (v->flags && v->end > address && (!first || v->start < first->start))
            first = v;
    return first;
}

struct vma *vma_lookup(struct mm *mm, vaddr_t address)
{
    for (struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        if (v->flags && address >= v->start && address < v->end)
            return v;
    return NULL;
}

/* The first area that has a page of [start, end). */
static struct vma *find_vma_intersection(struct mm *mm, vaddr_t start, vaddr_t end)
{
    struct vma *v = find_vma(mm, start);

    return v && v->start < end ? v : NULL;
}

static struct vma *free_slot(struct mm *mm)
{
    for (struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        if (!v->flags)
            return v;
    return NULL;
}

static int add_area(struct mm *mm, vaddr_t start, u32 length, const struct vma *like)
{
    u32 access = like->flags & (VM_READ | VM_WRITE | VM_EXEC);
    bool write_and_exec = (access & VM_WRITE) && (access & VM_EXEC);

    if (!valid_range(start, length) || !access || write_and_exec)
        return -EINVAL;
    if (find_vma_intersection(mm, start, start + length))
        return -EEXIST;
    struct vma *v = free_slot(mm);

    if (!v)
        return -ENOMEM;
    *v = *like;
    v->start = start;
    v->end = start + length;
    v->vm_mm = mm;
    vma_link_file(v);
    return 0;
}

int mm_map(struct mm *mm, vaddr_t start, u32 length, u32 flags)
{
    const struct vma like = {.flags = flags};

    if (flags & ~(VM_READ | VM_WRITE | VM_EXEC)) /* only files can be shared */
        return -EINVAL;
    return add_area(mm, start, length, &like);
}

int mm_map_file(struct mm *mm, vaddr_t start, u32 length, u32 flags, struct inode *file, u32 pgoff)
{
    const struct vma like = {.flags = flags | VM_MIXEDMAP,
                             .vm_ops = file->i_vm_ops,
                             .vm_file = file,
                             .vm_pgoff = pgoff};

    if (flags & ~(VM_READ | VM_WRITE | VM_EXEC | VM_SHARED) ||
        pgoff + bytes_to_pages(length) < pgoff)
        return -EINVAL;
    return add_area(mm, start, length, &like);
}

int copy_vma(const struct vma *v, vaddr_t to)
{
    return add_area(v->vm_mm, to, v->end - v->start, v);
}

/* The part above a hole in an area's middle needs a slot. */
static bool room_to_cut(struct mm *mm, vaddr_t start, vaddr_t end)
{
    const struct vma *v = find_vma_intersection(mm, start, end);

    return !v || v->start >= start || v->end <= end || free_slot(mm);
}

static void unmap_areas(struct mmu_gather *tlb, vaddr_t start, vaddr_t end)
{
    for (const struct vma *v = find_vma(tlb->mm, start); v && v->start < end;
         v = find_vma(tlb->mm, v->end))
        unmap_page_range(tlb, v, MAX(start, v->start), MIN(end, v->end));
}

static void move_start(struct vma *v, vaddr_t start)
{
    if (v->vm_file)
        v->vm_pgoff += bytes_to_pages(start - v->start);
    v->start = start;
}

/* Cuts [start, end) out of the areas; there is room for it. */
static void cut_areas(struct mm *mm, vaddr_t start, vaddr_t end)
{
    struct vma *v;

    while ((v = find_vma_intersection(mm, start, end))) {
        if (v->start < start && v->end > end) {
            struct vma *upper = free_slot(mm);

            *upper = *v;
            move_start(upper, end);
            vma_link_file(upper);
            v->end = start;
        } else if (v->start < start) {
            v->end = start;
        } else if (v->end > end) {
            move_start(v, end);
        } else {
            vma_unlink_file(v);
            v->flags = 0;
        }
    }
}

/* Tables may go as far as no remaining area needs them: from the end of the area below to the
 * start of the area above. */
static void free_unused_tables(struct mmu_gather *tlb, vaddr_t start, vaddr_t end)
{
    const struct vma *vmas = tlb->mm->vmas, *above = find_vma(tlb->mm, end);
    vaddr_t floor = 0;

    for (const struct vma *v = vmas; v < vmas + NR_VMAS; v++)
        if (v->flags && v->end <= start)
            floor = MAX(floor, v->end);
    free_pgtables(tlb, start, end, floor, above ? above->start : TASK_SIZE);
}

int mm_unmap(struct mm *mm, vaddr_t start, u32 length)
{
    vaddr_t end = start + length;
    struct mmu_gather tlb;

    if (!valid_range(start, length))
        return -EINVAL;
    if (!room_to_cut(mm, start, end))
        return -ENOMEM;
    tlb_gather_mmu(&tlb, mm);
    unmap_areas(&tlb, start, end);
    cut_areas(mm, start, end);
    free_unused_tables(&tlb, start, end);
    tlb_finish_mmu(&tlb);
    return 0;
}
