/* Prints a line on the serial port and resets the board: the smallest program that shows an
 * upload. */
#include "granule_map.h"

    .globl _start
_start:
    la      a1, greeting
    li      a2, GRANULE_UART_BASE          /* serial port, as the loader left it; the word at 0
                                             * is negative while its queue is full */
1:  lbu     a0, 0(a1)
    beqz    a0, 3f
2:  lw      a3, 0(a2)
    bltz    a3, 2b
    sw      a0, 0(a2)
    addi    a1, a1, 1
    j       1b
3:  lw      a3, 0x14(a2)            /* the queue is empty, */
    andi    a3, a3, 1
    beqz    a3, 3b
    li      a3, 10000               /* and its last character has left */
4:  addi    a3, a3, -1
    bnez    a3, 4b
    li      a2, GRANULE_FINISHER_BASE
    li      a3, GRANULE_FINISHER_RESET
    sw      a3, 0(a2)

    .data
    .globl boot_command_line
boot_command_line:
    .space  64
    .size   boot_command_line, 64
greeting:
    .asciz  "hello from SDRAM\r\n"
