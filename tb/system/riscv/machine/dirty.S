/* A and D by software: M-mode with MPRV runs into page faults of S-mode, sets what is missing, and
 * goes on. Tables with one superpage each for code and data, and one page.
 */
#include "environment.h"
#define V 0x01
#define R 0x02
#define W 0x04
#define X 0x08
#define U 0x10
#define A 0x40
#define D 0x80
#define VA 0x00345678
	begin	M_MODE
	/* VA 0x345000 is the page `frame`; its entry has neither A nor D. */
	la	s3, root
	la	s4, leaves
	la	s5, frame
	srli	a0, s4, 12
	slli	a0, a0, 10
	ori	a0, a0, V
	sw	a0, 0(s3)
	srli	s6, s5, 12
	slli	s6, s6, 10
	ori	s6, s6, V | R | W
	li	a0, 0x345 * 4
	add	s4, s4, a0	/* the leaf */
	sw	s6, 0(s4)
	li	a0, 1 << 31
	srli	a1, s3, 12
	or	a0, a0, a1
	csrw	satp, a0
	csrr	a1, satp
	check_equal a0, a1
	sfence.vma
	li	s7, 0	/* traps seen */
	li	s8, VA
	li	a0, MSTATUS_MPP
	csrc	mstatus, a0
	li	a0, 1 << 11
	csrs	mstatus, a0

	/* A load sets A only ... */
	li	s9, MSTATUS_MPRV
	csrs	mstatus, s9
	lw	a1, 0(s8)
	csrc	mstatus, s9
	check	a1, 0x13572468
	check	s7, 1
	lw	a0, 0(s4)
	ori	a1, s6, A
	check_equal a0, a1
	/* ... a store D too, and is done once. */
	csrs	mstatus, s9
	li	a1, 5
	amoadd.w a2, a1, (s8)
	csrc	mstatus, s9
	check	s7, 2
	check	a2, 0x13572468
	lw	a0, 0(s4)
	ori	a1, s6, A | D
	check_equal a0, a1
	lw	a0, 0x678(s5)
	check	a0, 0x1357246d
	/* Both at once, from nothing. */
	sw	s6, 0(s4)
	sfence.vma s8
	csrs	mstatus, s9
	sw	a1, 0(s8)
	csrc	mstatus, s9
	check	s7, 4
	lw	a0, 0(s4)
	ori	a1, s6, A | D
	check_equal a0, a1
	csrw	satp, zero
	end

	/* Sets what the access lacks. The trap left MPRV set and MPP = M: memory is M's here. */
machine_trap:
	csrr	t5, mtval
	bne	t5, s8, fail
	addi	s7, s7, 1
	csrr	t5, mcause
	lw	t6, 0(s4)
	andi	t6, t6, A
	bnez	t6, 1f
	lw	t6, 0(s4)	/* A is missing, for loads and stores */
	ori	t6, t6, A
	j	2f
1:	li	t6, 15
	bne	t5, t6, fail
	lw	t6, 0(s4)
	ori	t6, t6, D
2:	sw	t6, 0(s4)
	sfence.vma s8, zero
	li	t6, MSTATUS_MPP
	csrc	mstatus, t6
	li	t6, 1 << 11	/* S, whose rights MPRV lends */
	csrs	mstatus, t6
	la	t6, 3f
	csrrw	t6, mepc, t6
	li	t5, MSTATUS_MPP
	csrs	mstatus, t5	/* return to M-mode ... */
	mret
3:	li	t5, MSTATUS_MPP
	csrc	mstatus, t5
	li	t5, 1 << 11	/* ... and have MPP = S again */
	csrs	mstatus, t5
	jr	t6
	data
	.balign	4096
root:	.zero	4096
leaves:	.zero	4096
frame:	.zero	0x678
	.word	0x13572468
	.zero	4096
