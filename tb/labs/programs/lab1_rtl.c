// Lab 1 on the RTL: maps the pages of cases.h with the student's code, and uses them from S-mode
// with the MMU on. Prints `BAD`, what was done, address, expected, got; nothing when all is well.
#include "cases.h"

#include "lab.h"
#include "lab1.h"

#define TABLES 24
#define SUM    (1u << 18)
#define MARKER 0x600dda7a

// A mapping, the offsets in it that are used, and the status code of a store: 0 when it is allowed.
struct page {
    uint32_t va;
    uint64_t pa, attributes;
    uint32_t first, last, store_status;
    int block;
};

static const struct page pages[] = {PAGES};
static const struct {
    uint32_t va, status;
} unmapped[] = {UNMAPPED};

static uint8_t memory[TABLES * 65536] __attribute__((aligned(65536)));
static uint32_t tables;

uint64_t new_table(void)
{
    return tables < TABLES ? (uint32_t)(memory + tables++ * page_size()) : 0;
}

uint64_t *table_at(uint64_t address)
{
    return (uint64_t *)(uint32_t)address;
}

static void use(const struct page *page, uint32_t offset)
{
    const uint32_t va = page->va + offset, pa = page->pa + offset;
    uint32_t value;
    REG32(pa) = MARKER + offset;
    check("status", va, 0, status(load, va, &value));
    check("data", va, MARKER + offset, value);
    check("store", va, page->store_status, status(store, va, 0));
    if (!page->store_status)
        check("stored", pa, va, REG32(pa));
}

int main(void)
{
    choose_granule();
    mmu_on();
    const struct space space = {(uint32_t)user_table, granule.shift, 31};
    CSR_SET(mstatus, SUM);
    for (unsigned i = 0; i < LENGTH(pages); i++) {
        const struct page *page = &pages[i];
        const int result =
            (page->block ? map_block : map_page)(&space, page->va, page->pa, page->attributes);
        if (trap.count) {
            bad("crash", page->va, 0, trap.cause);
            return 1;
        }
        check("result", page->va, 0, result);
    }
    for (unsigned i = 0; i < LENGTH(pages); i++) {
        use(&pages[i], pages[i].first);
        use(&pages[i], pages[i].last);
    }
    for (unsigned i = 0; i < LENGTH(unmapped); i++)
        check("unmapped", unmapped[i].va, unmapped[i].status, status(load, unmapped[i].va, 0));
    return failures != 0;
}
