/* Interrupts: enable bits, vectors, wfi, and the instruction they fall on. */
#include "test.h"
main:
	/* Masked by mie, then by mstatus.MIE; enabling takes effect before the next instruction. */
	la	s11, fail
	csrsi	mstatus, MSTATUS_MIE
	write_word LINES, LINE_TIMER
	nop
	nop
	csrr	a0, mip
	expect	a0, 1 << 7
	csrci	mstatus, MSTATUS_MIE
	li	a1, 1 << 7
	csrs	mie, a1
	nop
	nop
	la	s11, 2f
	csrsi	mstatus, MSTATUS_MIE
1:	j	fail
2:	expect	s2, 0x80000007
	la	a0, 1b
	expect_equal s3, a0
	expect	s4, 0
	/* The handler runs with MIE off; with the line low again nothing comes after mret. */
	csrr	a0, mstatus
	andi	a0, a0, MSTATUS_MIE
	expect	a0, 0
	write_word LINES, 0
	csrr	a0, mip
	expect	a0, 0
	la	s11, fail
	enter	M_MODE
	nop
	nop
	csrci	mstatus, MSTATUS_MIE
	write_word LINES, LINE_TIMER
	nop
	nop
	nop	/* MIE was cleared before: nothing may come, however close */
	write_word LINES, 0

	/* Two external lines. Software's own SEIP bit is kept apart from the line's. */
	write_word LINES, LINE_MACHINE_EXTERNAL
	csrr	a0, mip
	expect	a0, 1 << 11
	write_word LINES, LINE_SUPERVISOR_EXTERNAL
	csrr	a0, mip
	expect	a0, 1 << 9
	csrci	mip, 2	/* must not make the line's SEIP software's */
	write_word LINES, 0
	csrr	a0, mip
	expect	a0, 0

	/* Vectored: interrupts at base + 4 * cause, exceptions at base. */
	la	a0, vectors + 1
	csrw	mtvec, a0
	write_word TIMER_DELAY, 10
	la	s11, fail
	li	a4, 0
	csrsi	mstatus, MSTATUS_MIE
1:	beqz	a4, 1b
	expect	a4, 7
	write_word LINES, 0
	la	s11, 1f
	ecall
1:	expect	s2, 11
	la	a0, on_machine_trap
	csrw	mtvec, a0
	la	a0, vectors + 1
	csrw	stvec, a0
	csrci	mstatus, MSTATUS_MIE
	csrwi	mideleg, 2
	csrwi	mie, 2
	csrwi	mip, 2
	li	a4, 0
	enter	U_MODE
1:	beqz	a4, 1b
	expect	a4, 1
	leave
	la	a0, on_supervisor_trap
	csrw	stvec, a0
	csrw	mideleg, zero
	csrw	mip, zero

	/* wfi: waits for the line, whether MIE is set or not; the interrupt falls behind it. */
	li	a0, 1 << 7
	csrw	mie, a0
	li	s8, CYCLE
	write_word TIMER_DELAY, 200
	lw	a2, 0(s8)
	wfi
	lw	a3, 0(s8)
	sub	a3, a3, a2
	sltiu	a4, a3, 170
	expect	a4, 0
	sltiu	a4, a3, 260
	expect	a4, 1
	wfi	/* still pending: does not wait */
	write_word LINES, 0
	la	s11, 2f
	csrsi	mstatus, MSTATUS_MIE
	write_word TIMER_DELAY, 100
	wfi
1:	j	fail
2:	expect	s2, 0x80000007
	la	a0, 1b
	expect_equal s3, a0
	write_word LINES, 0
	csrci	mstatus, MSTATUS_MIE
	/* An interrupt that mie masks does not end it; one that is delegated and masked by SIE does. */
	li	a0, (1 << 7) | 2
	csrw	mie, a0
	csrwi	mideleg, 2
	write_word LINES, LINE_MACHINE_EXTERNAL | LINE_SUPERVISOR_EXTERNAL
	write_word TIMER_DELAY, 100
	lw	a2, 0(s8)
	wfi
	lw	a3, 0(s8)
	sub	a3, a3, a2
	sltiu	a4, a3, 80
	expect	a4, 0
	write_word LINES, 0
	li	a0, MSTATUS_SIE
	csrc	mstatus, a0
	csrwi	mie, 2
	csrwi	mip, 2
	enter	S_MODE
	wfi
	leave
	pass

	.balign 128
vectors:
	j	on_machine_trap
	j	1f
	j	fail
	j	fail
	j	fail
	j	fail
	j	fail
	j	2f
1:	li	a4, 1
	csrci	sip, 2
	sret
2:	li	a4, 7
	li	a5, LINES
	sw	zero, 0(a5)
	lw	a5, 0(a5)	/* the line is low before mret */
	mret
