/* The MMU as mm/ must imagine it: an entry that no invalidation removed may still be used, and a
 * walk may happen at any time. TLB and walk cache drop an entry only to make room. */
#include "check.h"
#include "drivers/mmu.h"
#include "kernel_address.h"
#include "machine.h"
#include "mm/asid.h"

#define TLB_ENTRIES  192u
#define WALK_ENTRIES 48u
#define AGAIN        8u /* entries walked again right after their invalidation */

unsigned machine_asid_bits = 4;
u32 shadow_hits, shadow_walks, shadow_walk_cache_hits;
vaddr_t (*speculation_pick)(void);

int (*shadow_fault)(vaddr_t va, u32 fault);

static const struct geometry *geo = &user_geometry; /* of the address space that runs */
static paddr_t ttbr;
static u32 ttbr_asid;

static struct tlb_entry {
    bool valid;
    u32 asid;
    unsigned shift; /* of its page */
    vaddr_t va;
    pte_t pte;
} tlb[TLB_ENTRIES];

/* The table of `level` that a walk of addresses from va on would read. */
static struct walk_entry {
    bool valid;
    u32 asid;
    unsigned level;
    vaddr_t va;
    paddr_t table;
} walks[WALK_ENTRIES];

unsigned mmu_asid_bits(void)
{
    return machine_asid_bits;
}

bool mmu_sets_access_flag(void)
{
    return true;
}

void mmu_set_user_geometry(const struct geometry *user)
{
    geo = user;
}

void mmu_set_user_table(paddr_t root, u32 asid)
{
    ttbr = root;
    ttbr_asid = asid;
}

/* ---- walks ---- */
static vaddr_t page_of(vaddr_t va)
{
    return va >> geo->page_shift << geo->page_shift;
}

static u32 span_below(unsigned level) /* bytes that one table of `level` maps */
{
    return level == geo->start_level ? 1u << geo->va_bits : 1u << geometry_shift(geo, level - 1);
}

static pte_t read_entry(paddr_t table, unsigned level, vaddr_t va)
{
    paddr_t at = table + entries_to_bytes(geometry_index(geo, level, va));

    if (!phys_exists(at))
        return 0;
    return ENTRY_WIDE ? wide_entry_value(phys(at), level) : ptep_get(phys(at));
}

static bool is_table_page(paddr_t table)
{
    const struct page *page = pfn_to_page(paddr_to_pfn(table));

    return page && (page->flags & PG_TABLE);
}

static bool is_leaf(pte_t entry, unsigned level)
{
    return !pte_is_table(entry) || level == LEAF_LEVEL;
}

/* What a leaf says about one page: a block's bits, and the page's own address. 0: invalid. */
static pte_t page_of_leaf(pte_t entry, unsigned level, vaddr_t va)
{
    u32 offset = page_of(va & ((1u << geometry_shift(geo, level)) - 1));

    return pte_present(entry) ? entry + offset : 0;
}

pte_t walk_tables(const struct mm *mm, vaddr_t va)
{
    paddr_t table = kernel_va(mm->root);

    for (unsigned level = geo->start_level;; level++) {
        pte_t entry = read_entry(table, level, va);

        if (is_leaf(entry, level))
            return page_of_leaf(entry, level, va);
        table = pte_paddr(entry);
    }
}

static void remember_table(unsigned level, vaddr_t va, paddr_t table)
{
    walks[pseudo_random() % WALK_ENTRIES] =
        (struct walk_entry){true, ttbr_asid, level, va & ~(span_below(level) - 1), table};
}

/* Where the walk begins: the deepest table that is remembered, or the root. */
static paddr_t first_table(vaddr_t va, unsigned *level)
{
    paddr_t table = ttbr;

    *level = geo->start_level;
    for (const struct walk_entry *w = walks; w < walks + WALK_ENTRIES; w++)
        if (w->valid && w->asid == ttbr_asid && w->level > *level &&
            w->va == (va & ~(span_below(w->level) - 1))) {
            *level = w->level;
            table = w->table;
            shadow_walk_cache_hits++;
        }
    return table;
}

static pte_t walk(vaddr_t va)
{
    unsigned level;
    paddr_t table = first_table(va, &level);

    shadow_walks++;
    for (;; level++) {
        if (level > geo->start_level && !is_table_page(table))
            machine_failed("the walk of 0x%08x reads 0x%llx at level %u, no page table any more",
                           va, table, level);
        pte_t entry = read_entry(table, level, va);

        if (is_leaf(entry, level))
            return page_of_leaf(entry, level, va);
        table = pte_paddr(entry);
        remember_table(level + 1, va, table);
    }
}

static struct tlb_entry *tlb_find(u32 asid, vaddr_t va)
{
    for (struct tlb_entry *e = tlb; e < tlb + TLB_ENTRIES; e++)
        if (e->valid && e->asid == asid && e->va == va >> e->shift << e->shift)
            return e;
    return NULL;
}

bool shadow_holds(u32 asid, vaddr_t va)
{
    return tlb_find(asid, va);
}

/* The entry that translates `va` now; 0: none. */
static pte_t translate(vaddr_t va)
{
    const struct tlb_entry *hit = tlb_find(ttbr_asid, va);

    if (hit) {
        shadow_hits++;
        return hit->pte;
    }
    pte_t pte = va < TASK_SIZE ? walk(va) : 0;

    if (pte)
        tlb[pseudo_random() % TLB_ENTRIES] =
            (struct tlb_entry){true, ttbr_asid, geo->page_shift, page_of(va), pte};
    return pte;
}

void speculate(void)
{
    if (!speculation_pick || !current_mm)
        return;
    for (u32 n = pseudo_random() % 3; n > 0; n--)
        translate(speculation_pick());
}

/* ---- accesses ---- */
static bool allows(pte_t pte, enum access kind)
{
    if (!pte || !(pte & PTE_USER))
        return false;
    return kind == STORE ? pte_writable(pte) : kind == FETCH ? !(pte & PTE_UXN) : true;
}

int cpu_access(vaddr_t va, enum access kind, u32 *value)
{
    static const u32 fault[] = {[LOAD] = 0, [STORE] = FAULT_WRITE, [FETCH] = FAULT_EXEC};

    for (u32 tries = 0; tries < 3; tries++) {
        pte_t pte = translate(va);

        if (allows(pte, kind)) {
            u32 *word = phys(pte_paddr(pte) + (va - page_of(va)));

            if (kind == STORE)
                *word = *value;
            else
                *value = *word;
            return 0;
        }
        int error = shadow_fault ? shadow_fault(va, fault[kind])
                    : current_mm ? handle_mm_fault(current_mm, va, fault[kind])
                                 : -1;

        if (error)
            return error;
    }
    machine_failed("an access to 0x%08x faults for ever", va);
}

/* ---- invalidation ---- */
struct scope { /* what one operation names */
    bool any_asid, tables;
    bool pages_only; /* a hint says that there are no blocks */
    u32 asid;
    unsigned shift;  /* of pages that a range has; 0: of any */
    u64 first, last; /* addresses; last is outside */
};

static u64 sign_extended_page(u64 page_number, unsigned bits, unsigned shift)
{
    return (u64)((s64)(page_number << (64 - bits)) >> (64 - bits)) << shift;
}

/* Pages of the boot, unless address spaces have their own. */
static unsigned granule_shift(u64 field, bool may_be_missing)
{
    if (field != geometry_tlbi_tg(&user_geometry) && !shadow_fault && (field || !may_be_missing))
        machine_failed("an invalidation names granule %llu", field);
    return field ? 10 + 2 * (unsigned)field : PAGE_SHIFT;
}

static struct scope scope_of(enum mmu_tlbi kind, u32 options, u64 operand)
{
    struct scope s = {.asid = (u32)(operand >> 48),
                      .last = ~0ull,
                      .tables = !(options & MMU_TLBI_LAST_LEVEL)};
    u64 pages = 1, level = 0; /* the TTL hint: only leaves of that level */
    unsigned shift = PAGE_SHIFT;

    switch (kind) {
    case MMU_TLBI_ALL:
        s.any_asid = true;
        break;
    case MMU_TLBI_ASID:
        break;
    case MMU_TLBI_VA_ALL_ASIDS:
        s.any_asid = true; /* fall through */
    case MMU_TLBI_VA:
        shift = granule_shift(operand >> 46 & 3, true);
        level = operand >> 44 & 3;
        s.first = sign_extended_page(operand & (BIT64(44) - 1), 44, 12) >> shift << shift;
        break;
    case MMU_TLBI_RANGE_ALL_ASIDS:
        s.any_asid = true; /* fall through */
    case MMU_TLBI_RANGE:
        s.shift = shift = granule_shift(operand >> 46 & 3, false);
        level = operand >> 37 & 3;
        s.first = sign_extended_page(operand & (BIT64(37) - 1), 37, ENTRY_WIDE ? 16 : shift);
        pages = tlbi_range_pages(operand >> 39 & 31, operand >> 44 & 3);
        break;
    }
    if (kind != MMU_TLBI_ALL && kind != MMU_TLBI_ASID)
        s.last = s.first + (pages << shift);
    if (level && (level != LEAF_LEVEL || ENTRY_WIDE)) /* a hint means entries of 64 bits */
        machine_failed("an invalidation promises leaves of level %llu", level);
    s.tables &= !level;
    s.pages_only = level;
    return s;
}

static bool in_scope(const struct scope *s, u32 asid, u64 first, u64 bytes)
{
    return (s->any_asid || s->asid == asid) && first < s->last && first + bytes > s->first;
}

void mmu_tlbi(enum mmu_tlbi kind, u32 options, u64 operand)
{
    struct scope s = scope_of(kind, options, operand);
    vaddr_t again[AGAIN];
    u32 nr_again = 0;

    speculate();
    for (struct tlb_entry *e = tlb; e < tlb + TLB_ENTRIES; e++) {
        if (!e->valid || !in_scope(&s, e->asid, e->va, 1u << e->shift))
            continue;
        if (s.shift && s.shift != e->shift)
            continue;
        if (s.pages_only && !pte_is_table(e->pte))
            continue;
        e->valid = false;
        if (e->asid == ttbr_asid && nr_again < AGAIN)
            again[nr_again++] = e->va;
    }
    for (struct walk_entry *w = walks; w < walks + WALK_ENTRIES; w++)
        if (s.tables && w->valid && in_scope(&s, w->asid, w->va, span_below(w->level)))
            w->valid = false;
    if (kind == MMU_TLBI_ALL)
        windows_invalidate(0, ~0ull);
    else if (s.any_asid) /* upper half: the lowest 32 bits of a sign-extended address */
        windows_invalidate((vaddr_t)s.first, (u64)(vaddr_t)s.first + (s.last - s.first));
    while (current_mm && nr_again) /* what was not unhooked before comes back */
        translate(again[--nr_again]);
}

/* ---- the judge ---- */
static const struct mm *mm_of(u32 asid, struct mm *const *mms, u32 count)
{
    for (u32 i = 0; i < count; i++)
        if (mms[i] && asid_in_force(mms[i]) && mms[i]->asid == asid)
            return mms[i];
    return NULL;
}

static paddr_t table_now(const struct mm *mm, unsigned wanted, vaddr_t va)
{
    paddr_t table = kernel_va(mm->root);

    for (unsigned level = geo->start_level; level < wanted; level++) {
        pte_t entry = read_entry(table, level, va);

        if (!pte_is_table(entry))
            return 0;
        table = pte_paddr(entry);
    }
    return table;
}

void shadow_check(struct mm *const *mms, u32 count)
{
    for (const struct tlb_entry *e = tlb; e < tlb + TLB_ENTRIES; e++) {
        const struct mm *mm = e->valid ? mm_of(e->asid, mms, count) : NULL;
        pte_t now = mm ? walk_tables(mm, e->va) : 0;

        if (e->valid && e->pte != now)
            machine_failed("stale TLB entry: ASID %u, 0x%08x: TLB 0x%llx, tables 0x%llx", e->asid,
                           e->va, e->pte, now);
    }
    for (const struct walk_entry *w = walks; w < walks + WALK_ENTRIES; w++) {
        const struct mm *mm = w->valid ? mm_of(w->asid, mms, count) : NULL;

        if (w->valid && (!mm || table_now(mm, w->level, w->va) != w->table))
            machine_failed("stale walk-cache entry: ASID %u, 0x%08x, level %u: 0x%llx", w->asid,
                           w->va, w->level, w->table);
    }
    windows_check();
}

void shadow_check_unused(const struct page *page)
{
    pfn_t pfn = page_to_pfn(page);

    for (const struct tlb_entry *e = tlb; e < tlb + TLB_ENTRIES; e++)
        if (e->valid && pte_pfn(e->pte) == pfn)
            machine_failed("page 0x%x is freed while the TLB maps it at 0x%08x of ASID %u", pfn,
                           e->va, e->asid);
    for (const struct walk_entry *w = walks; w < walks + WALK_ENTRIES; w++)
        if (w->valid && paddr_to_pfn(w->table) == pfn)
            machine_failed("table 0x%x is freed while the walk cache holds it for 0x%08x of "
                           "ASID %u",
                           pfn, w->va, w->asid);
    if (paddr_to_pfn(ttbr) == pfn)
        machine_failed("root 0x%x is freed while TTBR0 points at it", pfn);
}
