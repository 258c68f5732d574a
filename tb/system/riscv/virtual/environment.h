// clang-format off
/* Environment of a process: U-mode under Sv32, paged in on demand by kernel.c. The program and its
 * data are the pages of section .user, which the process sees from address 0 on. */
#include "checks.h"
#define U_MODE 0
	.macro begin mode
	.section .user, "awx", @progbits
	.globl	user_start
user_start:
	.endm

	.macro data
	.balign 16
	.endm
