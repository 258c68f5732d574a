#include "fuzz/fuzz.h"
#include "mm/asid.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/zero_page.h"
#include <string.h>

#define MAX_FRAMES 4096u

static u16 mappings[MAX_FRAMES]; /* of each frame, in all address spaces */

u32 word_of(const struct model_content *content, u32 n)
{
    return n == WORDS - 1 ? content->first : content->last;
}

u32 word_offset(u32 n)
{
    return n == 0 ? 0 : n == 1 ? PAGE_SIZE / 2 : PAGE_SIZE - 4;
}

static void check_content(vaddr_t va, pte_t pte, const struct model_content *content)
{
    const u32 *unwritten = phys(pte_paddr(pte) + PAGE_SIZE / 4);

    if (*unwritten)
        machine_failed("0x%08x has 0x%08x where nobody wrote", va, *unwritten);
    for (u32 n = 0; n < WORDS; n++) {
        const u32 *word = phys(pte_paddr(pte) + word_offset(n));

        if (*word != word_of(content, n))
            machine_failed("0x%08x reads 0x%08x at offset 0x%x, 0x%08x was written", va, *word,
                           word_offset(n), word_of(content, n));
    }
}

static void check_permissions(vaddr_t va, pte_t pte, u32 flags)
{
    const pte_t all = PTE_USER | PTE_AF | PTE_NG | PTE_PXN | PTE_SHARED;

    if (!flags || (pte & all) != all || (pte & PTE_TYPE) != PTE_TABLE ||
        !(pte & PTE_UXN) != !!(flags & VM_EXEC) || (pte_writable(pte) && !(flags & VM_WRITE)))
        machine_failed("descriptor 0x%llx of 0x%08x, in an area with flags %u", pte, va, flags);
}

/* One page of the sample. Says whether it is a page of the mm's own. */
static bool check_page(const struct model *m, u32 page)
{
    vaddr_t va = sample_va(page);
    pte_t pte = walk_tables(m->mm, va);

    if (!pte) {
        if (m->content[page].last)
            machine_failed("0x%08x lost what was written", va);
        return false;
    }
    check_permissions(va, pte, model_flags(m, va));
    if (is_zero_pfn(pte_pfn(pte)) != !m->content[page].last)
        machine_failed("0x%08x has frame 0x%x, the model the value 0x%x", va, pte_pfn(pte),
                       m->content[page].last);
    check_content(va, pte, &m->content[page]);
    if (is_zero_pfn(pte_pfn(pte))) {
        if (pte_writable(pte) || !pte_special(pte) || pte_pfn(pte) != my_zero_pfn(va))
            machine_failed("zero page at 0x%08x by descriptor 0x%llx", va, pte);
        return false;
    }
    struct page *frame = vm_normal_page(NULL, va, pte);

    if (!frame || frame->flags || (pte_writable(pte) && frame->refcount != 1))
        machine_failed("0x%08x: descriptor 0x%llx of a page with %d users", va, pte,
                       frame ? frame->refcount : 0);
    mappings[frame - mem_map]++;
    return true;
}

static void check_areas(const struct model *m)
{
    u32 areas = 0, wanted = 0;

    for (u32 i = 0; i < NR_VMAS; i++) {
        const struct model_area *a = &m->areas[i];
        const struct vma *v = a->flags ? vma_lookup(m->mm, a->start) : NULL;

        areas += m->mm->vmas[i].flags != 0;
        wanted += a->flags != 0;
        if (a->flags && (!v || v->start != a->start || v->end != a->end || v->flags != a->flags))
            machine_failed("area 0x%08x to 0x%08x is not as it should be", a->start, a->end);
    }
    if (areas != wanted)
        machine_failed("%u areas, there should be %u", areas, wanted);
    if (!areas && m->mm->nr_tables)
        machine_failed("%u tables of an address space without areas", m->mm->nr_tables);
}

/* 0 is that of no address space, and each has its own while it is in force. */
static void check_asid(struct mm *const *mms, u32 count)
{
    u32 asid = mms[count]->asid;

    if (!asid_in_force(mms[count])) {
        if (mms[count] == current_mm)
            machine_failed("the address space that runs has an old ASID, %u", asid);
        return;
    }
    if (asid == 0 || asid >= BIT(machine_asid_bits))
        machine_failed("an address space has ASID %u", asid);
    for (u32 i = 0; i < count; i++)
        if (mms[i] && asid_in_force(mms[i]) && mms[i]->asid == asid)
            machine_failed("two address spaces have ASID %u", asid);
}

static void check_space(const struct model *m)
{
    u32 own = 0;

    check_areas(m);
    for (u32 page = 0; page < PAGES; page++)
        own += check_page(m, page);
    if (own != m->mm->anon_rss)
        machine_failed("RSS is %u, %u pages are mapped", m->mm->anon_rss, own);
}

/* Each frame has as many references as mappings; answers how many frames are mapped. */
static u32 check_references(void)
{
    u32 frames = 0;

    for (u32 i = 0; i < zones[ZONE_LOW].pages + zones[ZONE_HIGH].pages; i++) {
        if (mappings[i] && mem_map[i].refcount != mappings[i])
            machine_failed("page %u: %u mappings, %d references", i, mappings[i],
                           mem_map[i].refcount);
        frames += mappings[i] != 0;
    }
    return frames;
}

void judge(u32 kernel_pages)
{
    struct mm *mms[LIVE];
    u32 tables = 0, roots = 0;

    memset(mappings, 0, sizeof mappings);
    for (u32 i = 0; i < LIVE; i++) {
        mms[i] = models[i].mm;
        if (!mms[i])
            continue;
        check_asid(mms, i);
        check_space(&models[i]);
        tables += mms[i]->nr_tables;
        roots++;
    }
    u32 expected = check_references() + tables + roots + kernel_pages;

    shadow_check(mms, LIVE);
    if (kmap_local_depth())
        machine_failed("kmap_local is %u deep after the operation", kmap_local_depth());
    if (nr_pagetable != tables)
        machine_failed("%u page tables are counted, the mms have %u", nr_pagetable, tables);
    if (machine_pages_in_use() != expected)
        machine_failed("%u pages are in use, %u have an owner", machine_pages_in_use(), expected);
}

void judge_tables(void)
{
    for (u32 i = 0; i < LIVE; i++)
        if (models[i].mm && mm_audit(models[i].mm).violations)
            machine_failed("the audit finds violations");
    if (!zero_pages_clean())
        machine_failed("a zero page is not zero");
}
