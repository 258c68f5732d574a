/* satp exists and is zero: no mode but Bare. Every fence is for everything. */
#include "../test.h"
#define LAST_SFENCE 0xC000002C
#define SATP 0xC000003C
main:
	li	a0, 0xffffffff
	csrw	satp, a0
	csrr	a1, satp
	expect	a1, 0
	expect_word SATP, 0
	csrrs	a1, satp, a0
	expect	a1, 0
	sfence.vma a0, a0
	expect_word LAST_SFENCE, 0
	expect_word SFENCES, 1
	/* The rules of access stay. */
	enter	U_MODE
	traps_illegal csrr a0, satp
	li	a0, MSTATUS_TVM
	csrs	mstatus, a0
	enter	S_MODE
	traps_illegal csrr a0, satp
	pass
