#include "lib/fdt.h"
#include "lib/string.h"

#define MAGIC 0xd00dfeedu

enum { HEADER_MAGIC, HEADER_SIZE, HEADER_STRUCT, HEADER_STRINGS };
enum { BEGIN_NODE = 1, END_NODE, PROP, NOP, END = 9 };

#define MAX_DEPTH 8

static u32 cell(const u32 *at)
{
    return __builtin_bswap32(*at);
}

u32 fdt_size(const void *tree)
{
    const u32 *header = tree;

    return cell(header + HEADER_MAGIC) == MAGIC ? cell(header + HEADER_SIZE) : 0;
}

static u32 *skip(u32 *at, u32 bytes)
{
    return at + (bytes + 3) / 4;
}

void *fdt_property(void *tree, const char *node, const char *name, u32 *length)
{
    const u32 *header = tree;
    const char *strings = (const char *)tree + cell(header + HEADER_STRINGS);
    u32 *at = (u32 *)(void *)((char *)tree + cell(header + HEADER_STRUCT));
    const char *path[MAX_DEPTH];
    u32 depth = 0;

    for (;;) {
        u32 token = cell(at++);

        if (token == BEGIN_NODE) {
            if (depth == MAX_DEPTH)
                return NULL;
            path[depth++] = (const char *)at;
            at = skip(at, (u32)strlen((const char *)at) + 1);
        } else if (token == END_NODE) {
            depth--;
        } else if (token == PROP) {
            *length = cell(at);
            if (!strcmp(path[depth - 1], node) && !strcmp(strings + cell(at + 1), name))
                return at + 2;
            at = skip(at + 2, *length);
        } else if (token != NOP) {
            return NULL;
        }
    }
}

static u32 *cell_of(void *tree, const char *node, const char *name, u32 cell)
{
    u32 length;
    u32 *cells = fdt_property(tree, node, name, &length);

    return cells && length >= 4 * (cell + 1) ? cells + cell : NULL;
}

u32 fdt_get_cell(void *tree, const char *node, const char *name, u32 cell)
{
    const u32 *found = cell_of(tree, node, name, cell);

    return found ? __builtin_bswap32(*found) : 0;
}

bool fdt_set_cell(void *tree, const char *node, const char *name, u32 cell, u32 value)
{
    u32 *found = cell_of(tree, node, name, cell);

    if (found)
        *found = __builtin_bswap32(value);
    return found;
}

void *fdt_of(char *trees, const char *end, const char *machine)
{
    for (u32 size, length; trees < end && (size = fdt_size(trees)); trees += ALIGN_UP(size, 8)) {
        const char *name = fdt_property(trees, "", "granule,configuration", &length);

        if (name && !strcmp(name, machine))
            return trees;
    }
    return NULL;
}
