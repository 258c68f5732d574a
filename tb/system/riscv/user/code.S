/* Instructions on many pages: calls, a run across a page's end, code that the program writes. */
#include "environment.h"
	begin	U_MODE
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

	.macro	function number, next
	.balign	4096
f\number:
	addi	sp, sp, 0
	addi	a0, a0, \number
	j	\next
	.endm
	function 0, f1
	function 1, f2
	function 2, f3
	function 3, f4
	function 4, f5
	function 5, f6
	function 6, f7
	function 7, f8
	function 8, f9
	function 9, f10
	function 10, f11
	function 11, returns
	.balign	4096
	.zero	4096 - 8
	.word	0
last:	addi	a0, a0, 1
	addi	a0, a0, 2
	ret
returns: ret
	.balign	4096
written: addi	a0, a0, 0
	ret
	.balign	4096
	data
