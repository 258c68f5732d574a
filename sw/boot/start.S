/* First instructions, in M-mode at the reset address. Clears what C expects to be clear, gives
 * M-mode its own trap stack, and runs machine_main on the boot stack. When that returns, the MMU
 * is on, and the way goes on in S-mode on the same stack: lowmem has VA = PA.
 *
 * machine_restart, called in M-mode, begins again: data as the image had it, but for variables that
 * are KEPT. It is how the console stops an experiment wherever it is. */
#include "lib/csr.h"

    .section .text.start, "ax"
    .globl _start
_start:
    j       first_start

    .text
first_start:
    la      a0, __kept_start
    la      a1, __kept_end
    call    clear_words
    la      a0, __data_copy
    la      a1, __data_start
    la      a2, __data_copy_end
    call    copy_words
    j       begin

    .globl machine_restart
machine_restart:
    la      a0, __data_start
    la      a1, __data_copy
    la      a2, __data_end
    call    copy_words

begin:
    csrw    mie, zero
    csrw    mip, zero
    la      sp, kernel_stack_top
    la      t0, machine_stack_top
    csrw    mscratch, t0

    OPEN_PMP
    la      t0, machine_trap_entry
    csrw    mtvec, t0

    la      a0, __bss_start
    la      a1, __bss_end
    call    clear_words
    call    machine_main

    la      t0, trap_entry
    csrw    stvec, t0
    csrw    sscratch, zero
    li      t0, MEDELEG_ALL_BUT_ECALL_S
    csrw    medeleg, t0
    li      t0, IP_SSIP | IP_STIP | IP_SEIP
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

clear_words:                        /* from a0 to a1 */
    bgeu    a0, a1, 1f
    sw      zero, 0(a0)
    addi    a0, a0, 4
    j       clear_words
1:  ret

copy_words:                         /* from a1, to a0 until a2 */
    bgeu    a0, a2, 1f
    lw      t0, 0(a1)
    sw      t0, 0(a0)
    addi    a0, a0, 4
    addi    a1, a1, 4
    j       copy_words
1:  ret

    .section .stack, "aw", @nobits  /* its begin is aligned to the largest page */
    .globl kernel_stack
kernel_stack:
    .space 16384
kernel_stack_top:
    .space 4096
machine_stack_top:
