// The same loop of loads and stores untranslated, through a superpage and through a page: a hit of
// the micro TLB must not cost a cycle.
#include "sv32.h"

#define ROUNDS 100
#define BASE   0x10000000u

static uint32_t data[256] __attribute__((aligned(1024)));

static __attribute__((aligned(64), noinline)) uint32_t loop(uint32_t buffer)
{
    uint32_t start, end, n = ROUNDS;
    __asm__ volatile("	csrr %0, cycle\n"
                     "1:\n"
                     "	.set i, 0\n"
                     "	.rept 8\n"
                     "	lw t0, i * 64(%3)\n"
                     "	sw t0, i * 64 + 8(%3)\n"
                     "	lw t1, i * 64 + 4(%3)\n"
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

static uint32_t in_s(uint32_t buffer)
{
    return run_in(SUPERVISOR, twice, buffer, stack_of_s + sizeof stack_of_s);
}

int main(void)
{
    const uint32_t place = (uint32_t)data;
    CSR_WRITE(mcounteren, 0xffffffff);
    map_kernel(&root);
    map_page(BASE, place & ~(PAGE - 1), KERNEL_RW);
    const uint32_t machine = twice(place), bare = in_s(place);
    sv32_on(&root, 1);
    const uint32_t superpage = in_s(place), page = in_s(BASE | place % PAGE);
    put_value("accesses", ROUNDS * 32);
    put_value("machine", machine);
    put_value("bare", bare);
    put_value("superpage", superpage);
    put_value("page", page);
    EXPECT(bare, machine);
    EXPECT(superpage, machine);
    EXPECT(page, machine);
    return failures;
}
