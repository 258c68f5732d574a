/* Sources: mm/ fs/ tests/machine/ tests/files/
 *
 * Files on the host machine: errors of storage, of the index, of callers, and every way out of
 * memory. */
#include "errno.h"
#include "files/two_mappings.h"
#include "panic.h"

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
    CHECK(flags_at(2) == DAX_ZERO_PAGE && load(mms[0], page(shared, 2)) == 0);
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
    CHECK(flags_at(0) == DAX_EMPTY);
    CHECK(panics(unlock_twice));
    CHECK(load(mms[0], page(shared, 0)) == 0 && file->i_mapping.nrexceptional == 1);
}

static void bad_arguments(void)
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
            map_both(mms[0]);
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
        CHECK(error == -ENOMEM && flags_at(1) == DAX_ZERO_PAGE);
        CHECK(load(mms[0], page(shared, 1)) == 0);
    }
}

static const struct named_test tests[] = {
    {"storage_errors", storage_errors},
    {"foreign_object", foreign_object},
    {"locks", locks},
    {"bad_arguments", bad_arguments},
    {"every_way_out_of_memory", every_way_out_of_memory},
    {"no_pte_page", no_pte_page},
};

int main(void)
{
    static const struct machine machines[] = {
        {12, 31, 512, 512, 4, ENTRY_64}, {12, 21, 512, 512, 1, ENTRY_64},
        {14, 31, 512, 512, 1, ENTRY_64}, {14, 25, 512, 512, 1, ENTRY_64},
        {16, 31, 256, 256, 1, ENTRY_64}, {16, 25, 256, 256, 1, ENTRY_64},
    };

    for (const struct machine *m = machines; m < machines + ARRAY_SIZE(machines); m++)
        CHECK(run_on(m, tests, ARRAY_SIZE(tests), map_twice));
    return finish();
}
