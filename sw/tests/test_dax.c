/* Sources: mm/ fs/ tests/machine/
 *
 * Files on the host machine: invariants of holes, their errors, and every way out of memory. */
#include "check.h"
#include "errno.h"
#include "fs/block_store.h"
#include "fs/dax_index.h"
#include "machine/machine.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/rmap.h"
#include "mm/smaps.h"
#include "mm/zero_page.h"
#include "panic.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIVE        3u
#define PAGES       8u
#define STORE_ORDER 4u
#define OTHER       4u /* page of the address space where a second area begins, in units of PAGES */

static struct mm *mms[LIVE];
static struct inode *file;
static vaddr_t shared, private;

static void mmap_both(struct mm *mm)
{
    CHECK(mm_map_file(mm, shared, PAGES * PAGE_SIZE, VM_DATA | VM_SHARED, file, 0) == 0);
    CHECK(mm_map_file(mm, private, PAGES * PAGE_SIZE, VM_DATA, file, 0) == 0);
}

static void setup(void)
{
    shared = PAGES * PAGE_SIZE;
    private = OTHER * PAGES * PAGE_SIZE;
    CHECK(block_store_open(STORE_ORDER));
    file = new_inode("data", PAGES * PAGE_SIZE);
    for (u32 i = 0; i < 2; i++) {
        mms[i] = mm_alloc();
        mmap_both(mms[i]);
    }
    mm_switch(mms[0]);
}

static void settled(void)
{
    shadow_check(mms, LIVE);
    CHECK(kmap_local_depth() == 0);
    for (u32 i = 0; i < LIVE; i++)
        CHECK(!mms[i] || mm_audit(mms[i]).violations == 0);
    for (u32 i = 0; i < PAGES; i++) {
        void *entry = xa_load(&file->i_mapping.i_pages, i);

        CHECK(!xa_is_value(entry) || !(dax_entry_flags(entry) & DAX_LOCKED));
    }
    CHECK(zero_pages_clean());
}

static void teardown(void)
{
    settled();
    for (u32 i = 0; i < LIVE; i++) {
        if (mms[i])
            mm_free(mms[i]);
        mms[i] = NULL;
    }
    shadow_check(mms, LIVE);
    CHECK(file->i_count == 1 && !file->i_mapping.i_mmap);
    iput(file);
    CHECK(!file->i_mapping.nrpages && !file->i_mapping.nrexceptional && blocks_in_use() == 0);
    block_store_close();
    CHECK(xa_total_nodes() == 0 && nr_pagetable == 0 && machine_pages_in_use() == 0);
    dax_hole_method = DAX_HOLE_ZERO_PAGE;
    alloc_fails_at = 0;
}

static u32 load(struct mm *mm, vaddr_t va)
{
    u32 value = ~0u;

    mm_switch(mm);
    CHECK(cpu_access(va, LOAD, &value) == 0);
    return value;
}

static void store(struct mm *mm, vaddr_t va, u32 value)
{
    mm_switch(mm);
    CHECK(cpu_access(va, STORE, &value) == 0);
}

static int access_error(struct mm *mm, vaddr_t va, enum access kind)
{
    u32 value = 0;

    mm_switch(mm);
    return cpu_access(va, kind, &value);
}

static vaddr_t page(vaddr_t area, u32 i)
{
    return area + i * PAGE_SIZE;
}

static void *entry_at(u32 i)
{
    return xa_load(&file->i_mapping.i_pages, i);
}

static bool is_dirty(u32 i)
{
    XA_STATE(xas, &file->i_mapping.i_pages, i);

    return xas_load(&xas) && xas_get_mark(&xas);
}

static u32 faults_of_store(struct mm *mm, vaddr_t va, u32 value)
{
    u32 before = fault_stats.faults;

    store(mm, va, value);
    return fault_stats.faults - before;
}

/* ---- invariants ---- */
static void read_a_hole(void)
{
    u32 used = machine_pages_in_use();

    for (u32 i = 0; i < PAGES; i++) {
        pte_t pte;

        CHECK(load(mms[0], page(shared, i) + 4 * i) == 0);
        pte = walk_tables(mms[0], page(shared, i));
        CHECK(pte_special(pte) && !pte_writable(pte) &&
              pte_pfn(pte) == my_zero_pfn(page(shared, i)));
        CHECK(dax_entry_flags(entry_at(i)) == DAX_ZERO_PAGE);
        CHECK(dax_to_pfn(entry_at(i)) == my_zero_pfn(page(shared, i)));
    }
    CHECK(file->i_mapping.nrexceptional == PAGES && file->i_mapping.nrpages == 0);
    CHECK(mms[0]->file_rss == 0 && mms[0]->anon_rss == 0);
    CHECK(machine_pages_in_use() == used + mms[0]->nr_tables + 1); /* 1: the index */
    struct mem_size_stats m = smap_gather_stats(find_vma(mms[0], shared));

    CHECK(m.size == PAGES * PAGE_SIZE && m.resident + m.pss + m.referenced + m.private_clean == 0);
}

static void read_with_the_old_method(void)
{
    dax_hole_method = DAX_HOLE_PAGECACHE;
    for (u32 i = 0; i < PAGES; i++) {
        CHECK(load(mms[0], page(shared, i)) == 0);
        CHECK(!xa_is_value(entry_at(i)));
    }
    CHECK(file->i_mapping.nrpages == PAGES && file->i_mapping.nrexceptional == 0);
    CHECK(mms[0]->file_rss == PAGES);
    struct mem_size_stats m = smap_gather_stats(find_vma(mms[0], shared));

    CHECK(m.resident == PAGES * PAGE_SIZE && m.pss == m.resident && m.private_clean == m.resident);
    CHECK(m.referenced == m.resident && m.anonymous == 0);
    CHECK(load(mms[1], page(shared, 0)) == 0); /* a second mapper halves its share */
    m = smap_gather_stats(find_vma(mms[0], shared));
    CHECK(m.shared_clean == PAGE_SIZE && m.pss == PAGES * PAGE_SIZE - PAGE_SIZE / 2);
    settled();
    /* Written: two faults, and the page of zeros is gone from the other one, too. */
    CHECK(faults_of_store(mms[0], page(shared, 0), 77) == 2);
    CHECK(file->i_mapping.nrpages == PAGES - 1 && mms[1]->file_rss == 0);
    CHECK(load(mms[1], page(shared, 0)) == 77);
    /* A private copy of such a page. */
    CHECK(load(mms[0], page(private, 1)) == 0 && mms[0]->file_rss == PAGES);
    store(mms[0], page(private, 1), 5);
    CHECK(mms[0]->file_rss == PAGES - 1 && mms[0]->anon_rss == 1);
    CHECK(load(mms[0], page(shared, 1)) == 0);
}

static void write_to_a_hole(void)
{
    for (u32 i = 0; i < PAGES; i++) {
        load(mms[0], page(shared, i));
        load(mms[1], page(shared, i));
        load(mms[1], page(private, i));
    }
    CHECK(faults_of_store(mms[0], page(shared, 3), 33) == 1);
    CHECK(blocks_in_use() == 1 && dax_entry_flags(entry_at(3)) == 0);
    CHECK(is_dirty(3) && !is_dirty(2));
    pte_t pte = walk_tables(mms[0], page(shared, 3));

    CHECK(pte_writable(pte) && pte_dirty(pte) && pte_young(pte) && is_block(pte_pfn(pte)));
    CHECK(!walk_tables(mms[1], page(shared, 3)) && !walk_tables(mms[1], page(private, 3)));
    CHECK(walk_tables(mms[1], page(shared, 2)));
    settled();
    CHECK(load(mms[1], page(shared, 3)) == 33 && load(mms[1], page(private, 3)) == 33);
    /* A reader of storage writes: upgraded where it is, in one fault, and no other block. */
    CHECK(faults_of_store(mms[1], page(shared, 3) + 4, 34) == 1 && blocks_in_use() == 1);
    CHECK(load(mms[0], page(shared, 3) + 4) == 34);
    /* Written first, never read. */
    CHECK(faults_of_store(mms[0], page(shared, 4), 44) == 1);
    CHECK(load(mms[1], page(shared, 4)) == 44 && blocks_in_use() == 2);
}

static void write_privately(void)
{
    load(mms[0], page(private, 2));
    store(mms[0], page(private, 2), 9);
    CHECK(mms[0]->anon_rss == 1 && dax_entry_flags(entry_at(2)) == DAX_ZERO_PAGE);
    store(mms[0], page(private, 5), 10); /* without a read before */
    CHECK(mms[0]->anon_rss == 2 && blocks_in_use() == 0);
    store(mms[0], page(shared, 6), 11);
    store(mms[0], page(private, 6) + 4, 12); /* a copy of storage, read and not read before */
    CHECK(load(mms[0], page(private, 6)) == 11 && load(mms[0], page(shared, 6) + 4) == 0);
    load(mms[1], page(private, 6));
    store(mms[1], page(private, 6) + 4, 13);
    CHECK(load(mms[1], page(private, 6)) == 11 && load(mms[0], page(private, 6) + 4) == 12);
    CHECK(load(mms[0], page(shared, 2)) == 0 && load(mms[1], page(private, 5)) == 0);
    /* Storage that appears below a private copy does not take it away. */
    store(mms[1], page(shared, 2), 14);
    CHECK(load(mms[0], page(private, 2)) == 9);
}

static void fork_and_share(void)
{
    load(mms[0], page(shared, 0));
    store(mms[0], page(shared, 1), 21);
    store(mms[0], page(private, 2), 22);
    mms[2] = mm_alloc();
    CHECK(mm_fork(mms[2], mms[0]) == 0);
    CHECK(pte_writable(walk_tables(mms[0], page(shared, 1)))); /* stays writable on both sides */
    CHECK(pte_writable(walk_tables(mms[2], page(shared, 1))));
    CHECK(!pte_writable(walk_tables(mms[0], page(private, 2))));
    settled();
    CHECK(faults_of_store(mms[2], page(shared, 1), 23) == 0 && load(mms[0], page(shared, 1)) == 23);
    store(mms[2], page(private, 2), 24);
    CHECK(load(mms[0], page(private, 2)) == 22);
    store(mms[2], page(shared, 0), 25);
    CHECK(load(mms[0], page(shared, 0)) == 25);
}

static void move_and_cut(void)
{
    vaddr_t to = 2 * OTHER * PAGES * PAGE_SIZE + PAGE_SIZE;

    load(mms[0], page(shared, 0));
    store(mms[0], page(shared, 3), 31);
    CHECK(mm_move(mms[0], shared, PAGES * PAGE_SIZE, to) == 0);
    settled();
    CHECK(load(mms[0], page(to, 3)) == 31 && load(mms[0], page(to, 0)) == 0);
    CHECK(walk_tables(mms[0], page(to, 0)) &&
          is_zero_pfn(pte_pfn(walk_tables(mms[0], page(to, 0)))));
    CHECK(mm_unmap(mms[0], page(to, 1), PAGE_SIZE) == 0); /* the parts know their pages */
    CHECK(load(mms[0], page(to, 3)) == 31);
    store(mms[0], page(to, 7), 37);
    store(mms[1], page(shared, 5), 35);
    CHECK(load(mms[0], page(to, 5)) == 35 && load(mms[1], page(shared, 7)) == 37);
    CHECK(file->i_count == 1 + 5); /* two areas of each, and one was cut */
    u32 entries = file->i_mapping.nrexceptional;

    CHECK(mm_unmap(mms[0], to, PAGES * PAGE_SIZE) == 0);
    CHECK(file->i_mapping.nrexceptional == entries && blocks_in_use() == 3);
}

static void read_and_write_calls(void)
{
    char text[] = "across the end of a page", back[sizeof text];
    u64 pos = 2 * (u64)PAGE_SIZE - 10;

    for (u32 i = 0; i < PAGES; i++)
        load(mms[0], page(shared, i));
    CHECK(dax_iomap_rw(file, pos, text, sizeof text, true) == sizeof text);
    settled();
    CHECK(dax_iomap_rw(file, pos, back, sizeof back, false) == sizeof back);
    CHECK(strcmp(text, back) == 0 && blocks_in_use() == 2);
    CHECK((u8)(load(mms[0], page(shared, 2) - 4) >> 16) == (u8)text[8]);
    store(mms[0], page(shared, 0), 0x64636261);
    CHECK(dax_iomap_rw(file, 0, back, 4, false) == 4 && memcmp(back, "abcd", 4) == 0);
    CHECK(dax_iomap_rw(file, 5 * PAGE_SIZE, back, 4, false) == 4 && back[0] == 0); /* a hole */
    CHECK(dax_iomap_rw(file, PAGES * PAGE_SIZE - 2, back, 4, false) == 2);
    CHECK(dax_iomap_rw(file, PAGES * PAGE_SIZE, back, 4, false) == 0);
    CHECK(dax_iomap_rw(file, PAGES * PAGE_SIZE - 2, text, 4, true) == 4); /* the file grows */
    CHECK(file->i_size == PAGES * PAGE_SIZE + 2);
}

static void truncate_the_file(void)
{
    for (u32 i = 0; i < PAGES; i++) {
        store(mms[0], page(shared, i), i + 1);
        load(mms[1], page(shared, i));
        store(mms[1], page(private, i), i + 2);
    }
    inode_truncate(file, 3 * PAGE_SIZE + 2);
    settled();
    CHECK(blocks_in_use() == 4 && file->i_mapping.nrexceptional == 4 && mms[1]->anon_rss == 4);
    CHECK(load(mms[1], page(shared, 3)) == 4 && load(mms[1], page(private, 3)) == 5);
    for (u32 i = 4; i < PAGES; i++) {
        CHECK(access_error(mms[0], page(shared, i), LOAD) == -EIO);
        CHECK(access_error(mms[1], page(private, i), STORE) == -EIO);
    }
    store(mms[0], page(shared, 3), 0x44332211); /* the last page is there as a whole */
    inode_truncate(file, 3 * PAGE_SIZE + 1);
    inode_truncate(file, PAGES * PAGE_SIZE);
    CHECK(load(mms[1], page(shared, 3)) == 0x11 && load(mms[1], page(shared, 4)) == 0);
}

/* ---- errors ---- */
static void storage_errors(void)
{
    pfn_t held[BIT(STORE_ORDER) + 1];
    u32 count;

    store(mms[0], page(shared, 1), 1);
    bad_block = dax_to_pfn(entry_at(1));
    CHECK(access_error(mms[1], page(shared, 1), LOAD) == -EIO);
    CHECK(access_error(mms[1], page(private, 1), STORE) == -EIO && mms[1]->anon_rss == 0);
    CHECK(dax_iomap_rw(file, PAGE_SIZE, &bad_block, 4, false) == -EIO);
    bad_block = 0;
    CHECK(load(mms[1], page(shared, 1)) == 1);
    for (count = 0; (held[count] = block_alloc()); count++) /* until the store is full */
        ;
    load(mms[0], page(shared, 2));
    CHECK(access_error(mms[0], page(shared, 2), STORE) == -EIO);
    CHECK(dax_entry_flags(entry_at(2)) == DAX_ZERO_PAGE && load(mms[0], page(shared, 2)) == 0);
    CHECK(dax_iomap_rw(file, 2 * PAGE_SIZE, &bad_block, 4, true) == -ENOSPC);
    settled();
    while (count)
        block_free(held[--count]);
}

static void foreign_object(void)
{
    static u64 foreign[2];
    unsigned warnings = warn_count;

    load(mms[0], page(shared, 1));
    CHECK(xa_store(&file->i_mapping.i_pages, 1, foreign) == 0);
    for (u32 i = 0; i < 3; i++)
        CHECK(access_error(mms[1], page(shared, 1), i & 1 ? STORE : LOAD) == -EIO);
    CHECK(warn_count == warnings + 1 && blocks_in_use() == 0);
    /* A page of the page cache is as foreign to the new method. */
    dax_hole_method = DAX_HOLE_PAGECACHE;
    load(mms[0], page(shared, 2));
    dax_hole_method = DAX_HOLE_ZERO_PAGE;
    CHECK(access_error(mms[1], page(shared, 2), LOAD) == -EIO);
    warn_count = warnings;
    CHECK(xa_store(&file->i_mapping.i_pages, 1, xa_mk_value(DAX_EMPTY)) == 0);
}

static void unlock_twice(void)
{
    XA_STATE(xas, &file->i_mapping.i_pages, 0);

    dax_unlock_entry(&xas);
}

/* What a second hart would wait for. */
static void lock_twice(void)
{
    XA_STATE(xas, &file->i_mapping.i_pages, 0);
    void *entry;

    grab_mapping_entry(&xas, &file->i_mapping, &entry);
}

static void locks(void)
{
    XA_STATE(xas, &file->i_mapping.i_pages, 0);
    void *entry;

    CHECK(grab_mapping_entry(&xas, &file->i_mapping, &entry) == 0);
    CHECK(dax_entry_flags(entry) == (DAX_EMPTY | DAX_LOCKED) && file->i_mapping.nrexceptional == 1);
    CHECK(panics(lock_twice));
    dax_unlock_entry(&xas);
    CHECK(dax_entry_flags(entry_at(0)) == DAX_EMPTY);
    CHECK(panics(unlock_twice));
    CHECK(load(mms[0], page(shared, 0)) == 0 && file->i_mapping.nrexceptional == 1);
}

static void bad_arguments(void)
{
    struct mm *mm = mms[0];
    vaddr_t at = 3 * OTHER * PAGES * PAGE_SIZE;

    CHECK(mm_map(mm, at, PAGE_SIZE, VM_DATA | VM_SHARED) == -EINVAL); /* of no file */
    CHECK(mm_map(mm, at, PAGE_SIZE, VM_DATA | VM_MIXEDMAP) == -EINVAL);
    CHECK(mm_map_file(mm, at, PAGE_SIZE, VM_DATA | VM_MIXEDMAP, file, 0) == -EINVAL);
    CHECK(mm_map_file(mm, at, PAGE_SIZE, VM_SHARED, file, 0) == -EINVAL);
    CHECK(mm_map_file(mm, at, PAGE_SIZE, VM_DATA, file, ~0u) == -EINVAL);
    CHECK(mm_map_file(mm, shared, PAGE_SIZE, VM_DATA, file, 0) == -EEXIST);
    CHECK(mm_map_file(mm, at, 2 * PAGE_SIZE, VM_READ, file, PAGES - 1) == 0);
    CHECK(load(mm, at) == 0 && access_error(mm, at + PAGE_SIZE, LOAD) == -EIO);
    CHECK(access_error(mm, at, STORE) == -EFAULT);
    CHECK(file->i_count == 6);
}

/* Each allocation of an access fails in turn: nothing is lost, nothing stays locked, and the access
 * succeeds when there is memory again. */
static void every_way_out_of_memory(void)
{
    static const struct {
        enum dax_hole_method method;
        bool read_before, private;
        enum access kind;
    } cases[] = {
        {DAX_HOLE_ZERO_PAGE, false, false, LOAD},  {DAX_HOLE_ZERO_PAGE, false, false, STORE},
        {DAX_HOLE_ZERO_PAGE, true, false, STORE},  {DAX_HOLE_ZERO_PAGE, false, true, STORE},
        {DAX_HOLE_ZERO_PAGE, true, true, STORE},   {DAX_HOLE_PAGECACHE, false, false, LOAD},
        {DAX_HOLE_PAGECACHE, false, false, STORE}, {DAX_HOLE_PAGECACHE, true, false, STORE},
        {DAX_HOLE_PAGECACHE, true, true, STORE},
    };

    struct xarray filler = {0}; /* takes the nodes that need no fresh page */

    for (u32 c = 0; c < ARRAY_SIZE(cases); c++) {
        for (u32 fails_at = 1, done = 0; !done; fails_at++) {
            vaddr_t va = page(cases[c].private ? private : shared, 1);

            inode_truncate(file, 0);
            inode_truncate(file, PAGES * PAGE_SIZE);
            CHECK(mm_unmap(mms[0], shared, PAGES * PAGE_SIZE) == 0);
            CHECK(mm_unmap(mms[0], private, PAGES * PAGE_SIZE) == 0);
            mmap_both(mms[0]);
            dax_hole_method = cases[c].method;
            if (cases[c].read_before)
                load(mms[0], va);
            for (u32 i = 0; xa_total_nodes() < xa_total_pages() * xa_nodes_per_page(); i++)
                CHECK(xa_store(&filler, i * XA_CHUNK_SIZE, xa_mk_value(0)) == 0);
            alloc_calls = 0;
            alloc_fails_at = fails_at;
            int error = access_error(mms[0], va, cases[c].kind);

            alloc_fails_at = 0;
            CHECK(error == 0 || error == -ENOMEM);
            settled();
            done = !error;
            void *entry = entry_at(1);

            if (cases[c].kind == LOAD && error && xa_is_value(entry))
                CHECK(!(dax_entry_flags(entry) & DAX_LOCKED));
            CHECK(access_error(mms[0], va, cases[c].kind) == 0);
            CHECK(blocks_in_use() <= 1);
            for (u32 i = 0; xa_erase(&filler, i * XA_CHUNK_SIZE); i++)
                ;
        }
    }
    inode_truncate(file, 0);
}

/* A PTE page cannot be had: the entry says zero page already, and is not locked. */
static void no_pte_page(void)
{
    load(mms[1], page(shared, 0)); /* the index has its node */
    pgtable_ctor_fails = true;
    int error = access_error(mms[0], page(shared, 1), LOAD);

    pgtable_ctor_fails = false;
    if (error) { /* without tables below the root there is nothing to fail */
        CHECK(error == -ENOMEM && dax_entry_flags(entry_at(1)) == DAX_ZERO_PAGE);
        CHECK(load(mms[0], page(shared, 1)) == 0);
    }
}

static const struct named_test {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"read_a_hole", read_a_hole},
    {"read_with_the_old_method", read_with_the_old_method},
    {"write_to_a_hole", write_to_a_hole},
    {"write_privately", write_privately},
    {"fork_and_share", fork_and_share},
    {"move_and_cut", move_and_cut},
    {"read_and_write_calls", read_and_write_calls},
    {"truncate_the_file", truncate_the_file},
    {"storage_errors", storage_errors},
    {"foreign_object", foreign_object},
    {"locks", locks},
    {"bad_arguments", bad_arguments},
    {"every_way_out_of_memory", every_way_out_of_memory},
    {"no_pte_page", no_pte_page},
};

static const struct machine machines[] = {
    {12, 31, 512, 512, 4}, {12, 21, 512, 512, 1}, {14, 31, 512, 512, 1},
    {14, 25, 512, 512, 1}, {16, 31, 256, 256, 1}, {16, 25, 256, 256, 1},
};

static bool run_on(const struct machine *m)
{
    int status;

    fflush(stdout);
    pid_t child = fork();

    if (child == 0) {
        checks_done = checks_failed = 0;
        machine_start(m);
        for (const struct named_test *t = tests; t < tests + ARRAY_SIZE(tests); t++) {
            unsigned failed = checks_failed;

            setup();
            t->run();
            teardown();
            if (checks_failed != failed)
                printf("in %s, pages of 2^%u bytes, %u bits\n", t->name, m->page_shift, m->va_bits);
        }
        exit(finish());
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void)
{
    for (const struct machine *m = machines; m < machines + ARRAY_SIZE(machines); m++)
        CHECK(run_on(m));
    return finish();
}
