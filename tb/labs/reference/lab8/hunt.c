// Lab 8: a test for an MMU. It calls report() if the machine is broken, and returns if it is not.
#include "lab8.h"

#define ENTRIES     16 // of the TLB for data
#define PERMISSION  12
#define ACCESS_FLAG 8
#define TRANSLATION 4
#define OTHER_TABLE 0x30000000u
#define FAR_ASID    0x101

static uint32_t page(unsigned number)
{
    return FIRST + (number << page_shift);
}

static void map(unsigned number, uint32_t physical, uint64_t attributes)
{
    *descriptor_of(page(number), 3) = physical | attributes | PAGE;
}

static void fresh(void)
{
    invalidate(K_ALL, 0);
    use_space(1);
}

static void expect(const char *what, uint32_t va, struct outcome got, uint32_t status)
{
    if (got.status != status)
        report(what, va, status, got.status);
}

// The kernel reads the frame's own address.
static void expect_frame(const char *what, uint32_t va, uint32_t physical)
{
    const struct outcome got = read_at(KERNEL, va);
    if (got.status || got.value != physical)
        report(what, va, physical, got.status ? got.status : got.value);
}

static void fill_frames(void)
{
    for (unsigned i = 0; i < FRAMES; i++)
        *word_at(frame(i)) = frame(i);
}

static void places(void)
{
    for (unsigned i = 0; i < FRAMES; i++)
        map(i, frame(i), DATA);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < FRAMES; i++)
            expect_frame("a page has another place", page(i), frame(i));
}

// Every combination of four bits, every access, in a cold TLB and in a hot one.
static void rights(void)
{
    static const uint64_t bit[] = {EL0, READ_ONLY, PXN, UXN};
    for (unsigned set = 0; set < 16; set++) {
        const int user = set & 1, read_only = set >> 1 & 1, pxn = set >> 2 & 1, uxn = set >> 3;
        uint64_t attributes = ACCESSED | SHARED;
        for (unsigned i = 0; i < 4; i++)
            attributes |= set >> i & 1 ? bit[i] : 0;
        for (unsigned access = 0; access < 6; access++) {
            const enum who who = access < 3 ? KERNEL : USER_PROGRAM;
            const int wx = user && !read_only;
            const int allowed[] = {1, !read_only, !pxn && !wx, user, wx, !uxn};
            struct outcome (*const run[])(enum who, uint32_t) = {read_at, write_at, execute_at};
            fresh();
            map(0, frame(1), attributes);
            if (access % 3 == 2)
                put_code(frame(1));
            for (unsigned hot = 0; hot < 2; hot++) {
                const struct outcome got = run[access % 3](who, page(0));
                expect("rights", page(0), got, allowed[access] ? 0 : PERMISSION | 3);
                if (got.status && got.write != (access % 3 == 1))
                    report("kind of a fault", page(0), access % 3 == 1, got.write);
            }
        }
    }
}

// What a table takes away, at each level that has one above level 3.
static void rights_of_tables(void)
{
    for (unsigned level = start_level; level < 3; level++) {
        volatile uint64_t *table = descriptor_of(page(0), level);
        const uint64_t before = *table;
        map(0, frame(1), ACCESSED | SHARED | EL0);
        put_code(frame(1));
        fresh();
        *table = before | TABLE_NO_USER;
        expect("no user below", page(0), read_at(USER_PROGRAM, page(0)), PERMISSION | 3);
        fresh();
        *table = before | TABLE_NO_WRITE;
        expect("no write below", page(0), write_at(KERNEL, page(0)), PERMISSION | 3);
        fresh();
        *table = before | TABLE_UXN;
        expect("UXN below", page(0), execute_at(USER_PROGRAM, page(0)), PERMISSION | 3);
        fresh();
        *table = before | TABLE_PXN;
        map(0, frame(1), ACCESSED | SHARED | READ_ONLY);
        expect("PXN below", page(0), execute_at(KERNEL, page(0)), PERMISSION | 3);
        *table = before;
    }
}

static void faults(void)
{
    fresh();
    map(0, frame(1), DATA & ~ACCESSED);
    expect("access flag", page(0), read_at(KERNEL, page(0)), ACCESS_FLAG | 3);
    *descriptor_of(page(1), 3) = frame(1) | DATA | 1;
    expect("reserved", page(1), read_at(KERNEL, page(1)), TRANSLATION | 3);
    for (unsigned level = start_level; level <= 3; level++) {
        volatile uint64_t *descriptor = descriptor_of(OTHER_TABLE, level);
        const uint64_t before = *descriptor;
        *descriptor = 0;
        fresh();
        expect("level of a fault", OTHER_TABLE, read_at(KERNEL, OTHER_TABLE), TRANSLATION | level);
        const struct outcome got = write_at(KERNEL, OTHER_TABLE);
        if (!got.write)
            report("kind of a fault", OTHER_TABLE, 1, got.write);
        *descriptor = before;
    }
}

// Full of pages that all move to other frames; each is invalidated alone.
static void each_entry(void)
{
    fresh();
    fill_frames();
    for (unsigned i = 0; i < ENTRIES; i++) {
        map(i, frame(i), DATA | NON_GLOBAL);
        expect_frame("a page", page(i), frame(i));
    }
    for (unsigned i = 0; i < ENTRIES; i++) {
        map(i, frame(i + 1), DATA | NON_GLOBAL);
        invalidate(K_VA, va_operand(page(i), 1));
    }
    for (unsigned i = 0; i < ENTRIES; i++)
        expect_frame("an entry stays", page(i), frame(i + 1));
}

// Pages 0 to 5 are used, then moved; `kind` must reach pages `first` to `last`.
static void moved(const char *what, uint64_t attributes, enum kind kind, uint64_t operand,
                  unsigned first, unsigned last)
{
    fresh();
    for (unsigned i = 0; i < 6; i++) {
        map(i, frame(i), DATA | attributes);
        expect_frame("a page", page(i), frame(i));
    }
    for (unsigned i = first; i <= last; i++)
        map(i, frame(i + 6), DATA | attributes);
    invalidate(kind, operand);
    const uint32_t before = walks();
    for (unsigned i = 0; i < first; i++)
        expect_frame("a page that stays", page(i), frame(i));
    for (unsigned i = last + 1; i < 6; i++)
        expect_frame("a page that stays", page(i), frame(i));
    if (kind != K_ALL && kind != K_ASID && walks() != before)
        report("pages beside are walked again", page(first), 0, walks() - before);
    for (unsigned i = first; i <= last; i++)
        expect_frame(what, page(i), frame(i + 6));
}

static void invalidations(void)
{
    fill_frames();
    moved("all", 0, K_ALL, 0, 0, 5);
    moved("ASID", NON_GLOBAL, K_ASID, asid_operand(1), 0, 5);
    moved("address", NON_GLOBAL, K_VA, va_operand(page(2), 1), 2, 2);
    moved("address, global", 0, K_VA, va_operand(page(2), 5), 2, 2);
    moved("address, all ASIDs", NON_GLOBAL, K_VA_ALL_ASIDS, va_operand(page(2), 5), 2, 2);
    moved("range", NON_GLOBAL, K_RANGE, range_operand(page(1), 1, 1), 1, 4);
    moved("range, all ASIDs", NON_GLOBAL, K_RANGE_ALL_ASIDS, range_operand(page(1), 0, 5), 1, 2);
}

// Each address space needs its own walk, and only once.
static void spaces(void)
{
    fresh();
    map(0, frame(0), DATA);
    map(1, frame(1), DATA | NON_GLOBAL);
    expect_frame("a page", page(0), frame(0));
    expect_frame("a page", page(1), frame(1));
    invalidate(K_ASID, asid_operand(1));
    const uint32_t before = walks();
    expect_frame("a global page", page(0), frame(0));
    if (walks() != before)
        report("a global page is walked again", page(0), 0, walks() - before);
    expect_frame("a page", page(1), frame(1));
    map(1, frame(2), DATA | NON_GLOBAL);
    use_space(FAR_ASID);
    expect_frame("a page of another space", page(1), frame(2));
}

// By any address inside of it.
static void blocks(void)
{
    const uint32_t size = 1u << (2 * page_shift - 3), va = OTHER_TABLE & ~(size - 1);
    volatile uint64_t *descriptor = descriptor_of(va, 2);
    const uint64_t before = *descriptor;
    fresh();
    *descriptor = 0x80000000u | DATA | BLOCK;
    expect("a block", va, read_at(KERNEL, va), 0);
    *descriptor = 0;
    invalidate(K_VA, va_operand(va + size - 8, 1));
    expect("a block stays", va, read_at(KERNEL, va), TRANSLATION | 2);
    *descriptor = before;
}

// A table takes the place of another one.
static void tables(void)
{
    const uint32_t place = FIRST & ((1u << page_shift) - 1);
    fresh();
    map(0, frame(3), DATA);
    *descriptor_of(OTHER_TABLE, 3) = frame(4) | DATA | PAGE;
    expect_frame("a page", page(0) + place, frame(3));
    *descriptor_of(FIRST, 2) = *descriptor_of(OTHER_TABLE, 2);
    invalidate(K_VA, va_operand(FIRST, 1));
    expect_frame("a table stays", FIRST, frame(4));
}

void test(void)
{
    fill_frames();
    places();
    rights();
    rights_of_tables();
    faults();
    each_entry();
    invalidations();
    spaces();
    blocks();
    tables();
}
