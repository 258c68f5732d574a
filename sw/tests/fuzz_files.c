/* Sources: mm/ fs/ tests/machine/
 *
 * Random operations on a file that several address spaces map, shared and privately, with
 * allocations that fail; compared with a model. Arguments: log2 of the page size, VA bits, steps,
 * seed. */
#include "errno.h"
#include "machine/spaces.h"
#include "mm/huge_memory.h"
#include "panic.h"
#include <stdio.h>
#include <string.h>

#define SAMPLES 9u
#define SPACES  3u

enum { SHARED, PRIVATE, AREAS };

/* What must be read. Pages of the file that are no samples are mapped or not, but never touched. */
static struct model {
    struct {
        bool rest;  /* the other pages are mapped */
        bool whole; /* it is one area, as it was mapped */
        bool moved; /* to its other place */
        bool mapped[SAMPLES], own[SAMPLES], readonly[SAMPLES];
        u32 word[SAMPLES]; /* of a copy of its own */
    } area[AREAS];
} models[SPACES];
static u32 file_word[SAMPLES], file_pages;

static u32 unit, sample[SAMPLES]; /* pages: of half the file, and which ones are looked at */
static u32 done[2], failed, moves, protects;
static const char *what = "";

static void describe(void)
{
    printf("%s at ", what);
    fuzz_describe();
}

/* Where an area may lie: it has two places. */
static vaddr_t place(u32 area, bool other)
{
    return (2 + 2 * area + 2 * AREAS * other) * (unit << PAGE_SHIFT);
}

static vaddr_t area_base(const struct model *m, u32 area)
{
    return place(area, m->area[area].moved);
}

static vaddr_t address(const struct model *m, u32 area, u32 s)
{
    return area_base(m, area) + (sample[s] << PAGE_SHIFT);
}

/* An operation may always fail for lack of memory, if that was provoked. */
static bool succeeded(int error, int wanted)
{
    if (error == -ENOMEM && alloc_failed) {
        failed++;
        return false;
    }
    if (error != wanted)
        machine_failed("%s returned %d, expected %d", what, error, wanted);
    done[error != 0]++;
    return error == 0;
}

/* ---- operations ---- */
static void do_access(struct mm *mm, struct model *m, u32 area, u32 s, enum access kind)
{
    bool own = m->area[area].own[s], in_file = sample[s] < file_pages;
    bool allowed = m->area[area].mapped[s] && !(kind == STORE && m->area[area].readonly[s]);
    int wanted = !allowed ? -EFAULT : in_file ? 0 : -EIO;
    u32 value = pseudo_random();

    what = kind == LOAD ? "load" : "store";
    mm_switch(mm);
    int error = cpu_access(address(m, area, s), kind, &value);

    if (error == -EIO && allowed && in_file && kind == STORE && area == SHARED &&
        blocks_in_use() == BIT(STORE_ORDER) && !xa_load(&file->i_blocks, sample[s]))
        return; /* the store is full */
    if (!succeeded(error, wanted))
        return;
    if (kind == LOAD) {
        u32 expected = own ? m->area[area].word[s] : file_word[s];

        if (value != expected)
            machine_failed("page %u of area %u reads 0x%x, expected 0x%x", sample[s], area, value,
                           expected);
    } else if (area == SHARED) {
        file_word[s] = value;
    } else {
        m->area[area].own[s] = true;
        m->area[area].word[s] = value;
    }
}

static void do_call(u32 s, bool write)
{
    u32 value = pseudo_random();

    what = write ? "write call" : "read call";
    if (sample[s] >= file_pages)
        return;
    s32 got = dax_iomap_rw(file, (u64)sample[s] << PAGE_SHIFT, &value, sizeof value, write);

    if (got == -ENOSPC && write && blocks_in_use() == BIT(STORE_ORDER))
        return;
    if (!succeeded(got < 0 ? got : (int)sizeof value - got, 0))
        return;
    if (write)
        file_word[s] = value;
    else if (value != file_word[s])
        machine_failed("page %u reads 0x%x by a call, expected 0x%x", sample[s], value,
                       file_word[s]);
}

static void do_truncate(void)
{
    what = "truncate";
    file_pages = below(3) ? 2 * unit : sample[below(SAMPLES)] + below(2);
    inode_truncate(file, (u64)file_pages << PAGE_SHIFT);
    for (u32 s = 0; s < SAMPLES; s++) {
        if (sample[s] < file_pages)
            continue;
        file_word[s] = 0;
        for (u32 i = 0; i < SPACES; i++) /* copies go, too */
            models[i].area[PRIVATE].own[s] = false;
    }
}

static void do_unmap(struct mm *mm, struct model *m, u32 area, u32 s, bool all)
{
    what = "unmap";
    int error = all ? mm_unmap(mm, area_base(m, area), 2 * unit << PAGE_SHIFT)
                    : mm_unmap(mm, address(m, area, s), PAGE_SIZE);

    if (error == -ENOMEM && !all) /* no room for another area */
        return;
    succeeded(error, 0);
    for (u32 i = 0; i < SAMPLES; i++)
        if (all || i == s)
            m->area[area].mapped[i] = m->area[area].own[i] = m->area[area].readonly[i] = false;
    m->area[area].rest &= !all;
    m->area[area].whole = false;
}

static void do_map(struct mm *mm, struct model *m, u32 area, u32 s, bool all)
{
    u32 flags = area == SHARED ? VM_DATA | VM_SHARED : VM_DATA;
    bool taken = m->area[area].mapped[s] || (all && m->area[area].rest);

    what = "map";
    for (u32 i = 0; i < SAMPLES; i++)
        taken |= all && m->area[area].mapped[i];
    int error = all ? mm_map_file(mm, area_base(m, area), 2 * unit << PAGE_SHIFT, flags, file, 0)
                    : mm_map_file(mm, address(m, area, s), PAGE_SIZE, flags, file, sample[s]);

    if (error == -ENOMEM && !taken && !all)
        return;
    if (!succeeded(error, taken ? -EEXIST : 0))
        return;
    for (u32 i = 0; i < SAMPLES; i++)
        m->area[area].mapped[i] |= all || i == s;
    m->area[area].rest |= all;
    m->area[area].whole |= all;
}

/* Of one page, or of all where nothing is missing. */
static void do_protect(struct mm *mm, struct model *m, u32 area, u32 s, bool all)
{
    bool readonly = below(2), hole = !m->area[area].mapped[s] || (all && !m->area[area].rest);

    what = "protect";
    for (u32 i = 0; i < SAMPLES; i++)
        hole |= all && !m->area[area].mapped[i];
    int error = mm_protect(mm, all ? area_base(m, area) : address(m, area, s),
                           all ? 2 * unit << PAGE_SHIFT : PAGE_SIZE, readonly ? VM_READ : VM_DATA);

    if (error == -ENOMEM && !hole && !all) /* no room for another area */
        return;
    if (!succeeded(error, hole ? -ENOMEM : 0))
        return;
    for (u32 i = 0; i < SAMPLES; i++)
        if (all || i == s)
            m->area[area].readonly[i] = readonly;
    m->area[area].whole &= all;
    protects++;
}

/* To its other place and, another time, back: the file's pages and copies go with it. */
static void do_move(struct mm *mm, struct model *m, u32 area)
{
    what = "move";
    if (!m->area[area].whole)
        return;
    vaddr_t to = place(area, !m->area[area].moved);

    if (!succeeded(mm_move(mm, area_base(m, area), 2 * unit << PAGE_SHIFT, to), 0))
        return;
    m->area[area].moved = !m->area[area].moved;
    moves++;
}

static void do_fork(u32 parent, u32 child)
{
    what = "fork";
    struct mm *mm = mms[child] ? NULL : mm_alloc();

    if (!mm)
        return;
    if (mms[parent] && !succeeded(mm_fork(mm, mms[parent]), 0)) {
        mmput(mm);
        return;
    }
    mms[child] = mm;
    models[child] = mms[parent] ? models[parent] : (struct model){0};
}

static void do_free(u32 i)
{
    what = "exit";
    mmput(mms[i]);
    mms[i] = NULL;
    models[i] = (struct model){0};
}

/* ---- running ---- */
static void check_counts(void)
{
    u32 index, entries = 0, pages = 0, blocks = 0;
    void *entry;

    xa_for_each_range(&file->i_mapping.i_pages, index, entry, 0, ~0u - 1)
    {
        if (!xa_is_value(entry))
            pages++;
        else
            entries += dax_entry_flags(entry) & DAX_PMD ? HPAGE_PMD_NR : 1;
    }
    xa_for_each_range(&file->i_blocks, index, entry, 0, ~0u - 1)
    {
        blocks++;
    }
    CHECK(entries == file->i_mapping.nrexceptional && pages == file->i_mapping.nrpages);
    CHECK(blocks == blocks_in_use());
    settled();
    if (checks_failed)
        machine_failed("after %s", what);
}

static void one_step(void)
{
    u32 i = below(SPACES), area = below(AREAS), s = below(SAMPLES);

    if (!mms[i]) {
        do_fork(below(SPACES), i);
        return;
    }
    u32 action = below(22);

    for (u32 n = 0; n < 20 && action > 8 && !(models[i].area[area].mapped[s] && below(8)); n++)
        area = below(AREAS), s = below(SAMPLES); /* mostly pages that are mapped */
    switch (action) {
    case 0:
        do_map(mms[i], &models[i], area, s, !models[i].area[area].rest && below(4));
        break;
    case 1:
        do_unmap(mms[i], &models[i], area, s, below(6) == 0);
        break;
    case 2:
        do_truncate();
        break;
    case 3:
        do_fork(i, below(SPACES));
        break;
    case 4:
        if (below(4) == 0)
            do_free(i);
        break;
    case 5:
    case 6:
        do_call(s, below(2));
        break;
    case 7:
        do_move(mms[i], &models[i], area);
        break;
    case 8:
        do_protect(mms[i], &models[i], area, s, below(3) == 0);
        break;
    default:
        do_access(mms[i], &models[i], area, s, below(3) ? LOAD : STORE);
    }
}

static vaddr_t random_va(void)
{
    return address(&models[below(SPACES)], below(AREAS), below(SAMPLES));
}

static void start(void)
{
    const struct fuzz_run *r = &fuzz_run;

    fuzz_machine(512, r->page_shift == 12 ? 1536 : 512, r->seed & 1 ? 4 : 1);
    unit = r->page_shift == 12 && r->va_bits == 31 ? HPAGE_PMD_NR : 12;
    const u32 at[SAMPLES] = {0, 1, 2, unit - 2, unit - 1, unit, unit + 1, unit + 5, 2 * unit - 1};

    memcpy(sample, at, sizeof sample);
    failure_context = describe;
    speculation_pick = random_va;
    file_pages = 2 * unit;
    if ((r->seed + r->page_shift / 2) % 4 == 0) /* seed 1: at 16K */
        dax_hole_method = DAX_HOLE_PAGECACHE;
    file_start((u64)file_pages << PAGE_SHIFT);
}

int main(int argc, char **argv)
{
    if (!fuzz_arguments("fuzz_files", argc, argv))
        return 2;
    start();
    for (; fuzz_run.step < fuzz_run.steps; fuzz_run.step++) {
        if (below(50) == 0)
            dax_huge = below(2);
        fail_allocation(below(3) ? 0 : 1 + below(3));
        one_step();
        alloc_fails_at = 0;
        shadow_check(mms, LIVE);
        if (fuzz_run.step % 16 == 0)
            check_counts();
    }
    printf("%u operations, %u were refused, %u had no memory; %u moves, %u protects, large zero "
           "page %u times\n",
           done[0], done[1], failed, moves, protects, huge_zero_stats.allocations);
    if (fuzz_run.steps >= 2000)
        CHECK(done[0] && done[1] && failed && moves && protects);
    spaces_end();
    CHECK(warn_count == 0);
    return finish();
}
