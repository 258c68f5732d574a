// Physical memory protection as software sees it: M-mode keeps a region to itself, and nothing that
// S- or U-mode does reaches it, with translation or without.
#include "machine.h"
#include "tables.h"

static uint8_t pages[4][65536] __attribute__((aligned(65536)));

#define BASE 0x10000000u
#define MPRV (1u << 17)
#define MPP  (3u << 11)

enum { R = 1, W = 2, X = 4, TOR = 1 << 3, NA4 = 2 << 3, NAPOT = 3 << 3, LOCK = 0x80 };
enum { FETCH_ACCESS = 1, LOAD_ACCESS = 5, STORE_ACCESS = 7 };

static uint32_t add(uint32_t va)
{
    uint32_t value = 0xdeadbeef;
    __asm__ volatile("amoadd.w %0, %1, (%1)" : "+r"(value) : "r"(va) : "memory");
    return value;
}

static uint32_t reserve(uint32_t va)
{
    uint32_t value = 0xdeadbeef;
    __asm__ volatile("lr.w %0, (%1)" : "+r"(value) : "r"(va) : "memory");
    return value;
}

static uint32_t clean(uint32_t va) // cbo.clean
{
    __asm__ volatile(".insn i 0x0f, 2, x0, %0, 1" ::"r"(va) : "memory");
    return 0;
}

static uint32_t jump(uint32_t va)
{
    return FUNCTION(va)(va);
}

static uint32_t in(enum mode mode, uint32_t (*function)(uint32_t), uint32_t va)
{
    trap.cause = ~0u;
    trap.value = 0;
    return in_mode(mode, function, va);
}

static void refused(enum mode mode, uint32_t (*function)(uint32_t), uint32_t va, uint32_t cause)
{
    in(mode, function, va);
    EXPECT(trap.cause, cause);
    EXPECT(trap.value, va);
}

static void passes(enum mode mode, uint32_t (*function)(uint32_t), uint32_t va)
{
    in(mode, function, va);
    EXPECT(trap.cause, ~0u);
}

static uint32_t napot(const void *start, uint32_t size)
{
    return ((uint32_t)start | (size / 2 - 1)) >> 2;
}

// Entry 0 is the region, entry 1 opens all of memory.
static void protect(const void *start, uint32_t size, uint32_t rights)
{
    CSR_WRITE(pmpaddr1, ~0u);
    CSR_WRITE(pmpaddr0, napot(start, size));
    CSR_WRITE(pmpcfg0, NAPOT | rights | (NAPOT | R | W | X) << 8);
    sfence();
    tlbi(ALL, 0);
}

// `there` is how the region is reached; `beside` is open memory that is reached in the same way.
static void region(enum mode mode, uint32_t there, uint32_t beside, const uint8_t *at)
{
    static const struct {
        uint32_t (*function)(uint32_t);
        uint32_t needs, cause;
    } access[] = {
        {load, R, LOAD_ACCESS},    {store, R | W, STORE_ACCESS}, {add, R | W, STORE_ACCESS},
        {reserve, R, LOAD_ACCESS}, {clean, R, STORE_ACCESS},     {jump, X, FETCH_ACCESS},
    };
    static const uint32_t rights[] = {0, R, R | W, X, R | X, R | W | X};
    for (unsigned r = 0; r < sizeof rights / sizeof *rights; r++) {
        protect(at, 64, rights[r]);
        for (unsigned i = 0; i < sizeof access / sizeof *access; i++) {
            REG32(at) = REG32(at + 64) = 0x00008067; // ret
            fence_i();
            for (int twice = 0; twice < 2; twice++) {
                if ((rights[r] & access[i].needs) == access[i].needs)
                    passes(mode, access[i].function, there);
                else
                    refused(mode, access[i].function, there, access[i].cause);
                if (access[i].needs != X) // code is left as it is
                    passes(mode, access[i].function, beside);
            }
            if (!(rights[r] & W))
                EXPECT(REG32(at), 0x00008067);
        }
    }
}

static void bare(void)
{
    uint8_t *at = pages[0] + 0x1000;
    region(SUPERVISOR, (uint32_t)at, (uint32_t)at + 64, at);
    region(USER, (uint32_t)at, (uint32_t)at + 64, at);
    // A word for itself, and a region from the end of the entry before.
    protect(at, 64, R);
    CSR_WRITE(pmpaddr0, (uint32_t)at >> 2);
    CSR_WRITE(pmpcfg0, NA4 | (NAPOT | R | W | X) << 8);
    passes(SUPERVISOR, load, (uint32_t)at - 4);
    refused(SUPERVISOR, load, (uint32_t)at, LOAD_ACCESS);
    passes(SUPERVISOR, load, (uint32_t)at + 4);
    CSR_WRITE(pmpaddr2, ~0u);
    CSR_WRITE(pmpaddr1, ((uint32_t)at + 8) >> 2);
    CSR_WRITE(pmpcfg0, (TOR | R) << 8 | (NAPOT | R | W | X) << 16);
    passes(SUPERVISOR, store, (uint32_t)at - 4);
    refused(SUPERVISOR, store, (uint32_t)at, STORE_ACCESS);
    refused(SUPERVISOR, store, (uint32_t)at + 4, STORE_ACCESS);
    passes(SUPERVISOR, load, (uint32_t)at + 4);
    passes(SUPERVISOR, store, (uint32_t)at + 8);
    // Nothing matches.
    CSR_WRITE(pmpcfg0, 0);
    refused(SUPERVISOR, load, (uint32_t)load, FETCH_ACCESS);
    protect(at, 64, 0);
}

static void mprv(void)
{
    uint8_t *at = pages[0] + 0x2000;
    protect(at, 64, 0);
    REG32(at) = 0x1234; // M-mode is not bound
    const uint32_t before = trap.count;
    CSR_CLEAR(mstatus, MPP);
    CSR_SET(mstatus, MPRV | 1u << 11);
    load((uint32_t)at);
    EXPECT(trap.cause, LOAD_ACCESS);
    CSR_SET(mstatus, MPP);
    EXPECT(load((uint32_t)at), 0x1234);
    CSR_CLEAR(mstatus, MPRV);
    EXPECT(trap.count, before + 1);
}

static void translated(void)
{
    const uint32_t size = page_size();
    uint8_t *at = pages[1] + size / 2;
    map(BASE, (uint32_t)pages[1], KERNEL_CODE & ~PXN);
    map(BASE + size, (uint32_t)pages[2], KERNEL_DATA);
    region(SUPERVISOR, BASE + size / 2, BASE + size / 2 + 64, at);
    // Through the block of lowmem, of which the region is a small part.
    region(SUPERVISOR, (uint32_t)at, (uint32_t)at + 64, at);

    // Tables: a descriptor in the region cannot be read, and the walk says so.
    volatile uint64_t *leaf = map(BASE + size, (uint32_t)pages[2], KERNEL_DATA);
    protect((void *)leaf, 8, 0);
    refused(SUPERVISOR, load, BASE + size, LOAD_ACCESS);
    EXPECT(MMU(ESR_LO) & 0x3f, 0x17);
    refused(SUPERVISOR, store, BASE + size, STORE_ACCESS);
    refused(SUPERVISOR, jump, BASE + size, FETCH_ACCESS);
    EXPECT(MMU(ESR_LO) & 0x3f, 0x17);
    protect((void *)leaf, 8, R);
    passes(SUPERVISOR, load, BASE + size);

    // Highmem, which M-mode itself cannot name.
    const uint64_t high = GRANULE_HIGHMEM_BASE + 16 * size;
    map(BASE + 2 * size, high, KERNEL_DATA);
    CSR_WRITE(pmpaddr0, (uint32_t)((high | (size / 2 - 1)) >> 2));
    CSR_WRITE(pmpcfg0, NAPOT | R | (NAPOT | R | W | X) << 8);
    tlbi(ALL, 0);
    passes(SUPERVISOR, load, BASE + 2 * size);
    refused(SUPERVISOR, store, BASE + 2 * size + 8, STORE_ACCESS);
}

// Last: what is locked stays so until reset.
static void locked(void)
{
    uint8_t *at = pages[3] + 0x4000;
    REG32(at) = 0x00008067;
    fence_i();
    protect(at, 64, LOCK | R);
    EXPECT(load((uint32_t)at), 0x00008067);
    const uint32_t before = trap.count;
    store((uint32_t)at);
    EXPECT(trap.cause, STORE_ACCESS);
    EXPECT(trap.value, (uint32_t)at);
    __asm__ volatile("jalr ra, 0(%0)" ::"r"(at) : "ra", "memory");
    EXPECT(trap.cause, FETCH_ACCESS);
    EXPECT(trap.count, before + 2);
    EXPECT(load((uint32_t)at), 0x00008067);
    store((uint32_t)at + 64);
    EXPECT(trap.count, before + 2);
    CSR_WRITE(pmpcfg0, 0);
    CSR_WRITE(pmpaddr0, 0);
    EXPECT(CSR_READ(pmpcfg0), NAPOT | LOCK | R);
    EXPECT(CSR_READ(pmpaddr0), napot(at, 64));
}

int main(void)
{
    choose_granule();
    CSR_WRITE(0x10a, 1 << 6); // senvcfg.CBCFE: U-mode may clean
    bare();
    mprv();
    mmu_on();
    translated();
    locked();
    return failures;
}
