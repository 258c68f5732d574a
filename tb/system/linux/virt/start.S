/* Reset and traps of the machine-mode program (sbi.c). QEMU's boot ROM jumps here with the hart in
 * a0, the device tree in a1 and, in a2, where it loaded the kernel (struct firmware_info). */
	.text
	.globl _start
_start:
	la	sp, stack_end
	csrw	mscratch, sp
	la	t0, trap_entry
	csrw	mtvec, t0
	mv	s0, a0
	mv	s1, a1
	mv	a0, a2
	call	machine_setup		/* returns the kernel's first instruction */
	csrw	mepc, a0
	mv	a0, s0
	mv	a1, s1
	mret

	/* regs[n] is register n; machine mode takes no trap of its own. */
	.balign	4
trap_entry:
	csrrw	sp, mscratch, sp
	addi	sp, sp, -128
	.irp	n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	sw	x\n, 4*\n(sp)
	.endr
	mv	a0, sp
	call	machine_trap
	.irp	n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	lw	x\n, 4*\n(sp)
	.endr
	addi	sp, sp, 128
	csrrw	sp, mscratch, sp
	mret

	.bss
	.balign	16
	.space	4096
stack_end:
