/* Trees are written by gen/DeviceTree.scala, one a configuration, with room for what is set here.
 */
#include "sbi/machine_tree.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"
#include "lib/fdt.h"
#include "lib/string.h"
#include "sbi/memory.h"

extern char __trees_start[], __trees_end[];
extern char __tree_copy[], __tree_copy_end[];
extern char __initrd_start[], __initrd_end[];

static u32 address(const char *symbol)
{
    return (u32)(uintptr_t)symbol;
}

static bool fill(void *tree, const char *arguments)
{
    u32 firmware = address(__firmware_end) - address(__firmware_start), room;
    char *bootargs = fdt_property(tree, "chosen", "bootargs", &room);

    if (!bootargs || strlen(arguments) >= room)
        return false;
    memcpy(bootargs, arguments, strlen(arguments) + 1);
    return fdt_set_cell(tree, "memory@80000000", "reg", 3, sysinfo_lowmem_bytes()) &&
           fdt_set_cell(tree, "firmware@80000000", "reg", 3, firmware) &&
           fdt_set_cell(tree, "cpus", "timebase-frequency", 0, sysinfo_clock_hz()) &&
           fdt_set_cell(tree, "clock", "clock-frequency", 0, sysinfo_clock_hz()) &&
           fdt_set_cell(tree, "chosen", "linux,initrd-start", 0, address(__initrd_start)) &&
           fdt_set_cell(tree, "chosen", "linux,initrd-end", 0, address(__initrd_end));
}

const void *machine_tree(const char *arguments)
{
    const void *tree = fdt_of(__trees_start, __trees_end, sysinfo_name());

    if (!tree || fdt_size(tree) > (u32)(__tree_copy_end - __tree_copy))
        return NULL;
    memcpy(__tree_copy, tree, fdt_size(tree));
    return fill(__tree_copy, arguments) ? __tree_copy : NULL;
}
