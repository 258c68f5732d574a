// clang-format off
/* Checks of the assembly programs here, whatever environment they run in.
 *
 * gp is the number of the last check; the run ends with it when that check fails. t5 and t6 are
 * scratch. A program is BEGIN, checks, END and its data behind DATA; the environment ends a run at
 * an ecall with a7 = 93, a0 = 0 or (number of the failed check << 1 | 1).
 */
	.macro check reg, value
	addi	gp, gp, 1
	li	t6, \value
	bne	\reg, t6, fail
	.endm

	.macro check_equal a, b
	addi	gp, gp, 1
	bne	\a, \b, fail
	.endm

	/* Behind everything that a program checks. */
	.macro end leave="ecall"
	fence
	li	a0, 0
	li	a7, 93
	\leave
fail:	fence
1:	beqz	gp, 1b	/* a program that lost its count does not end */
	slli	a0, gp, 1
	ori	a0, a0, 1
	li	a7, 93
	\leave
	.endm
