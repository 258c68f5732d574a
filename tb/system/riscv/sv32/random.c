// Random spaces, entries, fences and accesses, against a walk in software. The boot argument is the
// seed. Every change of an entry is followed by the least fence that is allowed after it, so that
// the TLBs are full of what may still be there.
#include "sv32.h"

#define SPACES 3
#define SLOTS  6 // superpages of the address space that are in use; the last is the same for all
#define PAGES  4
#define SHARED (SLOTS - 1)
#define ROUNDS 6000

static const uint32_t slots[SLOTS] = {0, 1, 0x155, 0x200, 0x3fe, 0x3ff};
static const uint32_t pages[PAGES] = {0, 1, 0x155, 0x3ff};
// Two superpages of memory, of which the four pages above are in use.
static const uint32_t memory[2] = {GRANULE_LOWMEM_BASE + SUPERPAGE,
                                   GRANULE_LOWMEM_BASE + 2 * SUPERPAGE};
#define CODE 0xff0u // one ecall, at the end of each page

static struct table roots[SPACES] __attribute__((aligned(4096)));
static struct table tables[SPACES][SLOTS] __attribute__((aligned(4096)));
static unsigned asids[SPACES] = {0, 1, 2};
static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return (seed >> 8) % n;
}

static int mostly(void)
{
    return below(12) != 0;
}

static unsigned random_bits(unsigned slot)
{
    unsigned bits = (mostly() ? V : 0) | (mostly() ? A : 0) | (mostly() ? D : 0) | below(2) * U;
    bits |= below(2) ? R | W | X : below(8) * R;
    return bits | (slot == SHARED ? G : 0);
}

static struct table *table_of(unsigned space, unsigned slot)
{
    return &tables[slot == SHARED ? 0 : space][slot];
}

static uint32_t random_leaf(unsigned slot)
{
    const unsigned bits = random_bits(slot);
    const uint32_t frame = memory[below(2)] + pages[below(PAGES)] * PAGE;
    // No bits of rights: a pointer, where there may be none.
    return entry_for(below(16) ? frame : NOWHERE, bits);
}

static uint32_t random_root(unsigned space, unsigned slot)
{
    if (below(4))
        return entry_for((uint32_t)table_of(space, slot), V | (slot == SHARED ? G : 0));
    const unsigned bits = random_bits(slot);
    if ((bits & V) && !(bits & (R | W | X)))
        return 0;
    return entry_for(memory[below(2)] + (below(8) ? 0 : PAGE << below(10)), bits);
}

static void access(void)
{
    const unsigned space = below(SPACES);
    const unsigned status = (below(4) ? SUM : 0) | below(2) * MXR;
    const enum mode mode = below(2) ? SUPERVISOR : USER;
    static const enum operation operations[] = {DO_LOAD, DO_LR, DO_STORE, DO_SC, DO_AMO, DO_FETCH};
    const enum operation operation = operations[below(6)];
    const unsigned slot = below(SLOTS), page = pages[below(PAGES)];
    const uint32_t offset = operation == DO_FETCH ? CODE : below(CODE / 4) * 4;
    const uint32_t va = slots[slot] << 22 | page << 12 | offset;

    sv32_on(&roots[space], asids[space]);
    check_access(&roots[space], mode, operation, va, status);
    if (failures)
        put_value("leaf entry", table_of(space, slot)->entry[page]);
}

static void change_leaf(void)
{
    const unsigned space = below(SPACES), slot = below(SLOTS), page = below(PAGES);
    const uint32_t va = slots[slot] << 22 | pages[page] << 12 | below(1024) * 4;
    table_of(space, slot)->entry[pages[page]] = random_leaf(slot);
    static const enum form forms[] = {EVERYTHING, BY_VA, BY_ASID, BY_BOTH};
    fence(forms[below(slot == SHARED ? 2 : 4)], va, asids[space]);
}

// Above the leaves, an address in the fence is not enough.
static void change_root(void)
{
    const unsigned space = below(SPACES), slot = below(SLOTS);
    if (slot == SHARED) {
        const uint32_t entry = random_root(space, slot);
        for (unsigned s = 0; s < SPACES; s++)
            roots[s].entry[slots[slot]] = entry;
        sfence();
    } else {
        roots[space].entry[slots[slot]] = random_root(space, slot);
        fence_asid(asids[space]);
    }
}

static void change_asid(void)
{
    const unsigned space = below(SPACES);
    asids[space] = below(128) << 2 | space; // never another space's
    fence_asid(asids[space]);
}

int main(void)
{
    seed = 0x2545f491;
    for (const char *c = boot_command_line; *c; c++)
        seed = seed * 31 + *c;
    for (unsigned m = 0; m < 2; m++)
        for (unsigned p = 0; p < PAGES; p++) {
            const uint32_t at = memory[m] + pages[p] * PAGE;
            for (unsigned i = 0; i < PAGE; i += 4)
                REG32(at + i) = at + i;
            REG32(at + CODE) = 0x00000073;
        }
    fence_i();
    sv32_on(&roots[0], asids[0]);
    for (unsigned i = 0; i < 64; i++) {
        change_leaf();
        change_root();
    }
    for (unsigned i = 0; i < ROUNDS && failures == 0; i++) {
        const unsigned what = below(32);
        if (what == 0)
            change_asid();
        else if (what < 3)
            change_root();
        else if (what < 7)
            change_leaf();
        else
            access();
    }
    put_value("faults", trap.count);
    put_value("walks", COUNTER(WALKS));
    return failures;
}
