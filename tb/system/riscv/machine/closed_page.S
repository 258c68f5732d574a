/* A locked entry of PMP closes the page that M-mode is about to enter: the write of pmpcfg0 is the
 * last word of a page, behind NOPS others, and the next instruction must trap. WARM: the page is in
 * the instruction cache, as it ran before.
 */
#include "checks.h"
#ifndef NOPS
#define NOPS 4
#endif
#ifndef WARM
#define WARM 1
#endif
#define CLOSED 0x98	/* NAPOT, locked, no right */
	.globl	main
main:	la	t0, machine_trap
	csrw	mtvec, t0
	li	gp, 0
	csrw	pmpcfg0, zero	/* no entry matches, and M-mode may do anything */
	la	a1, last_words
	srli	a1, a1, 2
	ori	a1, a1, (8192 - 1) >> 3	/* NAPOT of 8 KiB */
	csrw	pmpaddr0, a1
	la	a1, word
	srli	a1, a1, 2
	csrw	pmpaddr7, a1
	li	a1, 0x91 << 24	/* entry 7 is locked: M-mode is bound by entries from here on */
	csrw	pmpcfg1, a1
	li	s2, 0	/* instructions of the page that ran */
#if WARM
	li	t0, 0
	la	a1, 1f
	jal	ra, enter
1:	check	s2, 1
	li	s2, 0
#endif
	li	t0, CLOSED
	la	a1, fail
	j	enter

machine_trap:
	csrr	t5, mcause
	check	t5, 1
	csrr	t5, mepc
	la	a0, closed
	check_equal t5, a0
	csrr	t5, mtval
	check_equal t5, a0
	check	s2, 0
	end	"j end_of_run"

	.balign	8192
last_words:
	.zero	4096 - 4 * (NOPS + 1)
enter:
	.rept	NOPS
	nop
	.endr
	csrw	pmpcfg0, t0
closed:	addi	s2, s2, 1
	sfence.vma
	fence.i
	jr	a1
	.balign	4096
	.data
word:	.word	0
