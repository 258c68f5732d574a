/* A little of everything that needs no memory: integers, multiplication, division, branches. */
#include "environment.h"
	begin	U_MODE
	li	a0, 0x7fffffff
	li	a1, 1
	add	a2, a0, a1
	check	a2, 0x80000000
	sub	a2, a1, a0
	check	a2, 0x80000002
	slt	a2, a2, a1
	check	a2, 1
	sltu	a2, a0, a1
	check	a2, 0
	li	a3, 0xdeadbeef
	sra	a2, a3, a1
	check	a2, 0xef56df77
	srl	a2, a3, a1
	check	a2, 0x6f56df77
	slli	a2, a3, 31
	check	a2, 0x80000000
	xori	a2, a3, -1
	check	a2, 0x21524110
	auipc	a2, 0
	auipc	a4, 1
	sub	a2, a4, a2
	check	a2, 0x1004
	li	a4, 12345
	mul	a2, a3, a4
	check	a2, 0x287c5337
	mulh	a2, a3, a4
	check	a2, 0xfffff9b9
	mulhu	a2, a3, a4
	check	a2, 0x000029f2
	mulhsu	a2, a3, a4
	check	a2, 0xfffff9b9
	div	a2, a3, a4
	check	a2, 0xffff4f1c
	rem	a2, a3, a4
	check	a2, -7757
	divu	a2, a3, a4
	check	a2, 302626
	div	a2, a3, zero
	check	a2, -1
	rem	a2, a3, zero
	check_equal a2, a3
	li	a4, 0x80000000
	li	a5, -1
	div	a2, a4, a5
	check_equal a2, a4
	rem	a2, a4, a5
	check	a2, 0

	/* A loop with every branch: the sum of the odd numbers below 100. */
	li	a0, 0
	li	a1, 0
1:	andi	a2, a1, 1
	beqz	a2, 2f
	add	a0, a0, a1
2:	addi	a1, a1, 1
	li	a2, 100
	bltu	a1, a2, 1b
	check	a0, 2500
	bne	a1, a2, fail
	bge	a5, a1, fail
	bgeu	a1, a5, fail
	blt	a5, a1, 3f
	j	fail
3:	jal	a0, 4f
4:	la	a1, 4b
	check_equal a0, a1
	end
	data
