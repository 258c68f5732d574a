/* Sources: mm/ fs/ tests/machine/ tests/files/
 *
 * Files on the host machine: what holds for holes, storage, private copies and truncation. */
#include "errno.h"
#include "files/two_mappings.h"
#include "mm/smaps.h"
#include "mm/zero_page.h"
#include <string.h>

static bool is_dirty(u32 i)
{
    XA_STATE(xas, &file->i_mapping.i_pages, i);

    return xas_load(&xas) && xas_get_mark(&xas);
}

static void read_a_hole(void)
{
    u32 used = machine_pages_in_use();

    for (u32 i = 0; i < PAGES; i++) {
        pte_t pte;

        CHECK(load(mms[0], page(shared, i) + 4 * i) == 0);
        pte = walk_tables(mms[0], page(shared, i));
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

static void read_with_the_old_method(void)
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

static void write_to_a_hole(void)
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

static void write_privately(void)
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

static const struct named_test tests[] = {
    {"read_a_hole", read_a_hole},
    {"read_with_the_old_method", read_with_the_old_method},
    {"write_to_a_hole", write_to_a_hole},
    {"write_privately", write_privately},
    {"fork_and_share", fork_and_share},
    {"move_and_cut", move_and_cut},
    {"read_and_write_calls", read_and_write_calls},
    {"truncate_the_file", truncate_the_file},
};

int main(void)
{
    static const struct machine machines[] = {
        {12, 31, 512, 512, 4, ENTRY_64},  {12, 21, 512, 512, 1, ENTRY_64},
        {14, 31, 512, 512, 1, ENTRY_64},  {14, 25, 512, 512, 1, ENTRY_64},
        {16, 31, 256, 256, 1, ENTRY_64},  {16, 25, 256, 256, 1, ENTRY_64},
        {12, 31, 512, 512, 4, ENTRY_128}, {14, 24, 512, 512, 1, ENTRY_128},
    };

    for (const struct machine *m = machines; m < machines + ARRAY_SIZE(machines); m++)
        CHECK(run_on(m, tests, ARRAY_SIZE(tests), map_twice));
    return finish();
}
