/* What programs of random operations have in common: their arguments, and how to repeat a run. */
#ifndef TESTS_FUZZ_RUN_H
#define TESTS_FUZZ_RUN_H

#include "machine/machine.h"

struct fuzz_run {
    const char *program;
    unsigned page_shift, va_bits, entry_bits;
    u32 steps, seed, step; /* step: the one that runs */
};
extern struct fuzz_run fuzz_run;

/* PAGE_SHIFT VA_BITS STEPS SEED ENTRY_BITS; false, and said, when these are not the arguments. */
bool fuzz_arguments(const char *program, int argc, char **argv);
/* A machine of that shape, with so much memory. */
void fuzz_machine(u32 low_pages, u32 high_pages, u32 colours);
void fuzz_describe(void); /* the command that comes to this step again */

u32 below(u32 n); /* a random number */

#endif
