// Random spaces, entries, fences and accesses, against a walk in software. The boot argument is the
// seed. Every change of an entry is followed by the least fence that is allowed after it, so that
// the TLBs are full of what may still be there. A change of physical memory protection needs none.
#include "sv32.h"

#include "granule_mmu.h"

#define MMU(offset) REG32(GRANULE_MMU_BASE + GRANULE_MMU_##offset)
#define MPRV        (1u << 17)
#define MXR         (1u << 19)
#define NAPOT       0x18u       // of pmpcfg: a region of a power of two
#define NOWHERE     0xb0000000u // nothing answers from here on

enum { NONE, FETCH_ACCESS = 1, LOAD_ACCESS = 5, STORE_ACCESS = 7 }; // causes of no page fault
enum operation { DO_LOAD, DO_STORE, DO_AMO, DO_LR, DO_SC, DO_FETCH };

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

// Loads and stores by MPRV: M-mode with the rights of another mode.
#define WITH_RIGHTS(instruction)                                             \
    __asm__ volatile("csrs mstatus, %2\n" instruction "\ncsrc mstatus, %2\n" \
                     : "+&r"(value)                                          \
                     : "r"(va), "r"(MPRV)                                    \
                     : "memory")

static uint32_t loaded; // what a load or an AMO got

// Of one access of a mode, or NONE.
static uint32_t cause_of(enum mode mode, enum operation operation, uint32_t va)
{
    const uint32_t before = trap.count;
    uint32_t value = 0x5a5a0000 | (va & 0xfff);
    if (operation == DO_FETCH) {
        in_mode(mode, FUNCTION(va), 0);
    } else {
        CSR_CLEAR(mstatus, MACHINE << 11);
        CSR_SET(mstatus, mode << 11);
        switch (operation) {
        case DO_LOAD:
            WITH_RIGHTS("lw %0, 0(%1)");
            break;
        case DO_STORE:
            WITH_RIGHTS("sw %0, 0(%1)");
            break;
        case DO_AMO:
            WITH_RIGHTS("amoor.w %0, zero, (%1)");
            break;
        case DO_LR:
            WITH_RIGHTS("lr.w %0, (%1)");
            break;
        default:
            WITH_RIGHTS("sc.w %0, zero, (%1)");
        }
        CSR_SET(mstatus, MACHINE << 11);
    }
    loaded = value;
    return trap.count == before ? NONE : trap.cause;
}

struct outcome {
    uint32_t cause, status, pa; // the status is Arm's
};

// What entry 0 of physical memory protection says of a page; M-mode may do anything there.
static uint32_t guarded;
static unsigned guarded_rights;

static void change_protection(void)
{
    static const unsigned rights[] = {0, R, R | W, X, R | X, R | W | X};
    guarded = memory[below(2)] + pages[below(PAGES)] * PAGE;
    guarded_rights = rights[below(6)];
    CSR_WRITE(pmpaddr0, guarded >> 2 | (PAGE / 2 - 1) >> 2);
    CSR_CLEAR(pmpcfg0, 0xff);
    CSR_SET(pmpcfg0, NAPOT | guarded_rights >> 1); // R, W and X stand here a bit lower
}

// The walk of the privileged ISA.
static struct outcome walk(const struct table *table, enum mode mode, enum operation operation,
                           uint32_t va, unsigned status)
{
    static const uint32_t page_fault[] = {LOAD, STORE, STORE, LOAD, STORE, FETCH};
    static const uint32_t access_fault[] = {LOAD_ACCESS, STORE_ACCESS, STORE_ACCESS,
                                            LOAD_ACCESS, STORE_ACCESS, FETCH_ACCESS};
    const uint32_t fault = page_fault[operation];
    const int fetches = operation == DO_FETCH;
    const int writes = operation == DO_STORE || operation == DO_AMO || operation == DO_SC;
    uint32_t entry = table->entry[va >> 22], size = SUPERPAGE, level = 2;
    if ((entry & (V | R | W | X)) == V) {
        entry = ((const struct table *)(entry >> 10 << 12))->entry[va >> 12 & 1023];
        size = PAGE;
        level = 3;
    }
    const uint32_t pa = (entry >> 10 << 12) + va % size;
    if (!(entry & V) || !(entry & (R | X)) || (entry & (R | W)) == W || (entry << 2) % size >> 12)
        return (struct outcome){fault, 0x04 | level, 0};
    if (!(entry & A))
        return (struct outcome){fault, 0x08 | level, 0};
    const int readable = (entry & R) || ((status & MXR) && (entry & X));
    const int may = fetches ? (entry & X) != 0 : writes ? (entry & W) && (entry & D) : readable;
    const int mine = mode == USER ? (entry & U) != 0 : !(entry & U) || ((status & SUM) && !fetches);
    if (!may || !mine)
        return (struct outcome){fault, 0x0c | level, 0};
    const unsigned needs = fetches ? X : operation == DO_AMO ? R | W : writes ? W : R;
    const int closed = pa / PAGE == guarded / PAGE && (guarded_rights & needs) != needs;
    const int refused = pa >= NOWHERE || closed;
    return (struct outcome){refused ? access_fault[operation] : NONE, 0x10, pa};
}

// One access in the space of `table`, held against a walk in software, with SUM and MXR alone in
// mstatus as `status` has them. A fetch returns from code that is one ecall.
static void check_access(const struct table *table, enum mode mode, enum operation operation,
                         uint32_t va, unsigned status)
{
    const int known = failures;
    const struct outcome want = walk(table, mode, operation, va, status);
    const uint32_t old = want.cause == NONE ? REG32(want.pa) : 0;
    CSR_CLEAR(mstatus, SUM | MXR);
    CSR_SET(mstatus, status);
    EXPECT(cause_of(mode, operation, va), want.cause);
    CSR_CLEAR(mstatus, SUM | MXR);
    if (want.cause != NONE) {
        EXPECT(MMU(ESR_LO) & 0x3f, want.status);
        EXPECT(MMU(FAR_LO), va);
        EXPECT(trap.value, va);
    } else if (operation == DO_STORE) {
        EXPECT(REG32(want.pa), loaded);
    } else if (operation == DO_SC) {
        EXPECT(REG32(want.pa), loaded == 0 ? 0 : old);
    } else if (operation != DO_FETCH) {
        EXPECT(loaded, old);
    }
    if (failures != known) {
        put_value("va", va);
        put_value("mode", mode);
        put_value("status", status);
        put_value("operation", operation);
        put_value("root entry", table->entry[va >> 22]);
    }
}

static void fence_asid(uint32_t asid)
{
    __asm__ volatile("sfence.vma zero, %0" ::"r"(asid) : "memory");
}

// Fences by what they name.
enum form { EVERYTHING, BY_ASID, BY_VA, BY_BOTH };

static void fence(enum form form, uint32_t va, uint32_t asid)
{
    if (form == EVERYTHING)
        sfence();
    else if (form == BY_ASID)
        fence_asid(asid);
    else if (form == BY_VA)
        __asm__ volatile("sfence.vma %0" ::"r"(va) : "memory");
    else
        fence_va_asid(va, asid);
}

static void access(void)
{
    const unsigned space = below(SPACES);
    const unsigned status = (below(4) ? SUM : 0) | below(2) * MXR;
    const enum mode mode = below(2) ? SUPERVISOR : USER;
    const enum operation operation = below(6);
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
    CSR_WRITE(pmpaddr7, -1); // all else is open
    CSR_WRITE(pmpcfg1, (NAPOT | (R | W | X) >> 1) << 24);
    change_protection();
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
        else if (what < 10)
            change_protection();
        else
            access();
    }
    put_value("faults", trap.count);
    put_value("walks", COUNTER(WALKS));
    return failures;
}
