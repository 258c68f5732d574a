// Lab 1 on the RTL: maps the pages of cases.h with the student's code, and uses them from S-mode
// with the MMU on. Prints `BAD`, what was done, address, expected, got; nothing when all is well.
#include "cases.h"

#include "bad.h"
#include "lab1.h"
#include "tables.h"

#define TABLES 24
#define SUM    (1u << 18)
#define MARKER 0x600dda7a

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));
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

static uint32_t load(uint32_t va)
{
    uint32_t value = 0;
    __asm__ volatile("lw %0, 0(%1)" : "+r"(value) : "r"(va) : "memory");
    return value;
}

static uint32_t store(uint32_t va)
{
    __asm__ volatile("sw %0, 0(%0)" ::"r"(va) : "memory");
    return 0;
}

// What an access from S-mode comes to: 0, or the status code of its fault.
static uint32_t status(uint32_t (*access)(uint32_t), uint32_t va, uint32_t *value)
{
    const uint32_t before = trap.count;
    *value = run_in(SUPERVISOR, access, va, stack + sizeof stack);
    return trap.count == before ? 0 : MMU(ESR_LO) & 0x3f;
}

static void use(const struct page *page, uint32_t offset)
{
    const uint32_t va = page->va + offset, pa = page->pa + offset;
    uint32_t value;
    REG32(pa) = MARKER + offset;
    uint32_t got = status(load, va, &value);
    if (got)
        bad("status", va, 0, got);
    else if (value != MARKER + offset)
        bad("data", va, MARKER + offset, value);
    got = status(store, va, &value);
    if (got != page->store_status)
        bad("store", va, page->store_status, got);
    if (!page->store_status && REG32(pa) != va)
        bad("stored", pa, va, REG32(pa));
}

int main(void)
{
    choose_granule();
    mmu_on();
    const struct space space = {(uint32_t)user_table, granule.shift, 31};
    CSR_SET(mstatus, SUM);
    for (unsigned i = 0; i < COUNT; i++) {
        const struct page *page = &pages[i];
        const int result =
            (page->block ? map_block : map_page)(&space, page->va, page->pa, page->attributes);
        if (trap.count) {
            bad("crash", page->va, 0, trap.cause);
            return 1;
        }
        if (result)
            bad("result", page->va, 0, result);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        use(&pages[i], pages[i].first);
        use(&pages[i], pages[i].last);
    }
    for (unsigned i = 0; i < sizeof unmapped / sizeof *unmapped; i++) {
        uint32_t value;
        const uint32_t got = status(load, unmapped[i].va, &value);
        if (got != unmapped[i].status)
            bad("unmapped", unmapped[i].va, unmapped[i].status, got);
    }
    return failures != 0;
}
