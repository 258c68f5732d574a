// Each event by a known cause, counted alone: the counters stand still but for the cause. Prints
// CAUSE.EVENT and its count, in hex; test_events.py says what must come out. The granule is
// 4K.
#include "granule_cache.h"
#include "tables.h"

int failures;
#define WAY 16384 // a multiple of the bytes of a way: such lines share a set
static uint8_t lines[16 * WAY] __attribute__((aligned(WAY)));
static uint64_t level0[512] __attribute__((aligned(4096)));
static uint64_t level1[512] __attribute__((aligned(4096)));
static uint8_t stack[512] __attribute__((aligned(16)));
static const uint32_t PAGES = 0x10000000, CODE = 0x20000000;
static const uint32_t OTHER = 0x20000000 + 5 * 4096; // another colour than that of `lines`
static const uint32_t BLOCK = 1u << 21;              // what a table of the last level maps

#define ALL_COUNTERS 0xfffffff8u

static void zero_counters(void)
{
#define ZERO(name, number, text) __asm__ volatile("csrw %0, zero" ::"i"(0xb03 + number));
    GRANULE_EVENTS(ZERO)
}

static void print_counters(const char *cause)
{
#define PRINT(name, number, text)                                            \
    {                                                                        \
        uint32_t count;                                                      \
        __asm__ volatile("csrr %0, %1" : "=r"(count) : "i"(0xb03 + number)); \
        puts_(cause);                                                        \
        put_value("." #name, count);                                         \
    }
    GRANULE_EVENTS(PRINT)
}

// Twice, so that the second time finds the code in its cache.
static void measure(const char *name, void (*prepare)(void), void (*cause)(void))
{
    for (int i = 0; i < 2; i++) {
        CSR_WRITE(mcountinhibit, ALL_COUNTERS);
        zero_counters();
        prepare();
        CSR_WRITE(mcountinhibit, 0);
        cause();
        CSR_WRITE(mcountinhibit, ALL_COUNTERS);
    }
    print_counters(name);
}

static void clean_and_drop_lines(void)
{
    REG32(GRANULE_CACHE_BASE + GRANULE_CACHE_MAINTAIN) = 3;
}

static inline void load(uint32_t va)
{
    __asm__ volatile("lw zero, 0(%0)" ::"r"(va) : "memory");
}

// Loads below this are S-mode's, through the MMU; the code stays M-mode's.
static inline void as_supervisor(void)
{
    CSR_SET(mstatus, 1 << 17);
}

static inline void as_machine(void)
{
    CSR_CLEAR(mstatus, 1 << 17);
}

static void nothing_in_the_tlb(void)
{
    CSR_CLEAR(mstatus, 3 << 11);
    CSR_SET(mstatus, SUPERVISOR << 11);
    tlbi(ALL, 0);
}

static void nothing(void)
{
}

static void hits(void)
{
    __asm__ volatile(".rept 37\n	lw zero, 0(%0)\n	.endr" ::"r"(lines));
}

static void instructions(void)
{
    __asm__ volatile("	li t0, 250\n1:	nop\n	nop\n	addi t0, t0, -1\n	bnez t0, 1b" ::
                         : "t0");
}

static void fence_i(void)
{
    __asm__ volatile("fence.i");
}

static void new_code(void)
{
    __asm__ volatile("	.balign 64\n	.rept 16 * 24\n	nop\n	.endr"); // 24 lines
}

static void new_lines(void)
{
    for (uint32_t i = 0; i < 20; i++)
        load((uint32_t)lines + 64 * i);
}

static void a_full_set(void)
{
    clean_and_drop_lines();
    for (uint32_t i = 0; i < 8; i++)
        load((uint32_t)lines + WAY * i);
}

static void a_dirty_set(void)
{
    clean_and_drop_lines();
    for (uint32_t i = 0; i < 8; i++)
        REG32((uint32_t)lines + WAY * i) = i;
}

static void six_more_of_the_set(void)
{
    for (uint32_t i = 8; i < 14; i++)
        load((uint32_t)lines + WAY * i);
}

static void two_more_of_the_set(void)
{
    load((uint32_t)lines + WAY * 8);
    load((uint32_t)lines + WAY * 9);
}

static void lines_of_one_colour(void)
{
    nothing_in_the_tlb();
    clean_and_drop_lines();
    for (uint32_t i = 0; i < 3; i++)
        load((uint32_t)lines + 64 * i);
}

static void the_other_colour(void)
{
    as_supervisor();
    for (uint32_t i = 0; i < 3; i++)
        load(OTHER + 64 * i);
    as_machine();
}

// Another set for each, none of which holds an entry of the tables.
static void pages_of_a_table(void)
{
    as_supervisor();
    for (uint32_t i = 0; i < 6; i++)
        load(PAGES + 2048 + i * (4096 + 64));
    as_machine();
}

static void pages_that_are_known(void)
{
    nothing_in_the_tlb();
    pages_of_a_table();
}

static void three_times(void)
{
    pages_of_a_table();
    pages_of_a_table();
    pages_of_a_table();
}

static void tables_of_a_table(void)
{
    as_supervisor();
    for (uint32_t i = 0; i < 4; i++)
        load(PAGES + i * BLOCK);
    as_machine();
}

static void a_block(void)
{
    as_supervisor();
    load((uint32_t)lines);
    as_machine();
}

static void four_levels(void)
{
    nothing_in_the_tlb();
    const uint64_t tcr = MMU(TCR_LO) | (uint64_t)MMU(TCR_HI) << 32;
    write_pair(GRANULE_MMU_TCR_LO, (tcr & ~63ull) | 16);
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)level0 | 1ull << 48);
}

static void a_page(void)
{
    as_supervisor();
    load(PAGES);
    as_machine();
}

static uint32_t at_once(uint32_t n)
{
    return n;
}

static uint32_t loop(uint32_t n)
{
    __asm__ volatile("1:	addi %0, %0, -1\n	bnez %0, 1b" : "+r"(n));
    return n;
}

static void into_supervisor(void)
{
    run_in(SUPERVISOR, at_once, 0, stack + sizeof stack);
}

static void time_in_supervisor(void)
{
    run_in(SUPERVISOR, loop, 1000, stack + sizeof stack);
}

static void time_in_user(void)
{
    run_in(USER, (uint32_t(*)(uint32_t))CODE, 2000, 0);
}

static void invalidations(void)
{
    for (int i = 0; i < 7; i++) {
        if (i < 2)
            tlbi_va(PAGES, 1);
        if (i < 3)
            tlbi(ASID, 1ull << 48);
        if (i < 5)
            tlbi(RANGE, PAGES >> granule.shift | 1ull << 46);
        tlbi(ALL, 0);
    }
}

// Code that ends in a page of its own, behind a page that ends with TLBI ALL and 0 to 15 nops: the
// fetch walks for it while the invalidation goes its way.
static const uint32_t CODE_THAT_INVALIDATES = 0x30000000, DEVICE = 0x38000000;
enum { SW_ZERO_A0 = 0x00052023, NOP = 0x00000013, RET = 0x00008067 };

static void walks_and_invalidations(void)
{
    const uint32_t end = CODE_THAT_INVALIDATES + 4096;
    for (uint32_t nops = 0; nops < 16; nops++) {
        volatile uint32_t *code = (uint32_t *)(lines + 13 * WAY + 4096 - 4 - 4 * nops);
        *code = SW_ZERO_A0;
        for (uint32_t i = 1; i <= nops; i++)
            code[i] = NOP;
        __asm__ volatile("fence.i" ::: "memory");
        clean_and_drop_lines(); // so that the walk takes long
        run_in(SUPERVISOR, (uint32_t(*)(uint32_t))(end - 4 - 4 * nops),
               DEVICE + GRANULE_MMU_TLBI_COMMAND, stack + sizeof stack);
    }
}

int main(void)
{
    granule = (struct granule){12, 9, 1, 2u << 30};
    mmu_on();
    for (uint32_t i = 0; i < 6; i++)
        map(PAGES + i * 4096, (uint32_t)lines + i * 4096, KERNEL_DATA);
    for (uint32_t i = 1; i < 4; i++)
        map(PAGES + i * BLOCK, (uint32_t)lines, KERNEL_DATA);
    map(OTHER, (uint32_t)lines, KERNEL_DATA);
    level0[0] = (uint32_t)level1 | 3;
    level1[0] = user_table[0];
    static const uint32_t user_loop[] = {0xfff50513, 0xfe051ee3, 0x00000073}; // addi, bnez, ecall
    for (int i = 0; i < 3; i++)
        REG32((uint32_t)lines + 15 * WAY + 4 * i) = user_loop[i];
    map(CODE, (uint32_t)lines + 15 * WAY, USER_CODE);
    map(CODE_THAT_INVALIDATES, (uint32_t)lines + 13 * WAY, KERNEL_CODE);
    map(CODE_THAT_INVALIDATES + 4096, (uint32_t)lines + 14 * WAY, KERNEL_CODE);
    map(DEVICE, GRANULE_MMU_BASE, KERNEL_DATA | 1 << 2); // MAIR's Device memory
    REG32((uint32_t)lines + 14 * WAY) = RET;
    __asm__ volatile("fence.i" ::: "memory");

    measure("nothing", nothing, nothing);
    measure("hits", hits, hits);
    measure("instructions", nothing, instructions);
    measure("new_code", fence_i, new_code);
    measure("new_lines", clean_and_drop_lines, new_lines);
    measure("clean_lines_go", a_full_set, six_more_of_the_set);
    measure("dirty_lines_go", a_dirty_set, two_more_of_the_set);
    measure("another_colour", lines_of_one_colour, the_other_colour);
    measure("pages_of_a_table", nothing_in_the_tlb, pages_of_a_table);
    measure("known_pages", pages_that_are_known, three_times);
    measure("tables_of_a_table", nothing_in_the_tlb, tables_of_a_table);
    measure("block", nothing_in_the_tlb, a_block);
    measure("fetch", nothing_in_the_tlb, into_supervisor);
    measure("supervisor", nothing, time_in_supervisor);
    measure("user", nothing, time_in_user);
    measure("invalidations", nothing, invalidations);
    measure("walks_and_invalidations", nothing_in_the_tlb, walks_and_invalidations);
    measure("four_levels", four_levels, a_page);
    return failures;
}
