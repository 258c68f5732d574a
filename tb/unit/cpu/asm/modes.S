/* mret, sret, wfi and sfence.vma: who may use them (TSR, TW, TVM), and what they change. */
#include "test.h"
main:
	/* An ecall tells its mode. */
	enter	U_MODE
	traps	8, 0, ecall
	enter	S_MODE
	traps	9, 0, ecall
	li	a0, MSTATUS_MPP
	and	a0, s5, a0
	expect	a0, S_MODE << 11

	/* Returns from a mode above one's own are illegal. */
	enter	U_MODE
	traps_illegal mret
	enter	U_MODE
	traps_illegal sret
	enter	U_MODE
	traps_illegal wfi
	enter	U_MODE
	traps_illegal sfence.vma
	enter	S_MODE
	traps_illegal mret
	li	a0, MSTATUS_MPP
	and	a0, s5, a0
	expect	a0, S_MODE << 11

	/* TSR, TW, TVM forbid them to S-mode and leave M-mode alone. */
	li	a0, MSTATUS_TSR | MSTATUS_TW | MSTATUS_TVM
	csrs	mstatus, a0
	enter	S_MODE
	traps_illegal sret
	enter	S_MODE
	traps_illegal wfi
	enter	S_MODE
	traps_illegal sfence.vma a0, a1
	sfence.vma
	csrsi	mip, 2
	csrsi	mie, 2	/* something pending, so that wfi ends; MIE is off */
	wfi
	csrw	mie, zero
	csrw	mip, zero
	li	a0, MSTATUS_TSR | MSTATUS_TW | MSTATUS_TVM
	csrc	mstatus, a0

	/* sret from M to S clears MPRV. */
	li	a0, MSTATUS_SPP | MSTATUS_MPRV
	csrs	mstatus, a0
	li	a0, MSTATUS_MPP
	csrs	mstatus, a0
	la	a0, 3f
	csrw	sepc, a0
	sret
3:	traps	9, 0, ecall
	li	a0, MSTATUS_MPRV
	and	a0, s5, a0
	expect	a0, 0
	pass
