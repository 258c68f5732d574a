// Who may do what: R, W, X and U against mode, SUM and MXR; A and D, which software sets.
#include "sv32.h"

#define BASE 0x10000000u

static void set_status(unsigned sum, unsigned mxr)
{
    CSR_CLEAR(mstatus, SUM | MXR);
    CSR_SET(mstatus, sum | mxr);
}

// The rules of the privileged ISA as a program: may `mode` do it on an entry with these bits?
static int allowed(enum mode mode, enum operation operation, unsigned bits, int sum, int mxr)
{
    const int user_page = (bits & U) != 0;
    if (mode == USER && !user_page)
        return 0;
    if (mode == SUPERVISOR && user_page && (operation == DO_FETCH || !sum))
        return 0;
    const int readable = (bits & R) || (mxr && (bits & X));
    switch (operation) {
    case DO_FETCH:
        return (bits & X) != 0;
    case DO_LOAD:
        return readable;
    case DO_AMO: // reads and writes; a page that is written is readable
    default:
        return (bits & W) != 0;
    }
}

// All combinations, each cold, by another right first, and hot.
static void every_combination(void)
{
    static const unsigned rights[] = {R, X, R | W, R | X, R | W | X};
    static const uint32_t faults[] = {LOAD, STORE, STORE, LOAD, STORE, FETCH};
    static const enum operation operations[] = {DO_LOAD, DO_STORE, DO_AMO, DO_FETCH};
    for (unsigned r = 0; r < sizeof rights / sizeof *rights; r++)
        for (unsigned user = 0; user <= U; user += U) {
            const unsigned bits = rights[r] | user;
            const uint32_t va = BASE + (2 * r + user / U) * PAGE;
            map_page(va, (uint32_t)&frames[1], bits | V | A | D);
            for (unsigned status = 0; status < 4; status++) {
                const int sum = status & 1, mxr = status >> 1;
                set_status(sum * SUM, mxr * MXR);
                for (enum mode mode = USER; mode <= SUPERVISOR; mode++)
                    for (unsigned o = 0; o < 4; o++) {
                        const enum operation operation = operations[o];
                        if (operation == DO_FETCH)
                            write_code(&frames[1], mode);
                        const int may = allowed(mode, operation, bits, sum, mxr);
                        const uint32_t want = may ? NONE : faults[operation];
                        if (status == 0)
                            fence_va(va);
                        EXPECT(cause_of(mode, operation, va), want);
                        if (!may)
                            EXPECT_STATUS(0x0f, va);
                    }
            }
        }
    set_status(0, 0);
}

// A superpage has the same rights in all its parts.
static void superpage_rights(void)
{
    const uint32_t va = 0x20000000;
    *superpage_entry(&root, va) = entry_for(GRANULE_LOWMEM_BASE, V | R | X | U | A);
    for (uint32_t at = va; at < va + SUPERPAGE; at += SUPERPAGE / 4) {
        EXPECT(cause_of(USER, DO_LOAD, at), NONE);
        EXPECT(cause_of(USER, DO_STORE, at), STORE);
        EXPECT_STATUS(0x0e, at);
        EXPECT(cause_of(SUPERVISOR, DO_LOAD, at), LOAD);
        EXPECT_STATUS(0x0e, at);
    }
}

// Nobody but software sets A and D: an access that would is a page fault, and leaves the entry.
static void accessed_and_dirty(void)
{
    const uint32_t va = BASE + 64 * PAGE;
    volatile uint32_t *leaf = map_page(va, (uint32_t)&frames[0], V | R | W | X | U);
    const uint32_t fresh = *leaf;
    write_code(&frames[0], USER);
    EXPECT(cause_of(USER, DO_LOAD, va), LOAD);
    EXPECT_STATUS(0x0b, va);
    EXPECT(cause_of(USER, DO_STORE, va), STORE);
    EXPECT(cause_of(USER, DO_FETCH, va), FETCH);
    EXPECT(*leaf, fresh);
    // D without A helps nobody.
    *leaf = fresh | D;
    EXPECT(cause_of(USER, DO_STORE, va), STORE);
    // With A it may be read and run; the entry was invalid so far, so no fence is needed.
    *leaf = fresh | A;
    EXPECT(cause_of(USER, DO_LOAD, va), NONE);
    EXPECT(cause_of(USER, DO_FETCH, va), NONE);
    EXPECT(cause_of(USER, DO_STORE, va), STORE);
    EXPECT_STATUS(0x0f, va);
    EXPECT(cause_of(USER, DO_AMO, va), STORE);
    EXPECT(cause_of(USER, DO_SC, va), STORE);
    EXPECT(cause_of(USER, DO_LR, va), NONE);
    EXPECT(*leaf, fresh | A);
    EXPECT(frames[0].entry[0], 0x00000073);
    *leaf = fresh | A | D;
    fence_va(va);
    EXPECT(cause_of(USER, DO_STORE, va), NONE);
    EXPECT(frames[0].entry[0], 0x5a5a0000);
    EXPECT(cause_of(USER, DO_AMO, va), NONE);
    EXPECT(*leaf, fresh | A | D);
    // Taken away again.
    *leaf = fresh | A;
    fence_va(va);
    EXPECT(cause_of(USER, DO_STORE, va), STORE);
    *leaf = fresh | D;
    fence_va(va);
    EXPECT(cause_of(USER, DO_LOAD, va), LOAD);
    // On a superpage.
    const uint32_t big = 0x30000000;
    *superpage_entry(&root, big) = entry_for(GRANULE_LOWMEM_BASE, V | R | W);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, big), LOAD);
    EXPECT_STATUS(0x0a, big);
    *superpage_entry(&root, big) |= A;
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, big), NONE);
    EXPECT(cause_of(SUPERVISOR, DO_STORE, big + (uint32_t)&frames[2] % SUPERPAGE), STORE);
    EXPECT_STATUS(0x0e, big + (uint32_t)&frames[2] % SUPERPAGE);
}

// SUM and MXR act on the next access, from S-mode itself and not only by MPRV.
static uint32_t toggles_sum(uint32_t va)
{
    uint32_t value;
    __asm__ volatile("csrs sstatus, %2\nlw %0, 0(%1)\ncsrc sstatus, %2\nlw zero, 0(%1)\n"
                     : "=&r"(value)
                     : "r"(va), "r"(SUM)
                     : "memory");
    return value;
}

static void status_acts_at_once(void)
{
    const uint32_t va = BASE + 80 * PAGE;
    map_page(va, (uint32_t)&frames[3], USER_RW);
    frames[3].entry[7] = 0x7777;
    const uint32_t before = trap.count;
    EXPECT(run_in(SUPERVISOR, toggles_sum, va + 28, stack_of_s + sizeof stack_of_s), 0x7777);
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, LOAD);
    EXPECT(trap.value, va + 28);
}

int main(void)
{
    map_kernel(&root);
    sv32_on(&root, 3);
    fence_all();
    every_combination();
    superpage_rights();
    accessed_and_dirty();
    status_acts_at_once();
    return failures;
}
