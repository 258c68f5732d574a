/* Reset, in M-mode; and the way to S-mode and back. Any other trap ends the run: its status is 64
 * and the cause. Memory is zero at reset, or was cleared by a board's loader. */
#include "granule_map.h"
#include "lib/csr.h"

    .section .text.start, "ax"
    .globl _start
_start:
    la      sp, stack_top
    OPEN_PMP
    la      t0, trap
    csrw    mtvec, t0
    li      t0, -1
    csrw    mcounteren, t0
    la      t0, __bss_start
    la      t1, __bss_end
2:  bgeu    t0, t1, 3f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       2b
3:  call    main                /* its answer is the status of the run */
finish:
    li      t0, GRANULE_FINISHER_BASE
    li      t1, GRANULE_FINISHER_PASS
    beqz    a0, 4f
    slli    a0, a0, 16
    li      t1, GRANULE_FINISHER_FAIL
    or      t1, t1, a0
4:  sw      t1, 0(t0)
    j       4b

    .balign 4
trap:
    csrr    t0, mcause
    li      t1, CAUSE_ECALL_S
    beq     t0, t1, 5f
    addi    a0, t0, 64
    j       finish
5:  lw      ra, 0(sp)           /* the end of in_supervisor_mode */
    addi    sp, sp, 16
    ret

    .globl in_supervisor_mode
in_supervisor_mode:
    addi    sp, sp, -16
    sw      ra, 0(sp)
    li      t0, MSTATUS_MPP_MASK
    csrc    mstatus, t0
    li      t0, MSTATUS_MPP_S
    csrs    mstatus, t0
    csrw    mepc, a0
    la      ra, 6f
    mret
6:  ecall
