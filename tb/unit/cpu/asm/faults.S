/* Every fault status of the ports: cause, xtval, and what goes to the fault record (scenario e22);
 * a fault of what is never executed is nobody's (scenario a6).
 */
#include "test.h"
	/* s0: status; s1: address of that fault; s7: cause offset, 1 if it is an access fault. */
	.macro fault_trap cause_page, cause_access, what, va, instruction:vararg
	la	s11, 9f
	li	s2, -1
	li	s3, -1
	lw	s9, 0(s8)
	.balign 4
8:	\instruction
9:	addi	gp, gp, 1
	li	t6, \cause_page
	beqz	s7, 1f
	li	t6, \cause_access
1:	bne	s2, t6, fail
	la	t5, 8b
	expect_equal s3, t5
	mv	t5, \va
	expect_equal s4, t5
	lw	t5, 0(s8)	/* reported once */
	addi	s9, s9, 1
	expect_equal s9, t5
	lw	t5, 4(s8)
	li	t6, \what
	or	t6, t6, s0
	expect_equal t5, t6
	lw	t5, 8(s8)
	expect_equal s4, t5
	.endm
main:
	li	s8, FAULTS
	li	s0, 0
loop:
	slli	s1, s0, 12
	li	a0, 0x90000000
	or	s1, s1, a0
	/* Access faults, what memory refuses: 0x10 the access; 0x12, 0x13, 0x14..0x17 a walk at
	   levels -2, -1, 0..3; 0x31 the update of a descriptor. */
	li	s7, 1
	.irp	code, 0x10, 0x12, 0x13, 0x31
	li	a0, \code
	beq	s0, a0, 1f
	.endr
	srli	a0, s0, 2
	li	a1, 5
	beq	a0, a1, 1f
	li	s7, 0
1:
	li	a0, 7
	li	a1, 7
	fault_trap 13, 5, 0x000, s1, lw a0, 0(s1)
	fault_trap 13, 5, 0x000, s1, lb a0, 0(s1)
	fault_trap 15, 7, 0x080, s1, sw a0, 0(s1)
	fault_trap 13, 5, 0x000, s1, lr.w a0, (s1)
	fault_trap 15, 7, 0x080, s1, sc.w a0, a0, (s1)
	fault_trap 15, 7, 0x080, s1, amoadd.w a0, a1, (s1)
	addi	s10, s1, 7
	fault_trap 15, 7, 0x080, s10, sb a0, 7(s1)
	fault_trap 13, 5, 0x000, s10, lbu a0, 7(s1)
	/* The read half of an atomic: still a store fault for software, but not WnR. */
	li	s10, 1 << 18
	or	s10, s10, s1
	fault_trap 15, 7, 0x000, s10, amoswap.w a0, a1, (s10)
	/* cbo.clean faults like a store, at the address itself. */
	addi	s10, s1, 5
	fault_trap 15, 7, 0x080, s10, .word 0x0010200f | 26 << 15	/* cbo.clean (s10) */
	expect	a0, 7

	/* The same fault of a fetch: the jump is done, xepc and xtval are its target. */
	la	s11, 2f
	li	s2, -1
	jalr	a0, 0(s1)
2:	li	t6, 12
	beqz	s7, 3f
	li	t6, 1
3:	addi	gp, gp, 1
	bne	s2, t6, fail
	expect_equal s3, s1
	expect_equal s4, s1
	lw	t5, 4(s8)
	li	t6, 0x100
	or	t6, t6, s0
	expect_equal t5, t6
	lw	t5, 8(s8)
	expect_equal t5, s1

	addi	s0, s0, 1
	li	t6, 64
	bne	s0, t6, loop

	/* Outside of everything: a bus error. */
	li	s1, 0x40000000
	traps	5, 0x40000000, lw a0, 0(s1)
	traps	7, 0x40000000, sw a0, 0(s1)
	/* Other traps report no fault. */
	lw	s9, 0(s8)
	traps	11, 0, ecall
	lw	a0, 0(s8)
	expect_equal a0, s9
	/* Privilege of the access: EL1 from S-mode and through MPRV. */
	li	s1, 0x90007000
	enter	S_MODE
	traps	13, 0x90007000, lw a0, 0(s1)
	expect_word FAULT_WHAT, 0x047
	enter	S_MODE
	la	s11, 4f
	jr	s1
4:	expect	s2, 12
	expect_word FAULT_WHAT, 0x147
	enter	U_MODE
	traps	15, 0x90007000, sw a0, 0(s1)
	expect_word FAULT_WHAT, 0x087
	/* A fetch fault at an instruction that is never reached is nobody's: memory repeats up to
	   the window of faults, so a jump fits in front of it. */
	lw	s9, 0(s8)
	li	a1, 0x8ffffffc
	lw	t5, 5f
	sw	t5, 0(a1)
	fence.i
	la	a2, 6f
	jr	a1
5:	jr	a2
6:	lw	a0, 0(s8)
	expect_equal a0, s9
	pass
