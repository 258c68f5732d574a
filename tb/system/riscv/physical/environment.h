// clang-format off
/* Environment without translation: resets the core as a program does that knows nothing of it, then
 * enters the mode that the test names (`begin U_MODE`).
 *
 * CSRs that a core may lack are written with mtvec set to the code behind: a trap skips them. Traps
 * go to `machine_trap` or `supervisor_trap` of the test, if it has them; ecalls end the run, and so
 * does any other trap, as a failure. t5 and t6 are lost by every trap.
 */
#include "checks.h"
#include "granule_map.h"
#define U_MODE 0
#define S_MODE 1
#define M_MODE 3
#define MSTATUS_SIE (1 << 1)
#define MSTATUS_SPP (1 << 8)
#define MSTATUS_MPP (3 << 11)
#define MSTATUS_MPRV (1 << 17)
#define MSTATUS_SUM (1 << 18)
#define MSTATUS_TVM (1 << 20)
#define MSTATUS_TW (1 << 21)
#define MSTATUS_TSR (1 << 22)
#define DELEGATED 0xb0ff	/* to S-mode, if the test handles traps there: all but ecalls */

	/* An instruction of M-mode that may trap. */
	.macro if_it_exists instruction:vararg
	la	t0, 9f
	csrw	mtvec, t0
	\instruction
	.balign 4
9:
	.endm

	.macro begin mode
	.section .text.init
	.globl	_start
_start:	j	reset

	.balign 4
trap_vector:
	csrr	t5, mcause
	li	t6, 8
	beq	t5, t6, ends
	li	t6, 9
	beq	t5, t6, ends
	li	t6, 11
	beq	t5, t6, ends
	la	t5, machine_trap
	beqz	t5, unexpected
	jr	t5
unexpected:
	ori	gp, gp, 1024
	slli	a0, gp, 1
	ori	a0, a0, 1
ends:	li	t5, GRANULE_FINISHER_BASE
	li	t6, GRANULE_FINISHER_PASS
	srli	a0, a0, 1
	beqz	a0, 1f
	slli	a0, a0, 16
	li	t6, GRANULE_FINISHER_FAIL
	or	t6, t6, a0
1:	sw	t6, 0(t5)

	.weak	machine_trap
	.weak	supervisor_trap
reset:
	.irp	r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
	li	x\r, 0
	.endr
	.irp	r, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	li	x\r, 0
	.endr
	csrr	a0, mhartid
1:	bnez	a0, 1b	/* only the first hart runs */
	if_it_exists csrwi 0x744, 8	/* mnstatus.NMIE */
	if_it_exists csrwi satp, 0
	li	t1, -1
	li	t2, 0x1f	/* all of memory, for everyone */
	if_it_exists csrw pmpaddr0, t1
	if_it_exists csrw pmpcfg0, t2
	if_it_exists csrwi medeleg, 0
	if_it_exists csrwi mideleg, 0
	csrwi	mie, 0
	la	t0, trap_vector
	csrw	mtvec, t0
	la	t0, supervisor_trap
	beqz	t0, 1f
	csrw	stvec, t0
	li	t0, DELEGATED
	csrw	medeleg, t0
1:	csrwi	mstatus, 0
	li	t0, \mode << 11
	csrs	mstatus, t0
	la	t0, 1f
	csrw	mepc, t0
	csrr	a0, mhartid
	mret
1:
	.endm

	.macro data
	.data
	.balign 16
	.endm
