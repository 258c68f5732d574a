/* fence.i and sfence.vma: one command each, waited for, and everything behind is fetched anew. */
#include "test.h"
	.macro patch label, word
	la	t5, \label
	li	t6, \word
	sw	t6, 0(t5)
	.endm
main:
	/* The instruction right behind fence.i is the new one. */
	patch	1f, 0x00500513	/* li a0, 5 */
	fence.i
1:	li	a0, 4
	expect	a0, 5
	expect_word FENCE_IS, 1
	/* In a loop, each time another one. */
	li	a1, 6
	li	a2, 0x00100513	/* li a0, 1 */
	li	a4, 0
2:	la	t5, 3f
	sw	a2, 0(t5)
	fence.i
	nop
3:	nop
	add	a4, a4, a0
	li	t5, 1 << 20
	add	a2, a2, t5
	addi	a1, a1, -1
	bnez	a1, 2b
	expect	a4, 21
	expect_word FENCE_IS, 7
	/* From U-mode too. */
	enter	U_MODE
	patch	4f, 0x00700513
	fence.i
4:	nop
	leave
	expect	a0, 7

	/* sfence.vma takes along what was fetched before it. */
	patch	5f, 0x00900513
	sfence.vma
5:	li	a0, 4
	expect	a0, 9
	expect_word SFENCES, 1
	enter	S_MODE
	sfence.vma a0, a1
	sfence.vma
	sfence.vma a0, zero
	leave
	expect_word SFENCES, 4
	/* A plain fence in all its forms goes through. */
	fence
	fence	r, rw
	.word	0x8330000f	/* fence.tso */
	.word	0x0100000f	/* pause */
	/* An interrupt that comes meanwhile is taken behind it. */
	li	a0, 1 << 7
	csrw	mie, a0
	csrsi	mstatus, MSTATUS_MIE
	la	s11, 7f
	write_word TIMER_DELAY, 8
	fence.i
	sfence.vma
	fence.i
	sfence.vma
	fence.i
	sfence.vma
6:	j	6b
7:	expect	s2, 0x80000007
	write_word LINES, 0
	pass
