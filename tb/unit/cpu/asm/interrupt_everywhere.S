/* A timer interrupt at every cycle of a piece of code with loads, stores, atomics, divisions and
 * branches: the result is as without it, nothing is lost and nothing happens twice.
 */
#include "test.h"
	.macro piece
	li	a0, 1000
	li	a1, 7
	sw	zero, 0(s1)
	sw	zero, 4(s1)
	lw	s7, 0(s8)
	div	a2, a0, a1
	sw	a2, 0(s1)
	lw	a3, 0(s1)
	add	a3, a3, a2
	amoadd.w a4, a3, (s1)
	addi	s9, s1, 4
	amoadd.w zero, a1, (s9)
	mul	a5, a3, a4
	lw	a6, 0(s1)
	li	a7, 3
1:	amoadd.w zero, a7, (s9)
	addi	a7, a7, -1
	bnez	a7, 1b
	lr.w	a7, (s9)
	jal	ra, 2f
	j	3f
2:	addi	a7, a7, 1
	ret
3:	sw	a7, 4(s1)
	rem	a0, a5, a1
	lb	a1, 0(s1)
	lhu	a2, 4(s1)
	lw	t6, 0(s8)
	sub	s7, t6, s7	/* accesses in between */
	.endm
	.macro digest out
	lw	t5, 0(s1)
	xor	\out, a0, a1
	add	\out, \out, a2
	xor	\out, \out, a3
	add	\out, \out, a4
	xor	\out, \out, a5
	add	\out, \out, a6
	xor	\out, \out, a7
	add	\out, \out, t5
	lw	t5, 4(s1)
	add	\out, \out, t5
	.endm
main:
	la	s1, buffer
	li	s8, ACCESSES
	la	t6, handler
	csrw	mtvec, t6
	li	t6, 1 << 7
	csrw	mie, t6
	piece
	digest	s10
	mv	s0, s7
	li	s2, 1	/* delay */
	li	s3, 0	/* interrupts taken */
loop:
	csrci	mstatus, MSTATUS_MIE
	li	t5, TIMER_DELAY
	sw	s2, 0(t5)
	csrsi	mstatus, MSTATUS_MIE
	piece
	csrsi	mstatus, MSTATUS_MIE
	/* Wait until it has come. */
4:	bge	s3, s2, 5f
	j	4b
5:	digest	s11
	expect_equal s10, s11
	expect_equal s0, s7
	addi	s2, s2, 1
	li	t6, 190
	bne	s2, t6, loop
	expect	s3, 189
	pass

	.balign 4
handler:
	csrw	mscratch, t5
	addi	s3, s3, 1
	li	t5, LINES
	sw	zero, 0(t5)
	lw	t5, 0(t5)
	csrr	t5, mscratch
	mret

	.balign 4
buffer:	.word	0, 0
