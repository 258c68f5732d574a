/* First instructions of a board, in M-mode in the boot memory. Any trap starts the loader again:
 * the program that is in memory stays. */
    .section .text.start, "ax"
    .globl _start
_start:
    la      t0, _start
    csrw    mtvec, t0
    la      sp, __stack_top
    la      t0, __bss_start
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b
2:  call    loader_main

/* void enter(u32 entry): the caches agree with memory, then the program starts as after reset. */
    .globl enter
enter:
    fence.i
    csrw    mtvec, zero
    jr      a0
