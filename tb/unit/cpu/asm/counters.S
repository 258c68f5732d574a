/* Counters: exact instret, writes, inhibit, event selectors. */
#include "test.h"
main:
	/* The difference counts the instructions from one read to the next. */
	csrr	a0, minstret
	csrr	a1, minstret
	sub	a1, a1, a0
	expect	a1, 1
	csrr	a0, minstret
	nop
	lw	a2, buffer
	beqz	zero, 1f
	nop
1:	mul	a2, a2, a2
	csrr	a1, minstret
	sub	a1, a1, a0
	expect	a1, 6	/* lw from a symbol is two */
	/* A trap does not retire its instruction: counted are the read itself and the handler's
	   six. */
	la	s11, 2f
	csrr	a0, minstret
	ecall
2:	csrr	a1, minstret
	sub	a1, a1, a0
	expect	a1, 7
	/* A write: the next instruction reads what was written. */
	li	a0, 1000
	csrw	minstret, a0
	csrr	a1, minstret
	csrr	a2, minstret
	expect	a1, 1000
	expect	a2, 1001
	li	a0, 0xffffffff
	csrw	minstret, a0
	nop
	csrr	a1, minstreth
	expect	a1, 1
	li	a0, 77
	csrw	minstreth, a0
	csrr	a1, minstreth
	expect	a1, 77
	csrw	mcycleh, a0
	csrw	mcycle, zero
	csrr	a1, mcycle
	sltiu	a2, a1, 100
	expect	a2, 1
	csrr	a1, mcycleh
	expect	a1, 77
	/* Inhibit. */
	csrwi	mcountinhibit, 4
	csrr	a0, minstret
	nop
	nop
	csrr	a1, minstret
	expect_equal a0, a1
	csrwi	mcountinhibit, 1
	csrr	a0, mcycle
	nop
	csrr	a1, mcycle
	expect_equal a0, a1
	csrwi	mcountinhibit, 0
	/* A write of mcountinhibit acts from the next instruction: it counts itself as before. */
	csrw	minstret, zero
	csrwi	mcountinhibit, 4
	nop
	nop
	csrr	a0, minstret
	expect	a0, 1
	csrw	minstret, zero
	csrwi	mcountinhibit, 0
	nop
	csrr	a0, minstret
	expect	a0, 1
	csrwi	mcountinhibit, 4
	csrw	minstret, zero
	csrrci	a1, mcountinhibit, 4
	csrrsi	a1, mcountinhibit, 4	/* the only one that is counted */
	nop
	csrr	a0, minstret
	expect	a0, 1
	csrwi	mcountinhibit, 0
	/* The others reach the same port by their number; time is mtime. */
	csrr	a0, mhpmcounter5
	expect	a0, 5
	csrr	a0, mhpmcounter31
	expect	a0, 31
	csrr	a0, hpmcounter17
	expect	a0, 17
	csrr	a0, hpmcounter17h
	expect	a0, 0
	csrr	a0, timeh
	expect	a0, 0x12345678
	csrr	a0, time
	csrr	a1, time
	sltu	a2, a0, a1
	expect	a2, 1
	li	a0, 0x99
	csrw	mhpmcounter3, a0
	csrw	mhpmcounter3h, a0
	csrr	a1, hpmcounter3
	expect	a1, 0x99
	csrr	a1, hpmcounter3h
	expect	a1, 0x99
	pass

	.balign 4
buffer:	.word	3
