/* What the programs in S-mode share: calls of the firmware, traps that were seen, checks. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include "lib/csr.h"
#include "lib/printf.h"
#include "sbi/sbi.h"

extern volatile struct {
    u32 cause, value, pc, count, interrupt;
} seen;

struct sbi_ret call6(u32 extension, u32 function, const u32 args[6]);
#define SBI(extension, function, ...) call6(extension, function, (const u32[6]){__VA_ARGS__})

/* A check that fails prints its line and its values, and the run fails. */
void expect(const char *file, int line, const char *what, u32 got, u32 want);
#define EXPECT(got, want) expect(__FILE__, __LINE__, #got, (u32)(got), (u32)(want))
#define EXPECT_VALUE(call, want)         \
    do {                                 \
        struct sbi_ret ret_ = (call);    \
        EXPECT(ret_.error, SBI_SUCCESS); \
        EXPECT(ret_.value, want);        \
    } while (0)
#define EXPECT_OK(call)          EXPECT((call).error, SBI_SUCCESS)
#define EXPECT_ERROR(call, want) EXPECT((call).error, want)

void end(void) __attribute__((noreturn));

void main(u32 hart, void *tree);

#endif
