// clang-format off
/* Environment without translation: the start code of tb/sim/programs enters U-mode, and continues
 * behind the ecall of the test. A trap is a failure. */
#include "checks.h"
	.macro begin
	.globl	main
main:	addi	sp, sp, -16
	sw	ra, 0(sp)
	li	a0, 0	/* U-mode */
	la	a1, 1f
	mv	a3, sp	/* which U-mode does not use */
	call	run_in
	srli	a0, a0, 1
	lw	t0, trap + 12	/* how many there were */
	or	a0, a0, t0
	lw	ra, 0(sp)
	addi	sp, sp, 16
	ret
1:	li	gp, 0
	.endm

	.macro data
	.data
	.balign 16
	.endm
