/* Sources: mm/ fs/ tests/machine/
 *
 * Files on the host machine: what random operations (fuzz_mm) do not see. What a hole costs, calls
 * that cross pages, errors of storage and of the index. */
#include "errno.h"
#include "machine/spaces.h"
#include "mm/smaps.h"
#include "mm/zero_page.h"
#include <string.h>

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

/* Stores to a shared page need no fault on either side of a fork. */
TEST(fork_and_share)
{
    store(mms[0], page(shared, 1), 21);
    store(mms[0], page(private, 2), 22);
    CHECK(mm_fork(new_mm(2), mms[0]) == 0);
    CHECK(pte_writable(walk_tables(mms[0], page(shared, 1))));
    CHECK(!pte_writable(walk_tables(mms[0], page(private, 2))));
    CHECK(faults_of_store(mms[2], page(shared, 1), 23) == 0 && load(mms[0], page(shared, 1)) == 23);
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

int main(void)
{
    return run_on_every_machine(map_twice);
}
