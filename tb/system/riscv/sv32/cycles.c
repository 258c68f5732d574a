// The same loop of loads and stores untranslated, through a superpage and through a page: a hit of
// the micro TLB must not cost a cycle.
#include "loop.h"
#include "sv32.h"

#define BASE 0x10000000u

static uint32_t data[256] __attribute__((aligned(1024)));

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
