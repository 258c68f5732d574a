/* Traps in M-mode: cause, xepc, xtval, and no effect of the instruction. */
#include "test.h"
#define BUFFER 0x80020000
main:
	write_word BUFFER + 0, 0x4030201
	write_word BUFFER + 4, 0x8070605
	li	s0, BUFFER
	/* Misaligned accesses: cause 4 for loads and lr, 6 for all others; rd and memory untouched. */
	li	a0, 77
	li	a1, BUFFER + 1
	mv	a2, a1
	traps	4, BUFFER + 1, lh a0, 1(s0)
	traps	4, BUFFER + 3, lhu a0, 3(s0)
	traps	4, BUFFER + 1, lw a0, 1(s0)
	traps	4, BUFFER + 2, lw a0, 2(s0)
	traps	4, BUFFER + 3, lw a0, 3(s0)
	traps	6, BUFFER + 1, sh a0, 1(s0)
	traps	6, BUFFER + 3, sh a0, 3(s0)
	traps	6, BUFFER + 1, sw a0, 1(s0)
	traps	6, BUFFER + 2, sw a0, 2(s0)
	traps	4, BUFFER + 1, lr.w a0, (a1)
	traps	6, BUFFER + 1, sc.w a0, a0, (a1)
	traps	6, BUFFER + 1, amoadd.w a0, a0, (a1)
	addi	a1, a1, 1
	traps	6, BUFFER + 2, amoswap.w a0, a0, (a1)
	expect	a0, 77
	expect_word BUFFER, 0x04030201
	/* Aligned halves and bytes at every lane do not trap. */
	lh	a3, 2(s0)
	expect	a3, 0x0403
	lb	a3, 3(s0)
	expect	a3, 4

	/* Calls and breakpoints. */
	traps	11, 0, ecall
	expect	s6, M_MODE
	la	s11, 2f
1:	ebreak
2:	expect	s2, 3
	la	a3, 1b
	expect_equal s3, a3
	expect_equal s4, a3

	/* Illegal words: reserved encodings of every opcode that is implemented in part. */
	traps_illegal .word 0x00000000
	traps_illegal .word 0xffffffff
	traps_illegal .word 0x00003003	/* ld */
	traps_illegal .word 0x00006003	/* lwu */
	traps_illegal .word 0x00003023	/* sd */
	traps_illegal .word 0x02001013	/* slli with bit 25 */
	traps_illegal .word 0x40001013	/* slli with bit 30 */
	traps_illegal .word 0x04000033	/* funct7 2 */
	traps_illegal .word 0x40001033	/* sll with funct7 32 */
	traps_illegal .word 0x00002063	/* branch funct3 2 */
	traps_illegal .word 0x00003063	/* branch funct3 3 */
	traps_illegal .word 0x00001067	/* jalr funct3 1 */
	traps_illegal .word 0x0000302f	/* amo.d */
	traps_illegal .word 0x1010202f	/* lr with rs2 */
	traps_illegal .word 0x2800202f	/* AMO funct5 5 */
	traps_illegal .word 0x00004073	/* system funct3 4 */
	traps_illegal .word 0x00200073	/* uret */
	traps_illegal .word 0x000010f3 | 0x7c000000
	traps_illegal .word 0x0040200f	/* cbo.zero is Zicboz */
	traps_illegal .word 0x0000207f
	traps_illegal .word 0x00000007	/* flw... no F */
	traps_illegal .word 0x0000001b	/* addiw */

	/* Jumps to an address that is not a multiple of 4: the jump traps, rd is not written. */
	la	a4, 3f
	addi	a4, a4, 2
	li	a0, 5
	la	s11, 4f
	li	s2, -1
3:	jalr	a0, 0(a4)
4:	expect	s2, 0
	la	a5, 3b
	expect_equal s3, a5
	expect_equal s4, a4
	expect	a0, 5
	/* jalr clears bit 0 of its target. */
	la	a4, 5f
	addi	a4, a4, 1
	jr	a4
	j	fail
5:	la	s11, 7f
	li	s2, -1
	li	a0, 5
6:	.word	0x0020056f	/* jal a0, . + 2 */
7:	expect	s2, 0
	la	a5, 6b
	expect_equal s3, a5
	addi	a5, a5, 2
	expect_equal s4, a5
	expect	a0, 5
	la	s11, 9f
	li	s2, -1
8:	.word	0x00000163	/* beq zero, zero, . + 2 */
9:	expect	s2, 0
	la	a5, 8b
	addi	a5, a5, 2
	expect_equal s4, a5
	/* Not taken, it does not trap. */
	la	s11, fail
	.word	0x00001163	/* bne zero, zero, . + 2 */
	pass

