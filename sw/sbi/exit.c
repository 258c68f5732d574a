#include "sbi/exit.h"
#include "drivers/finisher.h"
#include "drivers/uart.h"

void machine_exit(unsigned code)
{
    uart_drain();
    finisher_power_off(code);
}

void machine_reset(void)
{
    uart_drain();
    finisher_reset();
}
