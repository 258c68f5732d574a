/* Misaligned accesses trap, in every mode and with every instruction; the trap says which address,
 * and what was asked is not done. Jumps to addresses that are no multiple of four trap themselves.
 */
#include "environment.h"
	/* One access through a2, at a distance; it must trap with this cause. */
	.macro misaligned cause, distance, instruction:vararg
	la	s11, 9f
	li	s0, -1
	.balign 4
8:	\instruction
9:	check	s0, \cause
	la	t5, 8b
	check_equal s1, t5
	addi	t5, a2, \distance
	check_equal s2, t5
	.endm

	.macro all_of_them
	la	a2, place
	li	a0, 0x55
	misaligned 4, 1, lh a0, 1(a2)
	misaligned 4, 3, lhu a0, 3(a2)
	misaligned 4, 1, lw a0, 1(a2)
	misaligned 4, 2, lw a0, 2(a2)
	misaligned 4, -1, lw a0, -1(a2)
	misaligned 6, 1, sh a0, 1(a2)
	misaligned 6, 2, sw a0, 2(a2)
	misaligned 6, 3, sw a0, 3(a2)
	addi	a2, a2, 2
	misaligned 4, 0, lr.w a0, (a2)
	misaligned 6, 0, sc.w a0, a0, (a2)
	misaligned 6, 0, amoadd.w a0, a0, (a2)
	misaligned 6, 0, amoswap.w a0, a0, (a2)
	check	a0, 0x55
	la	a2, place
	lw	a0, 0(a2)
	check	a0, 0x11111111
	lw	a0, 4(a2)
	check	a0, 0x22222222
	/* Jumps and branches; the link register keeps its value. */
	la	a2, 7f
	li	ra, 0x77
	misaligned 0, 2, jalr 2(a2)
	check	ra, 0x77
	misaligned 0, 2, .word 0x00200067 | 12 << 15	/* jalr zero, 2(a2) */
	/* Bit 0 of a jalr's sum is dropped: no trap. */
	jalr	a0, 1(a2)
7:	nop
	.endm
	begin	M_MODE
	all_of_them
	/* To M-mode from U, then to S-mode from U and S. */
	li	t6, MSTATUS_MPP
	csrc	mstatus, t6
	csrw	medeleg, zero
	la	t6, 1f
	csrw	mepc, t6
	mret
1:	all_of_them
	end

machine_trap:
	csrr	s0, mcause
	csrr	s1, mepc
	csrr	s2, mtval
	csrw	mepc, s11
	mret
	data
	.balign	8
	.word	0
place:	.word	0x11111111, 0x22222222
