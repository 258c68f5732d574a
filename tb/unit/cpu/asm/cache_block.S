/* cbo.clean, cbo.inval and cbo.flush by VA, and who may use them (menvcfg, senvcfg). */
#include "test.h"
#define MENVCFG 0x30a
#define SENVCFG 0x10a
#define CBO_INVAL .word 0x0000200f | 10 << 15	/* cbo.inval (a0) */
#define CBO_CLEAN .word 0x0010200f | 10 << 15
#define CBO_FLUSH .word 0x0020200f | 10 << 15
/* What BLOCK_OP shows. */
#define CLEAN(va) ((5 << 29) | (va & 0x1fffffff))
#define INVALIDATE(va) ((6 << 29) | (va & 0x1fffffff))
#define FLUSH(va) ((7 << 29) | (va & 0x1fffffff))
main:
	li	a0, 0x80012345	/* no alignment asked for */
	CBO_CLEAN
	expect_word BLOCK_OP, CLEAN(0x80012345)
	CBO_INVAL
	expect_word BLOCK_OP, INVALIDATE(0x80012345)
	CBO_FLUSH
	expect_word BLOCK_OP, FLUSH(0x80012345)

	/* After reset S-mode may clean, and its cbo.inval flushes, so that it can drop no lines that
	   M-mode wrote. U-mode may nothing until S-mode lets it. */
	csrr	a1, SENVCFG
	expect	a1, 0
	csrr	a1, MENVCFG
	expect	a1, 0x50
	enter	S_MODE
	CBO_INVAL
	expect_word BLOCK_OP, FLUSH(0x80012345)
	leave
	enter	U_MODE
	traps_illegal CBO_INVAL
	enter	U_MODE
	traps_illegal CBO_CLEAN
	enter	U_MODE
	traps_illegal CBO_FLUSH
	pass
