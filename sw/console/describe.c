#include "console/describe.h"

struct rights kernel_rights(pte_t leaf)
{
    bool write = pte_writable(leaf), user_writes = write && (leaf & PTE_USER);

    return (struct rights){true, write, !(leaf & PTE_PXN) && !user_writes && !write};
}

struct rights user_rights(pte_t leaf)
{
    bool user = leaf & PTE_USER, write = user && pte_writable(leaf);

    return (struct rights){user, write, !(leaf & PTE_UXN) && !write};
}

static unsigned number(struct rights r)
{
    return r.read + 2u * r.write + 4u * r.execute;
}

const char *rights_letters(struct rights rights)
{
    static const char *const letters[] = {"---", "r--", "-w-", "rw-", "--x", "r-x", "-wx", "rwx"};

    return letters[number(rights)];
}

const char *rights_words(struct rights rights)
{
    static const char *const words[] = {
        "do nothing",
        "read",
        "write",
        "read and write",
        "execute",
        "read and execute",
        "write and execute",
        "read, write and execute",
    };

    return words[number(rights)];
}

const char *memory_type_words(u8 mair)
{
    if (!(mair & 0xf0))
        return "device";
    return mair == 0xff ? "write-back" : mair == 0x44 ? "not cached" : "cached";
}

u64 leaf_attributes(pte_t leaf)
{
    return leaf & ~(PTE_ADDR_MASK | PTE_TYPE);
}
