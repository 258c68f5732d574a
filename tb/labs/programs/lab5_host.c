// Lab 5 on this computer: asks the student's code what stdin says.
//
//     machine CCSIDR TCR    prints `colours N`
//     at VA                 prints `at SET ZERO_PAGE`
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lab5.h"

int main(void)
{
    struct machine machine = {0, 0};
    char command[16];
    uint64_t number;
    while (scanf("%15s %" SCNx64, command, &number) == 2) {
        if (!strcmp(command, "machine") && scanf("%" SCNx64, &machine.tcr) == 1) {
            machine.ccsidr = number;
            printf("colours %x\n", colours(&machine));
        } else {
            printf("at %x %x\n", set_of(&machine, number), zero_page(&machine, number));
        }
    }
    return 0;
}
