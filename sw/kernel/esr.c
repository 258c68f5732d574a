#include "kernel/esr.h"
#include "lib/printf.h"

#define EC_SHIFT 26
#define WNR      BIT(6)

static const char *class_name(u32 ec)
{
    switch (ec) {
    case 0x20:
        return "instruction abort from EL0";
    case 0x21:
        return "instruction abort from EL1";
    case 0x24:
        return "data abort from EL0";
    case 0x25:
        return "data abort from EL1";
    }
    return "no abort";
}

#define NO_LEVEL (-128)

/* Status codes (spec 7.2): `count` of them from `first` on; levels count up from `level`. */
static const struct {
    u8 first, count;
    int level;
    const char *name;
} faults[] = {
    {0x00, 4, 0, "address size fault"},
    {0x29, 1, -1, "address size fault"},
    {0x2c, 1, -2, "address size fault"},
    {0x04, 4, 0, "translation fault"},
    {0x2b, 1, -1, "translation fault"},
    {0x2a, 1, -2, "translation fault"},
    {0x08, 4, 0, "access flag fault"},
    {0x0c, 4, 0, "permission fault"},
    {0x14, 4, 0, "external abort on walk"},
    {0x13, 1, -1, "external abort on walk"},
    {0x12, 1, -2, "external abort on walk"},
    {0x10, 1, NO_LEVEL, "external abort"},
    {0x21, 1, NO_LEVEL, "alignment fault"},
    {0x31, 1, NO_LEVEL, "unsupported update of a descriptor"},
};

int esr_status_describe(u32 status, char *text, size_t size)
{
    for (u32 i = 0; i < ARRAY_SIZE(faults); i++) {
        u32 nth = status - faults[i].first;

        if (nth >= faults[i].count)
            continue;
        if (faults[i].level == NO_LEVEL)
            return ksnprintf(text, size, "%s", faults[i].name);
        return ksnprintf(text, size, "%s, level %d", faults[i].name, faults[i].level + (int)nth);
    }
    return ksnprintf(text, size, "status 0x%02x", status);
}

int esr_describe(u32 esr, char *text, size_t size)
{
    u32 ec = esr >> EC_SHIFT;
    bool data = ec == 0x24 || ec == 0x25;
    const char *kind = data ? esr & WNR ? ", write" : ", read" : "";
    char fault[48];

    if (!esr)
        return ksnprintf(text, size, "no fault recorded");
    esr_status_describe(esr & 63, fault, sizeof fault);
    return ksnprintf(text, size, "%s%s, %s", class_name(ec), kind, fault);
}
