// Each event by a known cause, counted alone: the counters stand still but for the cause. Prints
// CAUSE.EVENT and its count, in hex; test_events.py says what must come out.
#include "causes.h"

static uint64_t level0[512] __attribute__((aligned(4096)));
static uint64_t level1[512] __attribute__((aligned(4096)));
static const uint32_t CODE = 0x20000000;
static const uint32_t OTHER = 0x20000000 + 5 * 4096; // another colour than that of `lines`
static const uint32_t BLOCK = 1u << 21;              // what a table of the last level maps

static void hits(void)
{
    __asm__ volatile(".rept 37\n	lw zero, 0(%0)\n	.endr" ::"r"(lines));
}

static void instructions(void)
{
    __asm__ volatile("	li t0, 250\n1:	nop\n	nop\n	addi t0, t0, -1\n	bnez t0, 1b" ::
                         : "t0");
}

static void a_full_set(void)
{
    clean_and_drop_lines();
    loads(LINES, 8, WAY);
}

static void a_dirty_set(void)
{
    clean_and_drop_lines();
    for (uint32_t i = 0; i < 8; i++)
        REG32(LINES + WAY * i) = i;
}

static void six_more_of_the_set(void)
{
    loads(LINES + 8 * WAY, 6, WAY);
}

static void two_more_of_the_set(void)
{
    loads(LINES + 8 * WAY, 2, WAY);
}

static void lines_of_one_colour(void)
{
    nothing_in_the_tlb();
    clean_and_drop_lines();
    loads(LINES, 3, 64);
}

static void the_other_colour(void)
{
    loads_of_supervisor(OTHER, 3, 64);
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
    loads_of_supervisor(PAGES, 4, BLOCK);
}

static void a_block(void)
{
    loads_of_supervisor(LINES, 1, 0);
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
    loads_of_supervisor(PAGES, 1, 0);
}

static uint32_t loop(uint32_t n)
{
    __asm__ volatile("1:	addi %0, %0, -1\n	bnez %0, 1b" : "+r"(n));
    return n;
}

static void time_in_supervisor(void)
{
    in_s(loop, 1000);
}

static void time_in_user(void)
{
    in_mode(USER, FUNCTION(CODE), 2000);
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
        fence_i();
        clean_and_drop_lines(); // so that the walk takes long
        in_s(FUNCTION(end - 4 - 4 * nops), DEVICE + GRANULE_MMU_TLBI_COMMAND);
    }
}

int main(void)
{
    static const struct cause causes[] = {
        {"nothing", nothing, nothing},
        {"hits", hits, hits},
        {"instructions", nothing, instructions},
        {"new_code", fence_i, new_code},
        {"new_lines", clean_and_drop_lines, new_lines},
        {"clean_lines_go", a_full_set, six_more_of_the_set},
        {"dirty_lines_go", a_dirty_set, two_more_of_the_set},
        {"another_colour", lines_of_one_colour, the_other_colour},
        {"pages_of_a_table", nothing_in_the_tlb, pages_of_a_table},
        {"known_pages", pages_that_are_known, three_times},
        {"tables_of_a_table", nothing_in_the_tlb, tables_of_a_table},
        {"block", nothing_in_the_tlb, a_block},
        {"fetch", nothing_in_the_tlb, into_supervisor},
        {"supervisor", nothing, time_in_supervisor},
        {"user", nothing, time_in_user},
        {"invalidations", nothing, invalidations},
        {"walks_and_invalidations", nothing_in_the_tlb, walks_and_invalidations},
        {"four_levels", four_levels, a_page},
        {0},
    };
    static const uint32_t user_loop[] = {0xfff50513, 0xfe051ee3, 0x00000073}; // addi, bnez, ecall
    translate();
    for (uint32_t i = 1; i < 4; i++)
        map(PAGES + i * BLOCK, LINES, KERNEL_DATA);
    map(OTHER, LINES, KERNEL_DATA);
    level0[0] = (uint32_t)level1 | 3;
    level1[0] = user_table[0];
    for (int i = 0; i < 3; i++)
        REG32(LINES + 15 * WAY + 4 * i) = user_loop[i];
    map(CODE, LINES + 15 * WAY, USER_CODE);
    map(CODE_THAT_INVALIDATES, LINES + 13 * WAY, KERNEL_CODE);
    map(CODE_THAT_INVALIDATES + 4096, LINES + 14 * WAY, KERNEL_CODE);
    map(DEVICE, GRANULE_MMU_BASE, KERNEL_DATA | 1 << 2); // MAIR's Device memory
    REG32(LINES + 14 * WAY) = RET;
    fence_i();
    measure(causes, event_counters_begin, event_counters_print);
    return failures;
}
