#include "drivers/finisher.h"
#include "drivers/device.h"
#include "granule_map.h"

/* The stores are never answered. */
void finisher_power_off(unsigned status)
{
    device_write(GRANULE_FINISHER_BASE,
                 status ? status << 16 | GRANULE_FINISHER_FAIL : GRANULE_FINISHER_PASS);
    __builtin_unreachable();
}

void finisher_reset(void)
{
    device_write(GRANULE_FINISHER_BASE, GRANULE_FINISHER_RESET);
    __builtin_unreachable();
}
