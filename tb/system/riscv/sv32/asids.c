// Address spaces: satp chooses, entries of others stay, and sfence.vma takes what it names.
#include "sv32.h"

#define BASE   0x10000000u
#define SPACES 3

static struct table roots[SPACES] __attribute__((aligned(4096)));
static const unsigned asids[SPACES] = {1, 2, 0x1ff};

static volatile uint32_t *leaf_of(unsigned space, uint32_t va)
{
    return page_entry(&roots[space], va);
}

static void use(unsigned space)
{
    sv32_on(&roots[space], asids[space]);
}

// Each space its own frame at the same addresses; frame i holds i.
static void fill(const uint32_t *pages, unsigned count)
{
    sfence();
    for (unsigned s = 0; s < SPACES; s++) {
        use(s);
        for (unsigned p = 0; p < count; p++) {
            *leaf_of(s, pages[p]) = entry_for((uint32_t)&frames[s], KERNEL_RW);
            EXPECT_LOAD(pages[p], s);
        }
    }
}

static void spaces_are_apart(void)
{
    static const uint32_t page = BASE;
    fill(&page, 1);
    // Switching costs no walk: every space still has its entry.
    const uint32_t before = COUNTER(WALKS);
    for (unsigned i = 0; i < 3 * SPACES; i++) {
        use(i % SPACES);
        EXPECT_LOAD(BASE, i % SPACES);
    }
    EXPECT(COUNTER(WALKS), before);
    // The same tables under an ASID that was never used.
    sv32_on(&roots[1], 7);
    EXPECT_LOAD(BASE, 1);
}

// After the tables changed everywhere: what the fence names is new, and the rest may still be old.
// That it is old indeed shows that the fence takes no more than it must.
static void fences_take_what_they_name(void)
{
    static const uint32_t pages[2] = {BASE + 0x123 * PAGE, BASE + 0x124 * PAGE};
    for (enum form form = EVERYTHING; form <= BY_BOTH; form++)
        for (unsigned named = 0; named < SPACES; named++) {
            fill(pages, 2);
            for (unsigned s = 0; s < SPACES; s++)
                for (unsigned p = 0; p < 2; p++)
                    *leaf_of(s, pages[p]) = entry_for((uint32_t)&frames[3], KERNEL_RW);
            fence(form, pages[0] + 0x7fc, asids[named]); // any address of the page
            for (unsigned s = 0; s < SPACES; s++)
                for (unsigned p = 0; p < 2; p++) {
                    const int by_asid = form == BY_ASID || form == BY_BOTH;
                    const int by_va = form == BY_VA || form == BY_BOTH;
                    const int taken = !(by_asid && s != named) && !(by_va && p != 0);
                    use(s);
                    EXPECT_LOAD(pages[p], taken ? 3 : s);
                }
        }
}

// A global entry serves every space; a fence by ASID leaves it, one by address does not have to.
static void global_pages(void)
{
    const uint32_t va = BASE + 0x200 * PAGE;
    for (unsigned s = 0; s < SPACES; s++)
        *leaf_of(s, va) = entry_for((uint32_t)&frames[0], KERNEL_RW | G);
    sfence();
    use(0);
    EXPECT_LOAD(va, 0);
    const uint32_t before = COUNTER(WALKS);
    use(1);
    EXPECT_LOAD(va, 0);
    EXPECT(COUNTER(WALKS), before);
    fence_asid(asids[1]);
    EXPECT_LOAD(va, 0);
    EXPECT(COUNTER(WALKS), before);
    for (unsigned s = 0; s < SPACES; s++)
        *leaf_of(s, va) = entry_for((uint32_t)&frames[2], KERNEL_RW | G);
    fence_va(va);
    for (unsigned s = 0; s < SPACES; s++) {
        use(s);
        EXPECT_LOAD(va, 2);
    }
}

// x0 is what makes a form, not a zero in a register.
static void zero_is_an_operand(void)
{
    const unsigned asid_0 = 0;
    for (unsigned s = 0; s < SPACES; s++)
        *leaf_of(s, 0) = entry_for((uint32_t)&frames[s], KERNEL_RW);
    sv32_on(&roots[2], asid_0);
    EXPECT_LOAD(0, 2);
    use(0);
    EXPECT_LOAD(0, 0);
    *leaf_of(0, 0) = *leaf_of(2, 0) = entry_for((uint32_t)&frames[3], KERNEL_RW);
    fence_va_asid(0, asid_0);
    EXPECT_LOAD(0, 0);
    sv32_on(&roots[2], asid_0);
    EXPECT_LOAD(0, 3);
    use(0);
    fence_asid(asid_0);
    EXPECT_LOAD(0, 0);
    fence_va(0);
    EXPECT_LOAD(0, 3);
}

// An address anywhere in a superpage names it.
static void superpages_are_fenced(void)
{
    const uint32_t va = 0x50000000, frame = (uint32_t)&frames[1];
    *superpage_entry(&roots[0], va) = entry_for(GRANULE_LOWMEM_BASE, KERNEL_RW);
    sfence();
    use(0);
    EXPECT_LOAD(va + frame % SUPERPAGE, 1);
    *superpage_entry(&roots[0], va) = 0;
    fence_va(va + SUPERPAGE - 4);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va + frame % SUPERPAGE), LOAD);
    // From a superpage to pages.
    *page_entry(&roots[0], va + PAGE) = entry_for(frame, KERNEL_RW);
    sfence();
    EXPECT_LOAD(va + PAGE, 1);
    EXPECT(cause_of(SUPERVISOR, DO_LOAD, va + 2 * PAGE), LOAD);
}

// A write of satp is the last instruction of the old space: what stands behind it in the same page
// comes from the new one, cold and hot.
static void satp_acts_on_the_next_instruction(void)
{
    const uint32_t va = BASE + 0x300 * PAGE;
    for (unsigned s = 0; s < 2; s++) {
        write_code(&frames[s]);
        frames[s].entry[0] = 0x18051073;                 // csrw satp, a0
        frames[s].entry[1] = 0x00000513 | (s + 1) << 20; // li a0, 1 or 2
        *leaf_of(s, va) = entry_for((uint32_t)&frames[s], V | R | X | A);
    }
    fence_i();
    sfence();
    for (unsigned i = 0; i < 4; i++) {
        const unsigned to = i & 1;
        const uint32_t satp = SATP_SV32 | asids[to] << 22 | (uint32_t)&roots[to] >> 12;
        use(!to);
        EXPECT(in_s(FUNCTION(va), satp), 1 + to);
    }
    // From the bare page to itself: VA = PA there, so that the next instruction is the same one.
    CSR_WRITE(satp, 0);
    const uint32_t satp = SATP_SV32 | asids[1] << 22 | (uint32_t)&roots[1] >> 12;
    EXPECT(in_s(FUNCTION(frames), satp), 1);
    EXPECT(CSR_READ(satp), satp);
}

int main(void)
{
    for (unsigned s = 0; s < SPACES; s++)
        map_kernel(&roots[s]);
    for (unsigned i = 0; i < 4; i++)
        frames[i].entry[0] = frames[i].entry[0x7fc / 4] = i;
    use(0);
    sfence();
    spaces_are_apart();
    fences_take_what_they_name();
    global_pages();
    zero_is_an_operand();
    superpages_are_fenced();
    satp_acts_on_the_next_instruction();
    return failures;
}
