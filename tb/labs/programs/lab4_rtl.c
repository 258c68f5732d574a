// Lab 4 on the RTL. The boot arguments name a granule and what is tried, as in "16k remap". Prints
// `BAD`, what was seen, address or count, expected, got.
#include "cases.h"

#include "lab.h"
#include "lab4.h"

#define BASE   0x10000000u
#define FRAMES 0x80800000u
#define WRITE  0x0f // status: permission fault, level 3
#define NONE   0x07 // translation fault, level 3
#define ASIDE  4    // where a page is written, so that its first word stays

unsigned page_shift;
uint16_t asid = 1;
static unsigned operations, hidden; // hidden: nobody uses the pages meanwhile
static int broken;                  // a mapping was taken away and not yet invalidated
static uint32_t busy[2];            // addresses that programs use all the time

static uint32_t page_at(unsigned i)
{
    return BASE + (i << page_shift);
}

static uint32_t frame(unsigned i)
{
    return FRAMES + (i << page_shift);
}

// Programs go on, so translations come back whenever the tables allow it.
static void meanwhile(void)
{
    for (unsigned i = 0; i < 2 && !hidden; i++)
        if (busy[i])
            status(load, busy[i], 0);
}

uint64_t *descriptor_of(uint32_t va)
{
    return (uint64_t *)descriptor(va, 3);
}

void set_descriptor(uint64_t *at, uint64_t value)
{
    const uint64_t old = *at;
    const int moves = (old ^ value) >> 12 & 0xfffffffff;
    if ((value & VALID) && (((old & VALID) && moves) || (!(old & VALID) && broken)))
        bad("make", (uint32_t)at, 0, 1);
    if ((old & VALID) && !(value & VALID))
        broken = 1;
    *(volatile uint64_t *)at = value;
    meanwhile();
}

void invalidate(enum kind kind, uint64_t operand)
{
    operations++;
    broken = 0;
    tlbi((enum tlbi)kind, operand);
    meanwhile();
}

static void map_frame(unsigned page, unsigned to)
{
    map(page_at(page), frame(to), KERNEL_DATA | NON_GLOBAL);
    REG32(frame(to)) = frame(to);
}

// All of it, as it was before anything is tried.
static void begin(unsigned first, unsigned pages)
{
    hidden = 1;
    tlbi(ALL, 0);
    broken = 0;
    for (unsigned i = 0; i < pages; i++)
        map_frame(first + i, i % 16);
    for (unsigned i = 0; i < pages; i++)
        status(load, page_at(first + i), 0);
    status(load, page_at(first), 0);
    busy[0] = page_at(first);
    busy[1] = page_at(first + pages - 1);
    operations = hidden = 0;
}

static void expect_status(uint32_t (*access)(uint32_t), uint32_t va, uint32_t want)
{
    check(access == load ? "read" : "write", va, want, status(access, va, 0));
}

static void expect_data(uint32_t va, uint32_t want)
{
    uint32_t value;
    if (status(load, va, &value) || value != want)
        bad("data", va, want, value);
}

static void try_unmap(void)
{
    begin(FIRST, 1);
    unmap_page(page_at(FIRST));
    expect_status(load, page_at(FIRST), NONE);
}

static void try_protect(void)
{
    begin(FIRST, 1);
    expect_status(store, page_at(FIRST) + ASIDE, 0);
    protect_page(page_at(FIRST));
    expect_status(store, page_at(FIRST) + ASIDE, WRITE);
    expect_status(load, page_at(FIRST), 0);
}

static void try_remap(void)
{
    begin(FIRST, 1);
    REG32(frame(20)) = frame(20);
    remap_page(page_at(FIRST), frame(20));
    expect_data(page_at(FIRST), frame(20));
    expect_status(store, page_at(FIRST) + ASIDE, 0);
}

static void try_range(void)
{
    static const unsigned sizes[] = {SIZES};
    for (unsigned n = 0; n < LENGTH(sizes); n++) {
        begin(FIRST, sizes[n]);
        unmap_pages(page_at(FIRST), sizes[n]);
        for (unsigned i = 0; i < sizes[n]; i++)
            expect_status(load, page_at(FIRST + i), NONE);
    }
}

// Walks that four pages beside the changed ones need afterwards: none.
static void try_precise(void)
{
    for (unsigned way = 0; way < 4; way++) {
        begin(FIRST, 8);
        hidden = 1;
        if (way == 0)
            unmap_page(page_at(FIRST));
        if (way == 1)
            protect_page(page_at(FIRST + 1));
        if (way == 2)
            remap_page(page_at(FIRST + 2), frame(20));
        if (way == 3)
            unmap_pages(page_at(FIRST), 4);
        const uint32_t before = count_walks();
        for (unsigned i = 4; i < 8; i++)
            status(load, page_at(FIRST + i), 0);
        check("walks", way, 0, count_walks() - before);
    }
}

static void use_space(unsigned number)
{
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)user_table | (uint64_t)number << 48);
}

// Two address spaces with the same tables; one ends.
static void try_space(void)
{
    begin(FIRST, 1);
    use_space(2);
    status(load, page_at(FIRST), 0);
    use_space(1);
    hidden = 1;
    *descriptor(page_at(FIRST), 3) ^= frame(0) ^ frame(21);
    REG32(frame(21)) = frame(21);
    exit_space(1);
    expect_data(page_at(FIRST), frame(21));
    use_space(2);
    const uint32_t before = count_walks();
    status(load, page_at(FIRST), 0);
    check("other", 2, 0, count_walks() - before);
    use_space(1);
}

static void try_few(void)
{
    begin(FIRST, MANY);
    unmap_pages(page_at(FIRST), MANY);
    if (operations > OPERATIONS)
        bad("operations", MANY, OPERATIONS, operations);
}

static const struct trial trials[] = {
    {"unmap", try_unmap},     {"protect", try_protect}, {"remap", try_remap}, {"range", try_range},
    {"precise", try_precise}, {"space", try_space},     {"few", try_few},
};

int main(void)
{
    const unsigned number = chosen(trials, LENGTH(trials));
    choose_granule();
    page_shift = granule.shift;
    mmu_on();
    if (number == LENGTH(trials))
        return 3;
    trials[number].run();
    return failures != 0;
}
