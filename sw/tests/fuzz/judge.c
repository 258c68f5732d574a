#include "fuzz/fuzz.h"
#include "mm/asid.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/zero_page.h"
#include <string.h>

#define MAX_FRAMES 4096u

static u16 mappings[MAX_FRAMES]; /* of each frame, in all address spaces */

static void check_content(vaddr_t va, pte_t pte, const struct model_page *page)
{
    const u32 *unwritten = phys(pte_paddr(pte) + PAGE_SIZE / 4);

    if (*unwritten)
        machine_failed("0x%08x has 0x%08x where nobody wrote", va, *unwritten);
    for (u32 n = 0; n < WORDS; n++) {
        const u32 *word = phys(pte_paddr(pte) + word_offset(n));

        if (*word != page->word[n])
            machine_failed("0x%08x reads 0x%08x at offset 0x%x, 0x%08x was written", va, *word,
                           word_offset(n), page->word[n]);
    }
}

static void check_permissions(vaddr_t va, pte_t pte, u32 flags)
{
    const pte_t all = PTE_USER | PTE_AF | PTE_NG | PTE_PXN | PTE_SHARED;

    if (!flags || (pte & all) != all || !(pte & PTE_UXN) != !!(flags & VM_EXEC) ||
        (pte_writable(pte) && !(flags & VM_WRITE)))
        machine_failed("descriptor 0x%llx of 0x%08x, in an area with flags %u", pte, va, flags);
}

static bool is_dirty(u32 index)
{
    XA_STATE(xas, &file->i_mapping.i_pages, index);

    return xas_load(&xas) && xas_get_mark(&xas);
}

static void check_zeros(vaddr_t va, pte_t pte)
{
    pfn_t within = (va & ~HPAGE_PMD_MASK) >> PAGE_SHIFT;
    bool right = pte_is_table(pte) ? pte_pfn(pte) == my_zero_pfn(va)
                                   : is_huge_zero_pfn(pte_pfn(pte) - within);

    if (pte_writable(pte) || !pte_special(pte) || !right)
        machine_failed("zero page at 0x%08x by descriptor 0x%llx", va, pte);
}

/* Of pages that have no references: zeros and storage. The others are counted. */
static void check_frame(vaddr_t va, pte_t pte, u32 rss[2])
{
    struct page *frame = vm_normal_page(NULL, va, pte);
    bool cached = frame && frame->flags & PG_FILE;

    if (!frame || (frame->flags & ~PG_FILE) ||
        (pte_writable(pte) && (cached || frame->refcount != 1)))
        machine_failed("0x%08x: descriptor 0x%llx of a page with %d users", va, pte,
                       frame ? frame->refcount : 0);
    mappings[frame - mem_map]++;
    rss[cached]++;
}

/* One page of the sample; what it adds to the RSS, of its own pages and of the page cache. */
static void check_page(struct model *m, u32 page, u32 rss[2])
{
    vaddr_t va = sample_va(page);
    pte_t pte = walk_tables(m->mm, va);
    bool own = m->own[page].word[0];
    const struct model_area *a = model_area(m, va);

    if (!pte) {
        if (own)
            machine_failed("0x%08x lost what was written", va);
        return;
    }
    check_permissions(va, pte, a ? a->flags : 0);
    check_content(va, pte, model_page(m, page));
    if (is_zero_pfn(pte_pfn(pte)) || !pte_is_table(pte)) {
        if (own)
            machine_failed("0x%08x has a zero page, it was written", va);
        check_zeros(va, pte);
    } else if (!own && a->of_file && is_block(pte_pfn(pte))) {
        if (pte_writable(pte) && !(a->flags & VM_SHARED && is_dirty(file_index(a, va))))
            machine_failed("storage at 0x%08x is writable by descriptor 0x%llx", va, pte);
    } else if (own || a->of_file) {
        check_frame(va, pte, rss);
    } else {
        machine_failed("0x%08x has frame 0x%x, and nobody wrote", va, pte_pfn(pte));
    }
}

static void check_areas(const struct model *m)
{
    u32 areas = 0, wanted = 0;

    for (u32 i = 0; i < NR_VMAS; i++) {
        const struct model_area *a = &m->areas[i];
        const struct vma *v = a->flags ? vma_lookup(m->mm, a->start) : NULL;

        areas += m->mm->vmas[i].flags != 0;
        wanted += a->flags != 0;
        if (a->flags && (!v || v->start != a->start || v->end != a->end ||
                         (v->flags & ~VM_MIXEDMAP) != a->flags || v->vm_pgoff != a->pgoff ||
                         !v->vm_file != !a->of_file))
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

static void check_space(struct model *m)
{
    u32 rss[2] = {0, 0};

    check_areas(m);
    for (u32 page = 0; page < SAMPLES; page++)
        check_page(m, page, rss);
    if (rss[0] != m->mm->anon_rss || rss[1] != m->mm->file_rss)
        machine_failed("RSS is %u and %u, %u and %u pages are mapped", m->mm->anon_rss,
                       m->mm->file_rss, rss[0], rss[1]);
}

/* What the index has, and that no entry is locked any more; answers how many pages the file has. */
static u32 check_file(void)
{
    const struct address_space *mapping = &file->i_mapping;
    u32 index, entries = 0, pages = 0, blocks = 0;
    void *entry;

    xa_for_each_range(&file->i_mapping.i_pages, index, entry, 0, ~0u - 1)
    {
        if (!xa_is_value(entry)) {
            mappings[(struct page *)entry - mem_map]++;
            pages++;
            continue;
        }
        if (dax_entry_flags(entry) & DAX_LOCKED)
            machine_failed("the entry of page %u is locked", index);
        entries += dax_entry_flags(entry) & DAX_PMD ? HPAGE_PMD_NR : 1;
    }
    xa_for_each_range(&file->i_blocks, index, entry, 0, ~0u - 1)
    {
        blocks++;
    }
    if (entries != mapping->nrexceptional || pages != mapping->nrpages || blocks != blocks_in_use())
        machine_failed("%u entries, %u pages, %u blocks; counted are %u, %u, %u", entries, pages,
                       blocks, mapping->nrexceptional, mapping->nrpages, blocks_in_use());
    return xa_total_pages() + BIT(STORE_ORDER) + (huge_zero_stats.refcount ? HPAGE_PMD_NR : 0);
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
    kernel_pages += check_file();
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
