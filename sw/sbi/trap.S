/* Traps of S- and U-mode that come to machine mode. Frame: word 0 is mepc, word i is x(i), then
 * mstatus, which an access on behalf of S-mode may change in between. */
#include "lib/regs.h"

    .text
    .globl trap_entry
    .balign 4
trap_entry:
    csrrw   sp, mscratch, sp
    addi    sp, sp, -FRAME_BYTES
    SAVE_ALL sp
    csrr    t0, mscratch            /* the interrupted stack pointer */
    sw      t0, 8(sp)
    csrr    t0, mepc
    sw      t0, 0(sp)
    csrr    t0, mstatus
    sw      t0, FRAME_STATUS(sp)
    mv      a0, sp
    call    trap
trap_exit:
    lw      t0, 0(sp)
    csrw    mepc, t0
    lw      t0, FRAME_STATUS(sp)
    csrw    mstatus, t0
    lw      t0, 8(sp)
    csrw    mscratch, t0
    RESTORE_ALL sp
    addi    sp, sp, FRAME_BYTES
    csrrw   sp, mscratch, sp
    mret
