/* First instructions, in machine mode at the reset address. */
#include "lib/csr.h"

    .section .text.start, "ax"
    .globl _start
_start:
    csrw    mie, zero
    csrw    mip, zero
    la      a0, __bss_start
    la      a1, __bss_end
1:  bgeu    a0, a1, 2f
    sw      zero, 0(a0)
    addi    a0, a0, 4
    j       1b
2:  la      sp, stack_top
    csrw    mscratch, sp
    la      t0, trap_entry
    csrw    mtvec, t0
    j       firmware_main

    .text
/* To S-mode at a0, with the hart's number and the device tree at a1 as Linux wants them. */
    .globl enter_supervisor
enter_supervisor:
    csrw    mepc, a0
    li      t0, MSTATUS_MPP_MASK
    csrc    mstatus, t0
    li      t0, MSTATUS_MPP_S
    csrs    mstatus, t0
    li      a0, 0
    mret

    .section .stack, "aw", @nobits
    .balign 16
    .space 4096
stack_top:
