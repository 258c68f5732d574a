#include "files/two_mappings.h"

vaddr_t shared, private;

void map_both(struct mm *mm)
{
    CHECK(mm_map_file(mm, shared, PAGES * PAGE_SIZE, VM_DATA | VM_SHARED, file, 0) == 0);
    CHECK(mm_map_file(mm, private, PAGES * PAGE_SIZE, VM_DATA, file, 0) == 0);
}

void map_twice(void)
{
    files_start(PAGES * PAGE_SIZE);
    shared = PAGES * PAGE_SIZE;
    private = 4 * shared;
    for (u32 i = 0; i < 2; i++) {
        mms[i] = mm_alloc();
        map_both(mms[i]);
    }
}
