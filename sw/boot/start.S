/* First instructions, in M-mode at the reset address. Clears what C expects to be clear, gives
 * M-mode its own trap stack, and runs machine_main on the boot stack. When that returns, the MMU
 * is on, and the way goes on in S-mode on the same stack: lowmem has VA = PA. */
#include "lib/csr.h"

    .section .text.start, "ax"
    .globl _start
_start:
    csrw    mie, zero
    la      sp, kernel_stack_top
    la      t0, machine_stack_top
    csrw    mscratch, t0
    la      t0, machine_trap_entry
    csrw    mtvec, t0

    la      t0, __bss_start
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b

2:  call    machine_main

    la      t0, trap_entry
    csrw    stvec, t0
    csrw    sscratch, zero
    li      t0, MEDELEG_ALL_BUT_ECALL_S
    csrw    medeleg, t0
    li      t0, IP_STIP
    csrw    mideleg, t0
    li      t0, -1
    csrw    mcounteren, t0
    csrw    scounteren, t0
    csrw    sie, zero
    li      t0, MSTATUS_MPP_MASK
    csrc    mstatus, t0
    li      t0, MSTATUS_MPP_S
    csrs    mstatus, t0
    la      t0, kernel_main
    csrw    mepc, t0
    mret

    .section .bss
    .balign 16
    .globl kernel_stack
kernel_stack:
    .space 16384
kernel_stack_top:
    .space 4096
machine_stack_top:
