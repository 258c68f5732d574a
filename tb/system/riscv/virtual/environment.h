// clang-format off
/* Environment of a process: U-mode under Sv32, paged in on demand by kernel.c. The program and its
 * data are the pages of section .data.user, which the process sees from address 0 on. */
#include "checks.h"
	.macro begin
	.option	norelax	/* it knows no alignment of code in data */
	.section .data.user
	.balign	4096
	.globl	user_image
user_image:
	.endm

	.macro data
	.balign 16
	.endm
