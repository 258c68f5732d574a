// The same loop of loads and stores in M-mode, which is untranslated, and in S-mode: Bare, through
// a block and a page of VMSAv8-64, and through a superpage and a page of Sv32. A hit of the micro
// TLB must not cost a cycle.
#include "machine.h"
#include "tables.h"

#define ROUNDS 100
#define PAGE   0x10000000u

static uint32_t data[256] __attribute__((aligned(1024)));
static uint32_t sv32_root[1024] __attribute__((aligned(4096)));
static uint32_t sv32_leaves[1024] __attribute__((aligned(4096)));

// 16 loads and 16 stores a round over 1 KiB, in pairs and alternating; cycles.
static __attribute__((aligned(64), noinline)) uint32_t loop(uint32_t buffer)
{
    uint32_t start, end, n = ROUNDS;
    __asm__ volatile("	csrr %0, cycle\n"
                     "1:\n"
                     "	.set i, 0\n"
                     "	.rept 8\n"
                     "	lw t0, i * 64(%3)\n"
                     "	lw t1, i * 64 + 4(%3)\n"
                     "	sw t0, i * 64 + 8(%3)\n"
                     "	add t1, t1, t0\n"
                     "	sw t1, i * 64 + 12(%3)\n"
                     "	.set i, i + 1\n"
                     "	.endr\n"
                     "	addi %2, %2, -1\n"
                     "	bnez %2, 1b\n"
                     "	csrr %1, cycle\n"
                     : "=&r"(start), "=&r"(end), "+r"(n)
                     : "r"(buffer)
                     : "t0", "t1", "memory");
    return end - start;
}

static uint32_t twice(uint32_t buffer)
{
    loop(buffer); // fills caches and TLB
    return loop(buffer);
}

static void measure(const char *name, uint32_t cycles, uint32_t off)
{
    put_value(name, cycles);
    EXPECT(cycles, off);
}

int main(void)
{
    const uint32_t place = (uint32_t)data, lowmem = GRANULE_LOWMEM_BASE;
    choose_granule();
    CSR_WRITE(mcounteren, 0xffffffff);
    CSR_WRITE(scounteren, 0xffffffff);
    const uint32_t off = twice(place);
    put_value("accesses", ROUNDS * 32);
    put_value("off", off);
    measure("on_bare", in_s(twice, place), off);
    mmu_on();
    map(PAGE, place & -page_size(), KERNEL_DATA);
    measure("on_block", in_s(twice, place), off);
    measure("on_page", in_s(twice, PAGE | (place & (page_size() - 1))), off);
    // D A G X W R V, and D A W R V.
    sv32_root[lowmem >> 22] = lowmem >> 12 << 10 | 0xef;
    sv32_root[PAGE >> 22] = (uint32_t)sv32_leaves >> 12 << 10 | 1;
    sv32_leaves[0] = place >> 12 << 10 | 0xc7;
    CSR_WRITE(satp, 1u << 31 | 1 << 22 | (uint32_t)sv32_root >> 12);
    measure("on_superpage", in_s(twice, place), off);
    measure("on_sv32_page", in_s(twice, PAGE | place % 4096), off);
    return failures;
}
