/* medeleg: what reaches S-mode, and what a trap saves there. */
#include "test.h"
#define BUFFER 0x80020000
main:
	write_word BUFFER + 0, 1
	write_word BUFFER + 4, 2
	li	a0, 0xffffffff
	csrw	medeleg, a0
	li	a0, 1 << 3	/* MSIE */
	csrw	mie, a0

	/* From U to S: scause, sepc, stval, SPP = U, SIE to SPIE; M's registers untouched. */
	csrw	mcause, zero
	csrw	mepc, zero
	li	a0, MSTATUS_SIE
	csrs	mstatus, a0
	enter	U_MODE
	traps	8, 0, ecall
	expect	s6, S_MODE
	li	a0, MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP
	and	a0, s5, a0
	expect	a0, MSTATUS_SPIE
	/* From S to S: SPP = S. An illegal instruction and a misaligned access go there as well. */
	traps_illegal csrr a0, mcause
	expect	s6, S_MODE
	andi	a0, s5, MSTATUS_SPP
	expect	a0, MSTATUS_SPP
	li	a0, BUFFER
	traps	4, BUFFER + 1, lw a1, 1(a0)
	expect	s6, S_MODE
	traps	6, BUFFER + 2, sw a1, 2(a0)
	expect	s6, S_MODE
	traps	9, 0, ecall
	expect	s6, S_MODE

	/* Page faults that are delegated, with the fault recorded all the same. */
	li	a0, 0x90000000 | (0x07 << 12)
	traps	13, 0x90007000, lw a1, 0(a0)
	expect	s6, S_MODE
	traps	15, 0x90007004, sw a1, 4(a0)
	expect	s6, S_MODE
	la	s11, 1f
	jr	a0
1:	expect	s2, 12
	expect	s6, S_MODE
	expect_word FAULTS, 3

	/* sret goes back to U. */
	la	a0, 2f
	csrw	sepc, a0
	li	a0, MSTATUS_SPP
	csrc	sstatus, a0
	sret
2:	traps_illegal csrr a0, sscratch
	expect	s6, S_MODE
	andi	a0, s5, MSTATUS_SPP
	expect	a0, 0

	/* An interrupt of M is taken in S-mode whatever MIE says: the only way out from here. */
	la	s11, 3f
	write_word LINES, LINE_SOFTWARE
1:	j	1b
3:	expect	s6, M_MODE
	expect	s2, 0x80000003
	la	a0, 1b
	expect_equal s3, a0
	write_word LINES, 0
	csrr	a0, mcause	/* nothing else came to M */
	expect	a0, 0x80000003
	pass
