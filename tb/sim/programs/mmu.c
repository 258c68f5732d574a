// Translation as software sees it, from S- and U-mode, with tables of the granule that the boot
// arguments name: translate, fault, permit, invalidate.
#include "access.h"
#include "tables.h"

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint8_t pages[4][65536] __attribute__((aligned(65536)));

#define BASE 0x10000000u
#define SUM  (1u << 18)

static uint32_t in_s(uint32_t (*function)(uint32_t), uint32_t va)
{
    return run_in(SUPERVISOR, function, va, stack + sizeof stack);
}

// The fault of the last access: RISC-V cause and Arm status.
static void expect_fault(uint32_t cause, uint32_t status, uint32_t va)
{
    EXPECT(trap.cause, cause);
    EXPECT(trap.value, va);
    EXPECT(MMU(ESR_LO) & 0x3f, status);
    EXPECT(MMU(FAR_LO), va);
    EXPECT(MMU(FAR_HI), (int32_t)va < 0 ? 0xffffffff : 0);
    EXPECT(MMU(ESR_LO) >> 26, cause == 12 || cause == 1 ? 0x21 : 0x25);
    EXPECT(MMU(ESR_LO) >> 6 & 1, cause == 15 || cause == 7);
}

static void translates(void)
{
    const uint32_t size = page_size();
    const uint64_t high = GRANULE_HIGHMEM_BASE + 16 * size;
    map(BASE, (uint32_t)pages[0], KERNEL_DATA);
    map(BASE + size, high, KERNEL_DATA);
    map(BASE + 2 * size, high, KERNEL_DATA);
    const uint32_t before = trap.count;
    for (uint32_t offset = 0; offset < size; offset += size / 4 - 4) {
        REG32((uint32_t)pages[0] + offset) = 0x1234 + offset;
        EXPECT(in_s(load, BASE + offset), 0x1234 + offset);
        // Highmem has no address in M-mode: write by one mapping, read by the other.
        in_s(store, BASE + size + offset);
        EXPECT(in_s(load, BASE + 2 * size + offset), BASE + size + offset);
        in_s(store, BASE + 2 * size + offset);
        EXPECT(in_s(load, BASE + size + offset), BASE + 2 * size + offset);
    }
    EXPECT(trap.count, before);
    // The kernel half is lowmem at its own address.
    EXPECT(in_s(load, (uint32_t)pages[0]), REG32((uint32_t)pages[0]));
}

// An entry that was invalid is never remembered: no TLBI between the fault and the retry.
static void faults_then_works(void)
{
    const uint32_t va = BASE + 8 * page_size();
    volatile uint64_t *leaf = descriptor(va, 3);
    EXPECT(in_s(load, va), 0xdeadbeef);
    expect_fault(13, 0x07, va);
    in_s(store, va);
    expect_fault(15, 0x07, va);
    *leaf = (uint32_t)pages[1] | KERNEL_DATA | 3;
    REG32((uint32_t)pages[1]) = 0x5678;
    const uint32_t before = trap.count;
    EXPECT(in_s(load, va), 0x5678);
    EXPECT(trap.count, before);

    // Above: the first table has no entry. Outside of the 31 bits there is nothing in the user
    // half.
    in_s(load, 0x70000000);
    expect_fault(13, 0x04 | granule.start_level, 0x70000000);
    // The kernel half ends with its block.
    in_s(load, 0xfffffff0);
    expect_fault(13, 0x04 | granule.start_level, 0xfffffff0);
}

static void permissions_hold(void)
{
    const uint32_t size = page_size(), ro = BASE + 16 * size, user = ro + size, af = user + size;
    map(ro, (uint32_t)pages[2], KERNEL_DATA | READ_ONLY);
    map(user, (uint32_t)pages[2], USER_DATA);
    map(af, (uint32_t)pages[2], KERNEL_DATA & ~ACCESSED);
    for (int hot = 0; hot < 2; hot++) {
        in_s(load, ro);
        uint32_t before = trap.count;
        in_s(store, ro);
        EXPECT(trap.count, before + 1);
        expect_fault(15, 0x0f, ro);
        CSR_CLEAR(mstatus, SUM);
        in_s(load, user);
        EXPECT(trap.count, before + 2);
        expect_fault(13, 0x0f, user);
        CSR_SET(mstatus, SUM);
        in_s(load, user);
        EXPECT(trap.count, before + 2);
        in_s(load, af);
        expect_fault(13, 0x0b, af);
        // Kernel code is not for EL0.
        run_in(USER, load, 0, 0);
        EXPECT(trap.cause, 12);
        EXPECT(trap.value, (uint32_t)load);
        EXPECT(MMU(ESR_LO), 0x20u << 26 | 1 << 25 | 0x0c | granule.start_level);
    }
    CSR_CLEAR(mstatus, SUM);
}

static uint32_t u_load_code[4] = {0x00052503, 0x00000073, 0x00000073, 0x00000073}; // lw a0; ecall

static void user_mode_has_its_own_view(void)
{
    const uint32_t size = page_size(), code = BASE + 32 * size, data = code + size;
    const uint32_t kernel = data + size;
    for (int i = 0; i < 4; i++)
        ((volatile uint32_t *)pages[3])[i] = u_load_code[i];
    __asm__ volatile("fence.i" ::: "memory");
    map(code, (uint32_t)pages[3], USER_CODE);
    map(data, (uint32_t)pages[2], USER_DATA);
    map(kernel, (uint32_t)pages[2], KERNEL_DATA);
    REG32((uint32_t)pages[2] + 8) = 0xcafe;
    const uint32_t before = trap.count;
    EXPECT(run_in(USER, (uint32_t(*)(uint32_t))code, data + 8, 0), 0xcafe);
    EXPECT(trap.count, before);
    run_in(USER, (uint32_t(*)(uint32_t))code, kernel + 8, 0);
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, 13);
    EXPECT(MMU(ESR_LO), 0x24u << 26 | 1 << 25 | 0x0f);
    run_in(USER, (uint32_t(*)(uint32_t))code, (uint32_t)pages[2], 0);
    EXPECT(trap.count, before + 2);
    EXPECT(MMU(ESR_LO) & 0x3f, 0x0c | granule.start_level);
    // UXN and PXN: data is not code for EL0, user code is not code for EL1.
    run_in(USER, (uint32_t(*)(uint32_t))data, 0, 0);
    EXPECT(trap.count, before + 3);
    EXPECT(trap.cause, 12);
    EXPECT(MMU(ESR_LO), 0x20u << 26 | 1 << 25 | 0x0f);
    run_in(SUPERVISOR, (uint32_t(*)(uint32_t))code, 0, 0);
    EXPECT(trap.count, before + 4);
    expect_fault(12, 0x0f, code);
}

// After a TLBI nothing of what it covers is used again; before it, the TLB held the old page.
static void invalidates(void)
{
    const uint32_t size = page_size();
    const uint64_t tg = granule.shift == 12 ? 1 : granule.shift == 14 ? 2 : 3;
    const uint64_t asid = 1ull << 48;
    for (enum tlbi kind = ALL; kind <= RANGE_ALL_ASIDS; kind++) {
        const uint32_t va = BASE + (64 + 4 * kind) * size;
        volatile uint64_t *leaf = map(va, (uint32_t)pages[0], KERNEL_DATA | NON_GLOBAL);
        REG32((uint32_t)pages[0]) = 0xa;
        REG32((uint32_t)pages[1]) = 0xb;
        EXPECT(in_s(load, va), 0xa);
        *leaf = (uint32_t)pages[1] | KERNEL_DATA | NON_GLOBAL | 3;
        EXPECT(in_s(load, va), 0xa);
        switch (kind) {
        case VA:
        case VA_ALL_ASIDS:
            tlbi(kind, va >> 12 | (kind == VA ? asid : 0));
            break;
        case RANGE:
        case RANGE_ALL_ASIDS: // 4 pages from the one before
            tlbi(kind,
                 ((va >> granule.shift) - 1) | 1ull << 39 | tg << 46 | (kind == RANGE ? asid : 0));
            break;
        default:
            tlbi(kind, kind == ASID ? asid : 0);
        }
        EXPECT(in_s(load, va), 0xb);
        EXPECT(MMU(TLBI_CYCLES) > 0 && MMU(TLBI_CYCLES) < 64, 1);
        put_value("tlbi_cycles", MMU(TLBI_CYCLES));
    }
    // SFENCE.VMA invalidates everything.
    const uint32_t va = BASE + 96 * size;
    volatile uint64_t *leaf = map(va, (uint32_t)pages[0], KERNEL_DATA);
    EXPECT(in_s(load, va), 0xa);
    *leaf = (uint32_t)pages[1] | KERNEL_DATA | 3;
    __asm__ volatile("sfence.vma" ::: "memory");
    EXPECT(in_s(load, va), 0xb);
}

// Scenario g30: the walker sees a descriptor that is dirty in the data cache, and one that was
// written in the very instruction before; no cache maintenance anywhere.
static uint32_t remap_and_load(uint32_t va)
{
    volatile uint32_t *leaf = (volatile uint32_t *)descriptor(va, 3);
    const uint32_t low = (uint32_t)pages[0] | (uint32_t)(KERNEL_DATA | 3);
    leaf[1] = KERNEL_DATA >> 32;
    uint32_t value;
    __asm__ volatile("sw %1, 0(%2)\n lw %0, 0(%3)\n"
                     : "=&r"(value)
                     : "r"(low), "r"(leaf), "r"(va)
                     : "memory");
    return value;
}

static void walks_see_fresh_descriptors(void)
{
    const uint32_t size = page_size();
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t va = BASE + (128 + i) * size;
        REG32((uint32_t)pages[0]) = i;
        descriptor(va, 3);
        const uint32_t before = trap.count;
        EXPECT(in_s(remap_and_load, va), i);
        EXPECT(trap.count, before);
    }
}

// Scenario e25 and the contract on table pointers: outside the map, and inside it where no memory
// is.
static void table_pointers_to_nowhere_fault(void)
{
    const uint64_t nowhere[] = {0x400000000, 0x20000000, 0xb0000000, 0x1f0000000, 0};
    const uint32_t va = 0x20000000;
    volatile uint64_t *entry = descriptor(va, granule.start_level);
    const unsigned level = granule.start_level + 1;
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        *entry = nowhere[i] | 3;
        __asm__ volatile("sfence.vma" ::: "memory");
        const uint32_t before = trap.count;
        in_s(load, va);
        EXPECT(trap.count, before + 1);
        expect_fault(5, 0x14 | level, va);
        in_s(store, va);
        expect_fault(7, 0x14 | level, va);
        run_in(SUPERVISOR, (uint32_t(*)(uint32_t))va, 0, stack + sizeof stack);
        expect_fault(1, 0x14 | level, va);
    }
    *entry = 0;
    __asm__ volatile("sfence.vma" ::: "memory"); // a table entry may be remembered
    // A page outside of memory: the walk is fine, the access is not.
    map(va, 0xb0000000, KERNEL_DATA);
    in_s(load, va);
    expect_fault(5, 0x10, va);
    in_s(store, va);
    expect_fault(7, 0x10, va);
}

int main(void)
{
    choose_granule();
    mmu_on();
    translates();
    faults_then_works();
    permissions_hold();
    user_mode_has_its_own_view();
    invalidates();
    walks_see_fresh_descriptors();
    table_pointers_to_nowhere_fault();
    return failures;
}
