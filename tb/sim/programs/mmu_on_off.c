// The same loop of loads and stores in M-mode, which is untranslated, and in S-mode through the
// micro TLB: a hit must not cost a cycle.
#include "loop.h"
#include "tables.h"

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));
static uint32_t data[256] __attribute__((aligned(64)));

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
