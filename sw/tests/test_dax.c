/* Sources: mm/ fs/ tests/machine/
 *
 * Files on the host machine: what holds for holes, storage, private copies and truncation; errors
 * of storage, of the index, of callers, and every way out of memory. */
#include "errno.h"
#include "machine/spaces.h"
#include "mm/huge_memory.h"
#include "mm/smaps.h"
#include "mm/zero_page.h"
#include "panic.h"
#include <string.h>

static bool is_dirty(u32 i)
{
    XA_STATE(xas, &file->i_mapping.i_pages, i);

    return xas_load(&xas) && xas_get_mark(&xas);
}

TEST(read_a_hole)
{
    u32 used = machine_pages_in_use();

    for (u32 i = 0; i < PAGES; i++) {
        CHECK(load(mms[0], page(shared, i) + 4 * i) == 0);
        pte_t pte = walk_tables(mms[0], page(shared, i));

        CHECK(pte_special(pte) && !pte_writable(pte) &&
              pte_pfn(pte) == my_zero_pfn(page(shared, i)));
        CHECK(flags_at(i) == DAX_ZERO_PAGE);
        CHECK(dax_to_pfn(entry_at(i)) == my_zero_pfn(page(shared, i)));
    }
    CHECK(file->i_mapping.nrexceptional == PAGES && file->i_mapping.nrpages == 0);
    CHECK(mms[0]->file_rss == 0 && mms[0]->anon_rss == 0);
    CHECK(machine_pages_in_use() == used + mms[0]->nr_tables + 1); /* 1: the index */
    struct mem_size_stats m = smap_gather_stats(vma_lookup(mms[0], shared));

    CHECK(m.size == PAGES * PAGE_SIZE && m.resident + m.pss + m.referenced + m.private_clean == 0);
}

TEST(read_with_the_old_method)
{
    dax_hole_method = DAX_HOLE_PAGECACHE;
    for (u32 i = 0; i < PAGES; i++) {
        CHECK(load(mms[0], page(shared, i)) == 0);
        CHECK(!xa_is_value(entry_at(i)));
    }
    CHECK(file->i_mapping.nrpages == PAGES && file->i_mapping.nrexceptional == 0);
    CHECK(mms[0]->file_rss == PAGES);
    struct mem_size_stats m = smap_gather_stats(vma_lookup(mms[0], shared));

    CHECK(m.resident == PAGES * PAGE_SIZE && m.pss == m.resident && m.private_clean == m.resident);
    CHECK(m.referenced == m.resident && m.anonymous == 0);
    CHECK(load(mms[1], page(shared, 0)) == 0); /* a second mapper halves its share */
    m = smap_gather_stats(vma_lookup(mms[0], shared));
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

TEST(write_to_a_hole)
{
    for (u32 i = 0; i < PAGES; i++) {
        load(mms[0], page(shared, i));
        load(mms[1], page(shared, i));
        load(mms[1], page(private, i));
    }
    CHECK(faults_of_store(mms[0], page(shared, 3), 33) == 1);
    CHECK(blocks_in_use() == 1 && flags_at(3) == 0);
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

TEST(write_privately)
{
    load(mms[0], page(private, 2));
    store(mms[0], page(private, 2), 9);
    CHECK(mms[0]->anon_rss == 1 && flags_at(2) == DAX_ZERO_PAGE);
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

TEST(fork_and_share)
{
    load(mms[0], page(shared, 0));
    store(mms[0], page(shared, 1), 21);
    store(mms[0], page(private, 2), 22);
    CHECK(mm_fork(new_mm(2), mms[0]) == 0);
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

TEST(move_and_cut)
{
    vaddr_t to = 2 * private + PAGE_SIZE;

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

TEST(read_and_write_calls)
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

TEST(truncate_the_file)
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

TEST(storage_errors)
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
    CHECK(flags_at(2) == DAX_ZERO_PAGE && load(mms[0], page(shared, 2)) == 0);
    CHECK(dax_iomap_rw(file, 2 * PAGE_SIZE, &bad_block, 4, true) == -ENOSPC);
    settled();
    while (count)
        block_free(held[--count]);
}

TEST(foreign_object)
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

TEST(locks)
{
    static struct xa_state xas;
    static void *entry;

    xas = (struct xa_state){.xa = &file->i_mapping.i_pages};
    CHECK(grab_mapping_entry(&xas, &file->i_mapping, &entry) == 0);
    CHECK(dax_entry_flags(entry) == (DAX_EMPTY | DAX_LOCKED) && file->i_mapping.nrexceptional == 1);
    /* What a second hart would wait for. */
    CHECK(PANICS(grab_mapping_entry(&xas, &file->i_mapping, &entry)));
    dax_unlock_entry(&xas);
    CHECK(flags_at(0) == DAX_EMPTY);
    CHECK(PANICS(dax_unlock_entry(&xas)));
    CHECK(load(mms[0], page(shared, 0)) == 0 && file->i_mapping.nrexceptional == 1);
}

TEST(bad_arguments)
{
    struct mm *mm = mms[0];
    vaddr_t at = 3 * private;

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
TEST(every_way_out_of_memory)
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
            map_both(mms[0]);
            dax_hole_method = cases[c].method;
            if (cases[c].read_before)
                load(mms[0], va);
            for (u32 i = 0; xa_total_nodes() < xa_total_pages() * xa_nodes_per_page(); i++)
                CHECK(xa_store(&filler, i * XA_CHUNK_SIZE, xa_mk_value(0)) == 0);
            fail_allocation(fails_at);
            int error = access_error(mms[0], va, cases[c].kind);

            alloc_fails_at = 0;
            CHECK(error == 0 || error == -ENOMEM);
            settled();
            done = !error;
            CHECK(access_error(mms[0], va, cases[c].kind) == 0);
            CHECK(blocks_in_use() <= 1);
            for (u32 i = 0; xa_erase(&filler, i * XA_CHUNK_SIZE); i++)
                ;
        }
    }
    inode_truncate(file, 0);
}

/* A PTE page cannot be had: the entry says zero page already, and is not locked. */
TEST(no_pte_page)
{
    load(mms[1], page(shared, 0)); /* the index has its node */
    pgtable_ctor_fails = true;
    int error = access_error(mms[0], page(shared, 1), LOAD);

    pgtable_ctor_fails = false;
    if (error) { /* without tables below the root there is nothing to fail */
        CHECK(error == -ENOMEM && flags_at(1) == DAX_ZERO_PAGE);
        CHECK(load(mms[0], page(shared, 1)) == 0);
    }
}

/* Blocks that the allocator does not have: pages take their place. */
TEST(no_block_of_that_size)
{
    vaddr_t at = 2 * HPAGE_PMD_SIZE;

    if (PAGE_SIZE == 4096 || user_geometry.va_bits < 31)
        return;
    dax_huge = true;
    inode_truncate(file, HPAGE_PMD_SIZE);
    CHECK(mm_map_file(mms[0], at, HPAGE_PMD_SIZE, VM_DATA | VM_SHARED, file, 0) == 0);
    CHECK(load(mms[0], page(at, 1)) == 0 && !has_block(mms[0], at));
    CHECK(flags_at(1) == DAX_ZERO_PAGE && huge_zero_stats.refcount == 0);
    CHECK(faults_of_store(mms[0], page(at, 1), 5) == 1);
}

int main(void)
{
    return run_on_every_machine(map_twice);
}
