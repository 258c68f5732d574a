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

static bool valid_access(u32 flags)
{
    bool write_and_exec = (flags & VM_WRITE) && (flags & VM_EXEC);

    return flags && !(flags & ~VM_ACCESS) && !write_and_exec;
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
    if (!valid_range(start, length) || !valid_access(like->flags & VM_ACCESS))
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

    if (flags & ~VM_ACCESS) /* only files can be shared */
        return -EINVAL;
    return add_area(mm, start, length, &like);
}

int mm_map_file(struct mm *mm, vaddr_t start, u32 length, u32 flags, struct inode *file, u32 pgoff)
{
    const struct vma like = {.flags = flags | VM_MIXEDMAP,
                             .vm_ops = file->i_vm_ops,
                             .vm_file = file,
                             .vm_pgoff = pgoff};

    if (flags & ~(VM_ACCESS | VM_SHARED) || pgoff + bytes_to_pages(length) < pgoff)
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

/* What lies from `at` on becomes an area of its own; there is a slot for it. */
static void split_vma(struct vma *v, vaddr_t at)
{
    struct vma *upper = free_slot(v->vm_mm);

    *upper = *v;
    move_start(upper, at);
    vma_link_file(upper);
    v->end = at;
}

/* Cuts [start, end) out of the areas; there is room for it. */
static void cut_areas(struct mm *mm, vaddr_t start, vaddr_t end)
{
    struct vma *v;

    while ((v = find_vma_intersection(mm, start, end))) {
        if (v->start < start && v->end > end) {
            split_vma(v, end);
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

/* The first area of [start, end) whose permissions are others. */
static struct vma *find_other_access(struct mm *mm, vaddr_t start, vaddr_t end, u32 access)
{
    struct vma *v = find_vma_intersection(mm, start, end);

    while (v && (v->flags & VM_ACCESS) == access)
        v = find_vma_intersection(mm, v->end, end);
    return v;
}

static bool has_hole(struct mm *mm, vaddr_t start, vaddr_t end)
{
    while (start < end) {
        const struct vma *v = vma_lookup(mm, start);

        if (!v)
            return true;
        start = v->end;
    }
    return false;
}

/* An area that gets other permissions only above `at`, or only below it. */
static bool needs_split(struct mm *mm, vaddr_t at, u32 access)
{
    const struct vma *v = vma_lookup(mm, at);

    return v && v->start < at && (v->flags & VM_ACCESS) != access;
}

static bool room_to_split(struct mm *mm, vaddr_t start, vaddr_t end, u32 access)
{
    u32 needed = needs_split(mm, start, access) + needs_split(mm, end, access), unused = 0;

    for (const struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        unused += !v->flags;
    return unused >= needed;
}

/* Linux's mprotect changes what lies below a hole before it says -ENOMEM, and joins neighbours that
 * have become alike. A file has no permissions of its own, so there is no -EACCES. */
int mm_protect(struct mm *mm, vaddr_t start, u32 length, u32 flags)
{
    vaddr_t end = start + length;
    struct mmu_gather tlb;
    struct vma *v;

    if (!valid_range(start, length) || !valid_access(flags))
        return -EINVAL;
    if (has_hole(mm, start, end) || !room_to_split(mm, start, end, flags))
        return -ENOMEM;
    tlb_gather_mmu(&tlb, mm);
    while ((v = find_other_access(mm, start, end, flags))) {
        if (v->start < start) {
            split_vma(v, start);
            continue;
        }
        if (v->end > end)
            split_vma(v, end);
        v->flags = (v->flags & ~VM_ACCESS) | flags;
        change_protection(&tlb, v, v->start, v->end);
    }
    tlb_finish_mmu(&tlb);
    return 0;
}
