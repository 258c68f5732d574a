/* What fetch guessed of a jump is not done by another instruction in its place. */
#include "test.h"
	.equ	JUMP, 0x00c0006f	/* j .+12: a1 becomes 4 */
	.equ	BRANCH, 0x00000663	/* beq zero, zero, .+12 */
	.equ	RETURN, 0x00040067	/* jr s0, which is place + 12 */

	/* Three times the jump, which is learned, then the instruction, without a fence: a1 tells
	   where that went. */
	.macro stale jump
	li	s7, \jump
	la	s8, kinds
	la	s9, expected
1:	la	s0, place + 12
	la	a4, place
	sw	s7, 0(a4)
	li	a5, 3
2:	jal	run
	expect	a1, 4
	addi	a5, a5, -1
	bnez	a5, 2b
	lw	a5, 0(s8)
	la	a4, place
	sw	a5, 0(a4)
	li	a5, 2	/* the second time nothing is guessed any more */
3:	jal	run
	lw	a4, 0(s9)
	expect_equal a1, a4
	addi	a5, a5, -1
	bnez	a5, 3b
	addi	s8, s8, 4
	addi	s9, s9, 4
	la	a4, kinds_end
	bne	s8, a4, 1b
	.endm

main:
	la	s10, scratch
	la	s11, place + 4	/* ecall goes on there */
	la	a6, place + 8
	la	a7, far
	stale	JUMP
	stale	BRANCH
	stale	RETURN
	pass

	/* Nothing is guessed where a redirect goes, so the place comes behind it. */
	.balign 64
run:	li	a1, 0
	li	a3, 7
	nop
place:	nop
	addi	a1, a1, 1
	addi	a1, a1, 2
	addi	a1, a1, 4
	ret

kinds:	addi	a2, a2, 1
	lw	a2, 0(s10)
	sw	a2, 0(s10)
	amoadd.w a2, a2, (s10)
	mul	a2, a2, a2
	div	a2, a2, a3
	csrr	a2, mscratch
	fence
	fence.i
	ecall
	bne	zero, zero, .+12
	beq	zero, zero, .+8
	bne	zero, zero, .-8
	j	.+8
	jr	a6
	jalr	a2, 0(a6)
	jr	a7
kinds_end:
expected:
	.word	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 7, 6, 6, 6, 8
scratch:
	.word	0

	/* The word that was guessed, of the next page. */
	.space	4096 + 12 - (. - place)
far:	li	a1, 8
	ret
