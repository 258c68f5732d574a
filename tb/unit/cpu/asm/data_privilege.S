/* Privilege of loads and stores: SUM, MPRV with MPP; of fetch: never SUM, never MPRV (scenario
 * c17). A is the kernel's alias of memory, B the users', as CpuBench.scala has them.
 */
#include "test.h"
#define BUFFER 0x80020000
#define KERNEL(x) (x + 0x20000000)
#define USER(x) (x + 0x30000000)
main:
	write_word BUFFER + 0, 11
	write_word BUFFER + 4, 22
	write_word BUFFER + 8, 33
	write_word BUFFER + 12, 44
	li	s0, KERNEL(BUFFER)
	li	s1, USER(BUFFER)
	/* M-mode is untranslated: all of it. */
	lw	a0, 0(s0)
	expect	a0, 11
	lw	a0, 0(s1)
	expect	a0, 11

	/* U-mode: only its own. */
	enter	U_MODE
	lw	a0, 4(s1)
	expect	a0, 22
	sw	a0, 8(s1)
	traps	13, KERNEL(BUFFER), lw a0, 0(s0)
	enter	U_MODE
	traps	15, KERNEL(BUFFER + 4), sw a0, 4(s0)
	expect_word FAULT_WHAT, 0x08f	/* not EL1, a write, status 0x0f */

	/* S-mode: its own; the user's only with SUM. */
	li	a1, MSTATUS_SUM
	csrc	mstatus, a1
	enter	S_MODE
	lw	a0, 4(s0)
	expect	a0, 22
	traps	13, USER(BUFFER), lw a0, 0(s1)
	expect_word FAULT_WHAT, 0x04f	/* EL1, a read */
	enter	S_MODE
	addi	a2, s1, 4
	traps	15, USER(BUFFER + 4), amoadd.w a0, a0, (a2)
	enter	S_MODE
	/* The very next access after SUM is set passes, after it is cleared faults. */
	csrs	sstatus, a1
	lw	a0, 0(s1)
	csrc	sstatus, a1
	expect	a0, 11
	csrs	sstatus, a1
	sw	a0, 12(s1)
	csrc	sstatus, a1
	traps	15, USER(BUFFER + 8), sw a0, 8(s1)

	/* S-mode may not execute user memory, SUM or not; U-mode may. */
	csrs	mstatus, a1
	la	a3, 1f
	li	a4, 0x30000000
	add	a3, a3, a4	/* the user's alias */
	enter	S_MODE
	la	s11, 2f
	jr	a3
1:	j	fail
2:	expect	s2, 12
	expect_equal s3, a3
	expect_equal s4, a3
	expect_word FAULT_WHAT, 0x14f	/* execute, EL1 */
	csrc	mstatus, a1
	la	a3, 3f
	add	a3, a3, a4
	enter	U_MODE
	jr	a3
3:	la	s11, 4f
	ecall
4:	expect	s2, 8
	srli	a0, s3, 28
	expect	a0, 0xb
	la	t5, 1f	/* leave the alias: la is relative to pc */
	sub	t5, t5, a4
	jr	t5
1:
	/* And U-mode not the kernel's. */
	la	a3, 5f
	li	a4, 0x20000000
	add	a3, a3, a4
	enter	U_MODE
	la	s11, 5f
	jr	a3
5:	expect	s2, 12
	expect_word FAULT_WHAT, 0x10f

	/* MPRV: M's loads and stores with MPP's rights; the fetches, from here on of pages that U-mode
	   may not execute, stay M's. */
	la	t5, 1f
	add	t5, t5, a4
	jr	t5
1:
	li	a1, MSTATUS_MPP
	csrc	mstatus, a1	/* U */
	li	a1, MSTATUS_MPRV
	csrs	mstatus, a1
	la	s11, 6f
	lw	a0, 0(s0)
	j	fail
6:	csrr	a2, mcause
	li	t6, 13
	bne	a2, t6, fail
	/* The trap set MPP = M: rights are M's again. */
	lw	a0, 0(s0)
	expect	a0, 11
	li	a1, MSTATUS_MPP
	csrc	mstatus, a1
	lw	a0, 0(s1)
	li	a1, S_MODE << 11
	csrs	mstatus, a1	/* S, SUM off */
	la	s11, 7f
	lw	a0, 0(s1)
	j	fail
7:	expect	s2, 13
	li	a1, MSTATUS_MPRV
	csrc	mstatus, a1
	lw	a0, 0(s1)
	expect	a0, 11
	pass

