/* Atomics on pages that are absent, clean or dirty: the operation is done once, whatever it faults
 * on before. */
#include "environment.h"
	begin
	la	s1, pages
	li	s0, 3
	/* Each on a page of its own, the first access to it. */
	.macro	amo	instruction, old, operand, new
	li	a0, \old
	li	a1, \operand
	sw	a0, 0(s1)
	\instruction a2, a1, (s1)
	check	a2, \old
	lw	a2, 0(s1)
	check	a2, \new
	li	a2, 4096
	add	s1, s1, a2
	.endm
	amo	amoadd.w, 0x7fffffff, 2, 0x80000001
	amo	amoswap.w, 5, 6, 6
	amo	amoxor.w, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0
	amo	amoand.w, 0xff00ff00, 0x0ff00ff0, 0x0f000f00
	amo	amoor.w, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0
	amo	amomin.w, 0x80000000, 1, 0x80000000
	amo	amomax.w, 0x80000000, 1, 1
	amo	amominu.w, 0x80000000, 1, 1
	amo	amomaxu.w, 0x80000000, 1, 0x80000000
	/* Without a store before: read, found absent, then clean, then done, once. */
	la	s1, pages
	li	a2, 4096 * 9
	add	s1, s1, a2
	li	a1, 1
	amoadd.w a2, a1, (s1)
	check	a2, 0
	amoadd.w a2, a1, (s1)
	check	a2, 1
	lw	a2, 0(s1)
	check	a2, 2
	/* A counter by lr and sc. A fault between them may cost the reservation, not the count. */
	li	s2, 40
	la	s1, pages
	li	a3, 4096 * 10
	add	s1, s1, a3
1:	lr.w	a0, (s1)
	addi	a0, a0, 1
	sc.w	a1, a0, (s1)
	bnez	a1, 1b
	la	a2, pages	/* keep the frames moving */
	slli	a3, s2, 12
	li	a4, 0x7000
	and	a3, a3, a4
	add	a2, a2, a3
	lw	a3, 64(a2)
	addi	s2, s2, -1
	bnez	s2, 1b
	lw	a0, 0(s1)
	check	a0, 40
	/* sc without lr fails and stores nothing. */
	li	a0, 99
	sc.w	a1, a0, (s1)
	check	a1, 1
	lw	a0, 0(s1)
	check	a0, 40
	end
	data
	.balign	4096
pages:	.zero	4096 * 11
