/* S-mode with traps of its own: what is delegated arrives there, from U-mode too, and comes
 * back by sret; what S-mode must not do is illegal.
 */
#include "environment.h"
	.macro traps cause, value, instruction:vararg
	la	s11, 9f
	li	s0, -1
	.balign 4
8:	\instruction
9:	check	s0, \cause
	la	t5, 8b
	check_equal s1, t5
	check	s2, \value
	.endm
	.macro illegal instruction:vararg
	la	s11, 9f
	li	s0, -1
	.balign 4
8:	\instruction
9:	check	s0, 2
	la	t5, 8b
	check_equal s1, t5
	lw	t5, 0(t5)
	check_equal s2, t5
	.endm
	begin	S_MODE
	/* Not its own. */
	illegal	csrr a0, mstatus
	illegal	csrw mepc, a0
	illegal	csrr a0, mhartid
	illegal	csrr a0, 0x744
	illegal	csrwi pmpaddr0, 0
	illegal	mret
	illegal	.word 0
	illegal	.word -1
	illegal	csrw cycle, a0
	/* Its own. */
	la	a0, place
	lw	a1, 0(a0)
	check	a1, 0x12345678
	csrw	sscratch, a1
	csrr	a0, sscratch
	check_equal a0, a1
	csrr	a0, satp
	check	a0, 0
	sfence.vma
	sfence.vma a0
	sfence.vma zero, a0
	la	a0, 1f
	lw	a1, 2f
	sw	a1, 0(a0)
	fence.i
1:	j	fail
	/* A breakpoint's value is its address or zero: here its address. */
	la	s11, 3f
4:	ebreak
3:	check	s0, 3
	la	t5, 4b
	check_equal s1, t5
	check_equal s2, t5
	traps	5, 0, lw a0, 0(zero)
	traps	7, 4, sw a0, 4(zero)
	la	s11, 5f
	jr	zero
5:	check	s0, 1
	check	s1, 0
	check	s2, 0

	/* U-mode by sret. Its exceptions come here, none of them changes S-mode's registers. */
	li	t0, MSTATUS_SPP
	csrc	sstatus, t0
	la	t0, 6f
	csrw	sepc, t0
	sret
2:	nop
6:	illegal	csrr a0, sstatus
	illegal	csrr a0, satp
	illegal	csrwi satp, 0
	illegal	csrr a0, sscratch
	illegal	csrr a0, mhartid
	illegal	sfence.vma
	illegal	sfence.vma a0, a1
	illegal	sret
	illegal	mret
	illegal	wfi
	traps	5, 8, lw a0, 8(zero)
	end

supervisor_trap:
	csrr	s0, scause
	csrr	s1, sepc
	csrr	s2, stval
	csrw	sepc, s11
	sret
	data
place:	.word	0x12345678
