#include "errno.h"
#include "fuzz/fuzz.h"
#include "mm/pgtable.h"
#include <string.h>

struct model models[LIVE];

static vaddr_t places[PLACES];

/* Bottom, top, quarters, and the border of the lowest two tables. */
void model_init(void)
{
    u32 size = TASK_SIZE, half = NEAR / 2 << PAGE_SHIFT;
    u32 border = PTE_PAGE_SPAN < size / 8 ? PTE_PAGE_SPAN : size / 8;
    vaddr_t middles[PLACES] = {PAGE_SIZE + half, border,       size / 4,
                               size / 2,         size / 4 * 3, size - half};

    for (u32 i = 0; i < PLACES; i++)
        places[i] = middles[i] - half;
}

vaddr_t sample_va(u32 page)
{
    return places[page / NEAR] + (page % NEAR << PAGE_SHIFT);
}

static struct model_area *model_area(struct model *m, vaddr_t va)
{
    for (struct model_area *a = m->areas; a < m->areas + NR_VMAS; a++)
        if (a->flags && va >= a->start && va < a->end)
            return a;
    return NULL;
}

u32 model_flags(const struct model *m, vaddr_t va)
{
    const struct model_area *a = model_area((struct model *)m, va);

    return a ? a->flags : 0;
}

static bool bad_range(vaddr_t start, u32 length)
{
    u64 end = (u64)start + length;

    return !length || start % PAGE_SIZE || length % PAGE_SIZE || start < PAGE_SIZE ||
           end > TASK_SIZE;
}

static bool overlaps(const struct model_area *a, vaddr_t start, vaddr_t end)
{
    return a->flags && a->start < end && a->end > start;
}

static struct model_area *unused(struct model *m)
{
    for (struct model_area *a = m->areas; a < m->areas + NR_VMAS; a++)
        if (!a->flags)
            return a;
    return NULL;
}

static bool bad_flags(u32 flags)
{
    u32 known = VM_READ | VM_WRITE | VM_EXEC;

    return !flags || flags & ~known || (flags & (VM_WRITE | VM_EXEC)) == (VM_WRITE | VM_EXEC);
}

int model_map(struct model *m, vaddr_t start, u32 length, u32 flags)
{
    if (bad_range(start, length) || bad_flags(flags))
        return -EINVAL;
    for (u32 i = 0; i < NR_VMAS; i++)
        if (overlaps(&m->areas[i], start, start + length))
            return -EEXIST;
    if (!unused(m))
        return -ENOMEM;
    *unused(m) = (struct model_area){start, start + length, flags};
    return 0;
}

/* What of a former area lies outside of [start, end) keeps its permissions. */
static void keep_outside(struct model *m, struct model_area old, vaddr_t start, vaddr_t end)
{
    if (old.start < start)
        *unused(m) = (struct model_area){old.start, start, old.flags};
    if (old.end > end)
        *unused(m) = (struct model_area){end, old.end, old.flags};
}

int model_unmap(struct model *m, vaddr_t start, u32 length)
{
    vaddr_t end = start + length;
    struct model_area old[NR_VMAS];

    if (bad_range(start, length))
        return -EINVAL;
    for (u32 i = 0; i < NR_VMAS; i++)
        if (m->areas[i].flags && m->areas[i].start < start && m->areas[i].end > end && !unused(m))
            return -ENOMEM;
    memcpy(old, m->areas, sizeof old);
    for (u32 i = 0; i < NR_VMAS; i++)
        if (overlaps(&old[i], start, end))
            m->areas[i].flags = 0;
    for (u32 i = 0; i < NR_VMAS; i++)
        if (overlaps(&old[i], start, end))
            keep_outside(m, old[i], start, end);
    for (u32 i = 0; i < PAGES; i++)
        if (sample_va(i) - start < length)
            m->content[i] = (struct model_content){0};
    return 0;
}

int model_protect(struct model *m, vaddr_t start, u32 length, u32 flags)
{
    vaddr_t end = start + length;
    u32 slots = 0, missing = length;

    if (bad_range(start, length) || bad_flags(flags))
        return -EINVAL;
    for (u32 i = 0; i < NR_VMAS; i++) {
        const struct model_area *a = &m->areas[i];

        if (overlaps(a, start, end))
            missing -= MIN(a->end, end) - MAX(a->start, start);
        if (overlaps(a, start, end) && a->flags != flags)
            slots += (a->start < start) + (a->end > end);
        slots += a->flags != 0;
    }
    if (missing || slots > NR_VMAS)
        return -ENOMEM;
    for (u32 i = 0; i < NR_VMAS; i++) {
        struct model_area *a = &m->areas[i], old = *a;

        if (!overlaps(&old, start, end) || old.flags == flags)
            continue;
        *a = (struct model_area){MAX(old.start, start), MIN(old.end, end), flags};
        keep_outside(m, old, start, end);
    }
    return 0;
}

static u32 page_at(vaddr_t va)
{
    for (u32 i = 0; i < PAGES; i++)
        if (sample_va(i) == va)
            return i;
    return PAGES;
}

/* The caller sees to it that each page that was written moves to a page of the sample. */
int model_move(struct model *m, vaddr_t from, u32 length, vaddr_t to)
{
    struct model_area *a = model_area(m, from);
    struct model_content old[PAGES];

    if (!a || a->start != from || a->end - a->start != length)
        return -EINVAL;
    int error = model_map(m, to, length, a->flags);

    if (error)
        return error;
    memcpy(old, m->content, sizeof old);
    model_unmap(m, from, length);
    for (u32 i = 0; i < PAGES; i++)
        if (old[i].last && sample_va(i) - from < length)
            m->content[page_at(sample_va(i) - from + to)] = old[i];
    return 0;
}
