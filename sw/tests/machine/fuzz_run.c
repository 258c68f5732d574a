#include "check.h"
#include "machine.h"
#include <stdio.h>
#include <stdlib.h>

struct fuzz_run fuzz_run;

bool fuzz_arguments(const char *program, int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: %s PAGE_SHIFT VA_BITS STEPS SEED ENTRY_BITS\n", program);
        return false;
    }
    fuzz_run = (struct fuzz_run){.program = program,
                                 .page_shift = (unsigned)atoi(argv[1]),
                                 .va_bits = (unsigned)atoi(argv[2]),
                                 .steps = (u32)atoi(argv[3]),
                                 .seed = (u32)atoi(argv[4]),
                                 .entry_bits = (unsigned)atoi(argv[5])};
    pseudo_random_seed(fuzz_run.seed);
    return true;
}

void fuzz_machine(u32 low_pages, u32 high_pages, u32 colours)
{
    static struct machine m; /* it stays in use */

    m = (struct machine){
        fuzz_run.page_shift, fuzz_run.va_bits, low_pages,
        high_pages,          colours,          fuzz_run.entry_bits == 128 ? ENTRY_128 : ENTRY_64};
    machine_start(&m);
}

void fuzz_describe(void)
{
    const struct fuzz_run *r = &fuzz_run;

    printf("step %u of seed %u, pages of 2^%u bytes, %u VA bits; again with\n"
           "  build/sw-tests/%s %u %u %u %u %u\n",
           r->step, r->seed, r->page_shift, r->va_bits, r->program, r->page_shift, r->va_bits,
           r->step + 1, r->seed, r->entry_bits);
}

u32 below(u32 n)
{
    return pseudo_random() % n;
}
