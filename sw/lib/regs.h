/* Frames of saved registers: word 0 is the program counter, word i is x(i), the status register
 * comes behind them. SAVE_ALL and RESTORE_ALL leave word 0, x2 (sp) and the status to their users.
 */
#ifndef LIB_REGS_H
#define LIB_REGS_H

#define FRAME_STATUS 128
#define FRAME_BYTES  144 /* a multiple of 16, as the stack pointer is */

/* clang-format off */
#ifdef __ASSEMBLER__
    .macro SAVE_ALL base
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sw      x\n, 4*\n(\base)
    .endr
    .endm

    .macro RESTORE_ALL base
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    lw      x\n, 4*\n(\base)
    .endr
    .endm
#else
/* clang-format on */
#include "types.h"

struct regs {
    u32 x[32];  /* x[0] is the program counter */
    u32 status; /* sstatus before the trap, of traps from the kernel */
    u32 unused[3];
};

enum { REG_PC = 0, REG_RA = 1, REG_SP = 2, REG_GP = 3, REG_A0 = 10, REG_A6 = 16, REG_A7 = 17 };
#endif

#endif
