// Lab 8: a test for an MMU. It calls report() if the machine is broken, and returns if it is not.
#include "lab8.h"

void test(void)
{
    *descriptor_of(FIRST, 3) = frame(0) | DATA | PAGE;
    *word_at(frame(0)) = 7;
    const struct outcome got = read_at(KERNEL, FIRST);
    if (got.status || got.value != 7)
        report("the kernel reads a page", FIRST, 7, got.value);
}
