#include "errno.h"
#include "fuzz/fuzz.h"
#include "mm/pgtable.h"
#include <string.h>

struct model models[LIVE];
struct model_page file_page[FILE_PAGES];
u32 file_pages = FILE_PAGES;

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

struct model_area *model_area(struct model *m, vaddr_t va)
{
    for (struct model_area *a = m->areas; a < m->areas + NR_VMAS; a++)
        if (a->flags && va >= a->start && va < a->end)
            return a;
    return NULL;
}

u32 model_flags(struct model *m, vaddr_t va)
{
    const struct model_area *a = model_area(m, va);

    return a ? a->flags : 0;
}

u32 file_index(const struct model_area *a, vaddr_t va)
{
    return a->pgoff + ((va - a->start) >> PAGE_SHIFT);
}

u32 word_offset(u32 n)
{
    return n == 0 ? 0 : n == 1 ? PAGE_SIZE / 2 : PAGE_SIZE - 4;
}

struct model_page *model_page(struct model *m, u32 page)
{
    static struct model_page behind_the_end;
    const struct model_area *a = model_area(m, sample_va(page));

    if (m->own[page].word[0] || !a || !a->of_file)
        return &m->own[page];
    u32 index = file_index(a, sample_va(page));

    return index < FILE_PAGES ? &file_page[index] : &behind_the_end;
}

void model_write(struct model_page *page, u32 value)
{
    for (u32 n = page->word[0] ? WORDS - 1 : WORDS; n-- > 0;)
        page->word[n] = value;
}

void model_store(struct model *m, u32 page, u32 value)
{
    struct model_page *old = model_page(m, page);
    struct model_page *to = model_flags(m, sample_va(page)) & VM_SHARED ? old : &m->own[page];

    *to = *old;
    model_write(to, value);
}

void model_truncate(u32 pages, bool within)
{
    if (within && pages)
        file_page[pages - 1].word[1] = file_page[pages - 1].word[2] = 0;
    for (u32 index = pages; index < FILE_PAGES; index++)
        file_page[index] = (struct model_page){{0}};
    for (struct model *m = models; m < models + LIVE; m++)
        for (u32 page = 0; page < SAMPLES && m->mm; page++) {
            const struct model_area *a = model_area(m, sample_va(page));

            if (a && a->of_file && file_index(a, sample_va(page)) >= pages) /* copies go, too */
                m->own[page] = (struct model_page){{0}};
        }
    file_pages = pages;
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
    return !(flags & VM_ACCESS) || flags & ~(VM_ACCESS | VM_SHARED) ||
           (flags & (VM_WRITE | VM_EXEC)) == (VM_WRITE | VM_EXEC);
}

int model_map(struct model *m, struct model_area a)
{
    if (bad_range(a.start, a.end - a.start) || bad_flags(a.flags))
        return -EINVAL;
    if (a.of_file ? file_index(&a, a.end) < a.pgoff : (a.flags & VM_SHARED) != 0)
        return -EINVAL;
    for (u32 i = 0; i < NR_VMAS; i++)
        if (overlaps(&m->areas[i], a.start, a.end))
            return -EEXIST;
    if (!unused(m))
        return -ENOMEM;
    *unused(m) = a;
    return 0;
}

static struct model_area part_of(struct model_area a, vaddr_t start, vaddr_t end)
{
    if (a.of_file)
        a.pgoff = file_index(&a, start);
    a.start = start;
    a.end = end;
    return a;
}

/* What of a former area lies outside of [start, end) keeps its permissions. */
static void keep_outside(struct model *m, struct model_area old, vaddr_t start, vaddr_t end)
{
    if (old.start < start)
        *unused(m) = part_of(old, old.start, start);
    if (old.end > end)
        *unused(m) = part_of(old, end, old.end);
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
    for (u32 i = 0; i < SAMPLES; i++)
        if (sample_va(i) - start < length)
            m->own[i] = (struct model_page){{0}};
    return 0;
}

int model_protect(struct model *m, vaddr_t start, u32 length, u32 flags)
{
    vaddr_t end = start + length;
    u32 slots = 0, missing = length;

    if (bad_range(start, length) || bad_flags(flags) || flags & VM_SHARED)
        return -EINVAL;
    for (u32 i = 0; i < NR_VMAS; i++) {
        const struct model_area *a = &m->areas[i];

        if (overlaps(a, start, end))
            missing -= MIN(a->end, end) - MAX(a->start, start);
        if (overlaps(a, start, end) && (a->flags & VM_ACCESS) != flags)
            slots += (a->start < start) + (a->end > end);
        slots += a->flags != 0;
    }
    if (missing || slots > NR_VMAS)
        return -ENOMEM;
    for (u32 i = 0; i < NR_VMAS; i++) {
        struct model_area *a = &m->areas[i], old = *a;

        if (!overlaps(&old, start, end) || (old.flags & VM_ACCESS) == flags)
            continue;
        *a = part_of(old, MAX(old.start, start), MIN(old.end, end));
        a->flags = (old.flags & VM_SHARED) | flags;
        keep_outside(m, old, start, end);
    }
    return 0;
}

static u32 page_at(vaddr_t va)
{
    for (u32 i = 0; i < SAMPLES; i++)
        if (sample_va(i) == va)
            return i;
    return SAMPLES;
}

/* The caller sees to it that each page that was written moves to a page of the sample. */
int model_move(struct model *m, vaddr_t from, u32 length, vaddr_t to)
{
    struct model_area *a = model_area(m, from);
    struct model_page old[SAMPLES];

    if (!a || a->start != from || a->end - a->start != length)
        return -EINVAL;
    struct model_area moved = *a;

    moved.start = to;
    moved.end = to + length;
    int error = model_map(m, moved);

    if (error)
        return error;
    memcpy(old, m->own, sizeof old);
    model_unmap(m, from, length);
    for (u32 i = 0; i < SAMPLES; i++)
        if (old[i].word[0] && sample_va(i) - from < length)
            m->own[page_at(sample_va(i) - from + to)] = old[i];
    return 0;
}
