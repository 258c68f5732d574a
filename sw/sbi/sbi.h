/* The Supervisor Binary Interface, version 2.0 (RISC-V SBI specification): what Linux asks machine
 * mode for. One file an extension; each is a function that gets the function's number and a0 to a5
 * of the call, and answers with an error and a value. One hart, number 0.
 */
#ifndef SBI_SBI_H
#define SBI_SBI_H

#include "types.h"

struct regs;

enum sbi_error {
    SBI_SUCCESS = 0,
    SBI_FAILED = -1,
    SBI_NOT_SUPPORTED = -2,
    SBI_INVALID_PARAM = -3,
    SBI_INVALID_ADDRESS = -5,
    SBI_ALREADY_AVAILABLE = -6,
    SBI_ALREADY_STARTED = -7,
    SBI_ALREADY_STOPPED = -8,
};

struct sbi_ret {
    s32 error;
    u32 value;
};

enum {
    SBI_EXT_BASE = 0x10,
    SBI_EXT_TIME = 0x54494d45,
    SBI_EXT_IPI = 0x735049,
    SBI_EXT_RFENCE = 0x52464e43,
    SBI_EXT_HSM = 0x48534d,
    SBI_EXT_SRST = 0x53525354,
    SBI_EXT_PMU = 0x504d55,
    SBI_EXT_DBCN = 0x4442434e,
};

typedef struct sbi_ret sbi_handler(u32 function, const u32 *args);

sbi_handler sbi_base, sbi_time, sbi_ipi, sbi_rfence, sbi_hsm, sbi_srst, sbi_pmu, sbi_dbcn;

/* The extensions of version 0.1, numbers 0 to 8: the answer is one word, in a0. */
void sbi_legacy(u32 extension, struct regs *regs);
bool sbi_is_legacy(u32 extension);

bool sbi_available(u32 extension);
void sbi_call(struct regs *regs); /* an environment call of S-mode */

/* Harts of a call: bit i of `mask` is hart base + i, all harts when base is -1. Whether they
 * exist, and whether hart 0 is one of them. */
bool sbi_harts_exist(u32 mask, u32 base);
bool sbi_harts_have_us(u32 mask, u32 base);

static inline struct sbi_ret sbi_value(u32 value)
{
    return (struct sbi_ret){SBI_SUCCESS, value};
}

static inline struct sbi_ret sbi_error(enum sbi_error error)
{
    return (struct sbi_ret){error, 0};
}

#endif
