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

/* Faults whose two low status bits are the level; NULL: `status` is none of them. */
static const char *levelled_fault(u32 status)
{
    switch (status >> 2) {
    case 0x0:
        return "address size fault";
    case 0x1:
        return "translation fault";
    case 0x2:
        return "access flag fault";
    case 0x3:
        return "permission fault";
    case 0x5:
        return "external abort on walk";
    }
    return NULL;
}

int esr_describe(u32 esr, char *text, size_t size)
{
    u32 ec = esr >> EC_SHIFT, status = esr & 63;
    bool data = ec == 0x24 || ec == 0x25;
    const char *kind = data ? esr & WNR ? ", write" : ", read" : "";
    const char *fault = levelled_fault(status);

    if (!esr)
        return ksnprintf(text, size, "no fault recorded");
    if (fault)
        return ksnprintf(text, size, "%s%s, %s, level %u", class_name(ec), kind, fault, status & 3);
    if (status == 0x10)
        fault = "external abort";
    else if (status == 0x21)
        fault = "alignment fault";
    else
        return ksnprintf(text, size, "%s%s, status 0x%02x", class_name(ec), kind, status);
    return ksnprintf(text, size, "%s%s, %s", class_name(ec), kind, fault);
}
