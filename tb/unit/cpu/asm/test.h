// clang-format off
/* What every test program here stands on. A program includes this first, then starts at `main`.
 *
 * Registers: gp is the number of the next check (the run ends with it when a check fails), s2-s6
 * hold the last trap, s11 where the handlers continue, t6 and t5 are scratch of the macros.
 * Traps of M-mode and undelegated ones reach `on_machine_trap`, delegated ones
 * `on_supervisor_trap`; both continue at s11 in the mode of the handler, without a return.
 */
#define TOHOST 0xC0000000
#define LINES 0xC0000004
#define TIMER_DELAY 0xC0000008
#define FAULTS 0xC000000C
#define FAULT_WHAT 0xC0000010
#define FAULT_VA 0xC0000014
#define SFENCES 0xC0000018
#define FENCE_IS 0xC000001C
#define ACCESSES 0xC0000020
#define BLOCK_OP 0xC0000024
#define CYCLE 0xC0000028

#define LINE_TIMER 1
#define LINE_MACHINE_EXTERNAL 4
#define LINE_SUPERVISOR_EXTERNAL 8

#define U_MODE 0
#define S_MODE 1
#define M_MODE 3

#define MSTATUS_SIE (1 << 1)
#define MSTATUS_MIE (1 << 3)
#define MSTATUS_SPP (1 << 8)
#define MSTATUS_MPP (3 << 11)
#define MSTATUS_MPRV (1 << 17)
#define MSTATUS_SUM (1 << 18)
#define MSTATUS_MXR (1 << 19)
#define MSTATUS_TVM (1 << 20)
#define MSTATUS_TW (1 << 21)
#define MSTATUS_TSR (1 << 22)

	/* Ends the run as passed. */
	.macro pass
	li	t6, TOHOST
	li	t5, 1
	sw	t5, 0(t6)
1:	j	1b
	.endm

	/* Counts a check and fails unless reg holds value. */
	.macro expect reg, value
	addi	gp, gp, 1
	li	t6, \value
	bne	\reg, t6, fail
	.endm

	.macro expect_equal a, b
	addi	gp, gp, 1
	bne	\a, \b, fail
	.endm

	/* The word at a test register or any other address. */
	.macro expect_word address, value
	li	t5, \address
	lw	t5, 0(t5)
	expect	t5, \value
	.endm

	.macro write_word address, value
	li	t5, \address
	li	t6, \value
	sw	t6, 0(t5)
	.endm

	/* Runs one instruction, which must trap with this cause and tval, xepc pointing at it. */
	.macro traps cause, tval, instruction:vararg
	la	s11, 9f
	li	s2, -1
	.balign 4
8:	\instruction
9:	expect	s2, \cause
	la	t5, 8b
	expect_equal s3, t5
	expect	s4, \tval
	.endm

	/* The same for an illegal instruction: its tval is the word itself. */
	.macro traps_illegal instruction:vararg
	la	s11, 9f
	li	s2, -1
	.balign 4
8:	\instruction
9:	expect	s2, 2
	la	t5, 8b
	expect_equal s3, t5
	lw	t5, 0(t5)
	expect_equal s4, t5
	.endm

	/* From M-mode: continue behind the macro in another mode. */
	.macro enter mode
	li	t6, MSTATUS_MPP
	csrc	mstatus, t6
	li	t6, \mode << 11
	csrs	mstatus, t6
	la	t6, 7f
	csrw	mepc, t6
	mret
7:
	.endm

	/* From S- or U-mode (ecall not delegated): continue behind the macro in M-mode. */
	.macro leave
	la	s11, 7f
	ecall
7:
	.endm

	.section .text.init
	.globl	_start
_start:
	li	gp, 0
	la	t6, on_machine_trap
	csrw	mtvec, t6
	la	t6, on_supervisor_trap
	csrw	stvec, t6
	j	main

	.balign 4
on_machine_trap:
	csrr	s2, mcause
	csrr	s3, mepc
	csrr	s4, mtval
	csrr	s5, mstatus
	li	s6, M_MODE
	jr	s11

	.balign 4
on_supervisor_trap:
	csrr	s2, scause
	csrr	s3, sepc
	csrr	s4, stval
	csrr	s5, sstatus
	li	s6, S_MODE
	jr	s11

fail:
	slli	t5, gp, 1
	ori	t5, t5, 1
	li	t6, TOHOST
	sw	t5, 0(t6)
1:	j	1b
	.globl	main
