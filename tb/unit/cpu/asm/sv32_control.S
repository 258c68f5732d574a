/* What the core does for Sv32: satp, the operands of sfence.vma, MXR, SUM and MPRV on their way to
 * the MMU. */
#include "test.h"
#define LAST_SFENCE 0xC000002C
#define OPERAND_LOW 0xC0000030
#define OPERAND_HIGH 0xC0000034
#define PRIVILEGE 0xC0000038
#define SATP 0xC000003C
#define KIND_ALL 0
#define KIND_ASID 1
#define KIND_VA 2
#define KIND_VA_ALL 3
#define BUFFER 0x80020000
#define EL1 1
#define PAN 2
#define MXR 4
#define UNTRANSLATED 8

	/* One fence, and the command that it sent. */
	.macro fences kind, low, high, instruction:vararg
	\instruction
	expect_word LAST_SFENCE, \kind
	expect_word OPERAND_LOW, \low
	expect_word OPERAND_HIGH, \high
	.endm

	/* The privilege with which a load goes out. */
	.macro loads_as privilege
	li	a0, BUFFER
	lw	a0, 0(a0)
	li	a0, PRIVILEGE
	lw	s7, 0(a0)
	leave	/* so that MPRV and a lower mode cannot disturb the check */
	expect	s7, \privilege
	.endm

	/* Sets the fields of mstatus that count, in M-mode. */
	.macro status_bits bits
	li	a0, MSTATUS_MPRV | MSTATUS_SUM | MSTATUS_MXR | MSTATUS_MPP
	csrc	mstatus, a0
	li	a0, \bits
	csrs	mstatus, a0
	.endm
main:
	/* satp keeps MODE, ASID and PPN, and the MMU sees it with the next instruction. */
	li	a0, 0xffffffff
	csrw	satp, a0
	csrr	a1, satp
	expect	a1, 0xffffffff
	expect_word SATP, 0xffffffff
	li	a0, 0x80345678
	csrrw	a1, satp, a0
	expect	a1, 0xffffffff
	expect_word SATP, 0x80345678
	csrrsi	a1, satp, 7
	expect	a1, 0x80345678
	expect_word SATP, 0x8034567f

	/* A write of satp fetches anew what stands behind it, a read does not. */
	la	t5, 1f
	li	t6, 0x00500513	/* li a0, 5 */
	sw	t6, 0(t5)
	csrw	satp, a1
1:	li	a0, 4
	expect	a0, 5
	csrr	a0, cycle
	csrr	a2, satp
	csrr	a3, cycle
	sub	a3, a3, a0
	csrr	a0, cycle
	csrr	a2, sscratch
	csrr	a4, cycle
	sub	a4, a4, a0
	expect_equal a3, a4

	/* The four forms, by register number and not by value. */
	li	s0, 0xfedcb123
	li	s1, 0xfe5
	li	s7, 0
	fences	KIND_VA_ALL, 0xffffedcb, 0x00000fff, sfence.vma s0
	fences	KIND_VA, 0xffffedcb, 0x01e50fff, sfence.vma s0, s1
	sfence.vma zero, s1
	expect_word LAST_SFENCE, KIND_ASID
	li	t5, OPERAND_HIGH
	lbu	t6, 2(t5)
	lbu	t5, 3(t5)
	slli	t5, t5, 8
	or	a0, t5, t6
	expect	a0, 0x1e5
	sfence.vma
	expect_word LAST_SFENCE, KIND_ALL
	fences	KIND_VA, 0, 0, sfence.vma s7, s7
	fences	KIND_VA_ALL, 0, 0, sfence.vma s7
	/* The operand of an instruction right in front. */
	li	a0, 0x7ffff000
	li	a1, 2
	mul	a1, a1, a1
	lw	a2, 2f
	fences	KIND_VA, 0x12345, 0x00040000, sfence.vma a2, a1
	/* S-mode's too; what is illegal sends nothing. */
	li	a0, SFENCES
	lw	s8, 0(a0)
	enter	S_MODE
	sfence.vma s0, s1
	leave
	expect_word LAST_SFENCE, KIND_VA
	enter	U_MODE
	traps_illegal sfence.vma s0, s1
	li	a0, MSTATUS_TVM
	csrs	mstatus, a0
	enter	S_MODE
	traps_illegal sfence.vma s0
	enter	S_MODE
	traps_illegal csrr a0, satp
	enter	S_MODE
	traps_illegal csrw satp, a0
	li	a0, MSTATUS_TVM
	csrc	mstatus, a0
	enter	U_MODE
	traps_illegal csrw satp, a0
	enter	U_MODE
	traps_illegal csrr a0, satp
	expect_word SATP, 0x80345678
	li	a0, SFENCES
	lw	a0, 0(a0)
	addi	s8, s8, 1
	expect_equal a0, s8
	/* A write of an entry of physical memory protection sends one, for everything, whatever
	 * the instruction behind it names. */
	csrw	pmpaddr3, s0
	add	a0, s0, s1
	expect_word LAST_SFENCE, KIND_ALL
	csrw	pmpcfg1, zero
	li	a0, SFENCES
	lw	a0, 0(a0)
	addi	s8, s8, 2
	expect_equal a0, s8
	enter	S_MODE
	csrw	satp, zero
	leave
	expect_word SATP, 0
	/* Without Sv32 each fence is for everything. */
	sfence.vma s0, s1
	expect_word LAST_SFENCE, KIND_ALL

	/* SUM and MXR go with the access, and only below M-mode. */
	status_bits 0
	loads_as UNTRANSLATED
	status_bits 0
	enter	S_MODE
	loads_as EL1 | PAN
	status_bits MSTATUS_SUM | MSTATUS_MXR
	enter	S_MODE
	loads_as EL1 | MXR
	status_bits MSTATUS_MXR
	enter	S_MODE
	loads_as EL1 | PAN | MXR
	status_bits MSTATUS_MXR
	enter	U_MODE
	loads_as MXR
	status_bits 0
	enter	U_MODE
	loads_as 0
	/* MPRV lends M-mode the rights of MPP. */
	status_bits MSTATUS_MPRV | S_MODE << 11
	loads_as EL1 | PAN
	status_bits MSTATUS_MPRV | MSTATUS_MXR | MSTATUS_SUM | S_MODE << 11
	loads_as EL1 | MXR
	status_bits MSTATUS_MPRV | MSTATUS_MXR | U_MODE << 11
	loads_as MXR
	status_bits MSTATUS_MPRV | M_MODE << 11
	loads_as UNTRANSLATED
	pass
	.balign 4
2:	.word	0x12345678
