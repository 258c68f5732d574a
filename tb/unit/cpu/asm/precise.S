/* State after a fault is that of all older instructions and of no younger one (cache/L1.scala: a
 * command accepted in the cycle of a faulting answer is dropped). Scenario a6: no later victim.
 */
#include "test.h"
	/* Faulting instruction, then younger ones that must leave no trace. */
	.macro dropped cause, faulting, younger1, younger2, younger3
	li	a1, 100
	li	a2, 200
	li	a3, 300
	lw	s9, 0(s8)
	la	s11, 9f
	.balign 4
	addi	a1, a1, 1
	sw	a1, 0(s1)
8:	\faulting
	\younger1
	\younger2
	\younger3
9:	expect	s2, \cause
	la	t5, 8b
	expect_equal s3, t5
	expect	a1, 101
	expect	a2, 200
	expect	a3, 300
	lw	t5, 0(s8)
	addi	s9, s9, 1	/* the store before, nothing after */
	expect_equal s9, t5
	lw	t5, 0(s1)
	expect	t5, 101
	lw	t5, 4(s1)
	expect	t5, 55
	lw	t5, 8(s1)
	expect	t5, 66
	.endm
main:
	li	s8, ACCESSES
	la	s1, buffer
	addi	a6, s1, 4
	li	a7, 0x90007000
	li	a5, 0xdead

	/* A younger store, load, atomic right behind a faulting load or store. */
	dropped	13, "lw a1, 0(a7)", "sw a5, 4(s1)", "sw a5, 8(s1)", "sw a5, 4(s1)"
	dropped	13, "lw a1, 0(a7)", "lw a2, 4(s1)", "sw a5, 8(s1)", "lw a3, 4(s1)"
	dropped	13, "lw a1, 0(a7)", "amoswap.w a2, a5, (a6)", "addi a3, a3, 1", "sw a5, 4(s1)"
	dropped	15, "sw a1, 0(a7)", "sw a5, 4(s1)", "addi a2, a2, 1", "sw a5, 8(s1)"
	dropped	15, "amoadd.w a1, a1, (a7)", "sw a5, 4(s1)", "sw a5, 8(s1)", "sw a5, 4(s1)"
	dropped	13, "lw a1, 0(a7)", "addi a2, a2, 1", "sw a5, 4(s1)", "addi a3, a3, 1"
	dropped	13, "lw a1, 0(a7)", "addi a2, a2, 1", "addi a3, a3, 1", "sw a5, 4(s1)"
	/* Two faults: the older one counts. */
	dropped	15, "sw a1, 0(a7)", "lw a1, 0(a7)", "sw a5, 4(s1)", "sw a5, 8(s1)"
	/* A younger CSR write, branch, division, trap, return. */
	csrwi	mscratch, 3
	dropped	13, "lw a1, 0(a7)", "csrwi mscratch, 9", "sw a5, 4(s1)", "addi a2, a2, 1"
	csrr	t5, mscratch
	expect	t5, 3
	dropped	13, "lw a1, 0(a7)", "j fail", "sw a5, 4(s1)", "sw a5, 8(s1)"
	dropped	13, "lw a1, 0(a7)", "div a2, a2, a3", "sw a5, 4(s1)", "sw a5, 8(s1)"
	dropped	13, "lw a1, 0(a7)", "ecall", "sw a5, 4(s1)", "sw a5, 8(s1)"
	dropped	13, "lw a1, 0(a7)", "mret", "sw a5, 4(s1)", "sw a5, 8(s1)"
	dropped	13, "lw a1, 0(a7)", "fence.i", "sfence.vma", "sw a5, 4(s1)"
	expect_word FENCE_IS, 0
	expect_word SFENCES, 0
	/* The faulting access waits for an older division or load, and depends on it. */
	dropped	13, "lw a1, 0(a7)", "lw a2, 0(a2)", "sw a5, 4(s1)", "sw a5, 8(s1)"
	/* Traps that are known early: the store behind them never reaches the port. */
	dropped	11, "ecall", "sw a5, 4(s1)", "sw a5, 8(s1)", "addi a2, a2, 1"
	dropped	2, ".word 0", "sw a5, 4(s1)", "sw a5, 8(s1)", "addi a2, a2, 1"
	dropped	2, "csrw mhartid, a5", "sw a5, 4(s1)", "sw a5, 8(s1)", "addi a2, a2, 1"
	dropped	4, "lw a1, 1(s1)", "sw a5, 4(s1)", "sw a5, 8(s1)", "addi a2, a2, 1"
	dropped	6, "sw a5, 6(s1)", "sw a5, 4(s1)", "sw a5, 8(s1)", "addi a2, a2, 1"
	/* A store behind a taken branch never reaches the port. */
	lw	s9, 0(s8)
	beqz	zero, 1f
	sw	a5, 4(s1)
	sw	a5, 8(s1)
1:	lw	t5, 0(s8)
	expect_equal s9, t5
	/* A load that hits right after the trap gets its own answer, not the dropped one's. */
	la	s11, 2f
	lw	a1, 0(a7)
	lw	a1, 4(s1)
	lw	a1, 4(s1)
2:	lw	a1, 8(s1)
	expect	a1, 66
	lw	a1, 4(s1)
	expect	a1, 55
	/* A division that a fault stopped gives way to the next one at once. */
	la	t5, 3f
	csrw	mtvec, t5
	lw	a1, 0(a7)
	div	a2, a5, s8
	j	fail
	.balign 4
3:	div	a3, a5, a5
	expect	a3, 1
	pass

	.balign 4
buffer:	.word	0, 55, 66
