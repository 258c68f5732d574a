/* Traps that stay in M-mode: the timer, the kernel's environment calls, and what must not happen.
 * Frame: word 0 is mepc, word i is x(i). */
#include "lib/regs.h"

    .text
    .globl machine_trap_entry
    .balign 4
machine_trap_entry:
    csrrw   sp, mscratch, sp
    addi    sp, sp, -FRAME_BYTES
    SAVE_ALL sp
    csrr    t0, mscratch            /* the interrupted stack pointer */
    sw      t0, 8(sp)
    csrr    t0, mepc
    sw      t0, 0(sp)
    mv      a0, sp
    call    machine_trap
    lw      t0, 0(sp)
    csrw    mepc, t0
    RESTORE_ALL sp
    addi    sp, sp, FRAME_BYTES
    csrrw   sp, mscratch, sp
    mret
