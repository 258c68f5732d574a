/* Instructions on many pages: calls, a run across a page's end, code that the program writes. */
#include "environment.h"
	begin
	/* Each function adds its number and calls the next, twelve pages on. */
	li	s2, 3
1:	li	a0, 0
	call	f0
	check	a0, 66
	addi	s2, s2, -1
	bnez	s2, 1b

	/* The last word of a page, and on into the next. */
	li	a0, 0
	la	a1, last
	jalr	a1
	check	a0, 3

	/* A function that is written, run, and written again. */
	la	s0, written
	li	s1, 0x00050513	/* addi a0, a0, 0 */
	li	s2, 0
	li	s3, 0
2:	slli	a0, s2, 20
	add	a0, a0, s1
	sw	a0, 0(s0)
	fence.i
	mv	a0, s3
	jalr	s0
	mv	s3, a0
	addi	s2, s2, 1
	li	a0, 20
	bne	s2, a0, 2b
	check	s3, 190
	end

	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	.balign	4096
f\number:
	addi	sp, sp, 0
	addi	a0, a0, \number
	j	f\number + 4096
	.endr
	.balign	4096
	ret
	.balign	4096
	.zero	4096 - 4
last:	addi	a0, a0, 1
	addi	a0, a0, 2
	ret
	.balign	4096
written: addi	a0, a0, 0
	ret
	.balign	4096
	data
