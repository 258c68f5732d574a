#include "lz4.h"

#define LEAST_MATCH 4
#define LONG        15 /* in a token: further bytes add to the length */

struct block {
    const uint8_t *at, *end;
};

/* Bytes are added to a length up to the first that is not 255. */
static bool take_length(struct block *block, uint32_t *length)
{
    uint8_t byte;

    if (*length != LONG)
        return true;
    do {
        if (block->at == block->end || *length > UINT32_MAX / 2)
            return false;
        byte = *block->at++;
        *length += byte;
    } while (byte == 255);
    return true;
}

bool lz4_unpack(const uint8_t *packed, uint32_t size, uint8_t *to, uint32_t length,
                const uint8_t *oldest)
{
    struct block block = {packed, packed + size};
    uint8_t *end = to + length;

    while (block.at != block.end) {
        uint32_t literals = *block.at >> 4, match = *block.at & 15, offset;

        block.at++;
        if (!take_length(&block, &literals) || literals > (uint32_t)(block.end - block.at) ||
            literals > (uint32_t)(end - to))
            return false;
        while (literals--)
            *to++ = *block.at++;
        if (block.at == block.end) /* the last sequence has no match */
            return to == end;
        if (block.end - block.at < 2)
            return false;
        offset = block.at[0] | block.at[1] << 8;
        block.at += 2;
        if (!take_length(&block, &match))
            return false;
        match += LEAST_MATCH;
        if (!offset || offset > (uint32_t)(to - oldest) || match > (uint32_t)(end - to))
            return false;
        for (; match; match--, to++)
            *to = *(to - offset); /* it may overlap what it makes */
    }
    return false;
}
