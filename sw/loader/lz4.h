/* LZ4 blocks (lz4_Block_format.md, LZ4 1.10). */
#ifndef LOADER_LZ4_H
#define LOADER_LZ4_H

#include <stdbool.h>
#include <stdint.h>

/* Writes what the block stands for: exactly `length` bytes to `to`. Matches may reach back before
 * `to`, but not before `oldest`. False when the block is no such thing; nothing is then written
 * outside of `to`, or read outside of block and memory from `oldest` on. */
bool lz4_unpack(const uint8_t *block, uint32_t size, uint8_t *to, uint32_t length,
                const uint8_t *oldest);

#endif
