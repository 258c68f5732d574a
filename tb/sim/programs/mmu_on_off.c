// The same loop of loads and stores in M-mode, which is untranslated, and in S-mode through the
// micro TLB: a hit must not cost a cycle.
#include "tables.h"

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint32_t data[256] __attribute__((aligned(64)));

#define ROUNDS 100

// 16 loads and 16 stores a round over 1 KiB, in pairs and alternating.
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

int main(void)
{
    choose_granule();
    CSR_WRITE(mcounteren, 0xffffffff);
    CSR_WRITE(scounteren, 0xffffffff);
    const uint32_t off = twice((uint32_t)data);
    mmu_on();
    map(0x10000000, (uint32_t)data & ~(page_size() - 1), KERNEL_DATA);
    const uint32_t offset = (uint32_t)data & (page_size() - 1);
    const uint32_t on_kernel = run_in(SUPERVISOR, twice, (uint32_t)data, stack + sizeof stack);
    const uint32_t on_user = run_in(SUPERVISOR, twice, 0x10000000 + offset, stack + sizeof stack);
    put_value("accesses", ROUNDS * 32);
    put_value("off", off);
    put_value("on_block", on_kernel);
    put_value("on_page", on_user);
    EXPECT(on_kernel, off);
    EXPECT(on_user, off);
    return failures;
}
