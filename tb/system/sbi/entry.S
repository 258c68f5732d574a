/* A program in S-mode, started as Linux is: a0 the hart, a1 the device tree. Traps are recorded; an
 * exception goes on behind its instruction, or at ra when the instruction could not be fetched; an
 * interrupt disables itself. */
    .section .text.start, "ax"
    .globl _start
_start:
    la      sp, stack_top
    la      t0, trap_entry
    csrw    stvec, t0
    j       main

    .text
    .balign 4
trap_entry:
    addi    sp, sp, -16
    sw      t0, 0(sp)
    sw      t1, 4(sp)
    la      t0, seen
    csrr    t1, scause
    bltz    t1, 1f
    sw      t1, 0(t0)
    csrr    t1, stval
    sw      t1, 4(t0)
    csrr    t1, sepc
    sw      t1, 8(t0)
    addi    t1, t1, 4
    csrw    sepc, t1
    lw      t0, 4(t0)
    addi    t0, t0, 4
    bne     t0, t1, 3f              /* stval is sepc: the fetch itself */
    csrw    sepc, ra
3:  la      t0, seen
    lw      t1, 12(t0)
    addi    t1, t1, 1
    sw      t1, 12(t0)
    j       2f
1:  sw      t1, 16(t0)
    csrw    sie, zero
2:  lw      t0, 0(sp)
    lw      t1, 4(sp)
    addi    sp, sp, 16
    sret

    .bss
    .balign 16
    .space 4096
stack_top:
