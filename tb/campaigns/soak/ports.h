// Ports of the Verilated MMU, written and read whatever their width, and left
// alone where a configuration does not have them.
#pragma once

#include <array>
#include <cstdint>

#include "Vmmu.h"
#include "verilated.h"

// A value of up to 128 bits.
struct Wide {
  uint64_t low = 0, high = 0;
  bool operator==(const Wide &other) const {
    return low == other.low && high == other.high;
  }
};

template <class Port> void put(Port &port, Wide value) {
  port = static_cast<Port>(value.low);
}

template <std::size_t Words> void put(VlWide<Words> &port, Wide value) {
  for (std::size_t i = 0; i < Words; i++)
    port[i] =
        static_cast<uint32_t>((i < 2 ? value.low : value.high) >> 32 * (i % 2));
}

template <class Port> Wide get(const Port &port) {
  return {static_cast<uint64_t>(port), 0};
}

template <std::size_t Words> Wide get(const VlWide<Words> &port) {
  uint32_t word[4] = {};
  for (std::size_t i = 0; i < Words && i < 4; i++)
    word[i] = port[i];
  return {word[0] | uint64_t(word[1]) << 32, word[2] | uint64_t(word[3]) << 32};
}

// put_NAME and get_NAME: the second overload is chosen where the port does not
// exist.
#define GRANULE_INPUT(name)                                                    \
  template <class Top>                                                         \
  auto put_##name(Top &top, Wide value, int)                                   \
      ->decltype(top.io_##name, void()) {                                      \
    put(top.io_##name, value);                                                 \
  }                                                                            \
  template <class Top> void put_##name(Top &, Wide, long) {}
#define GRANULE_OUTPUT(name)                                                   \
  template <class Top>                                                         \
  auto get_##name(const Top &top, Wide, int)                                   \
      ->decltype(top.io_##name, Wide()) {                                      \
    return get(top.io_##name);                                                 \
  }                                                                            \
  template <class Top> Wide get_##name(const Top &, Wide absent, long) {       \
    return absent;                                                             \
  }

GRANULE_INPUT(context_sctlr)
GRANULE_INPUT(context_tcr)
GRANULE_INPUT(context_ttbr0)
GRANULE_INPUT(context_ttbr1)
GRANULE_INPUT(context_ttbr0High)
GRANULE_INPUT(context_ttbr1High)
GRANULE_INPUT(context_mair)
GRANULE_INPUT(context_tcr2)
GRANULE_INPUT(context_pir)
GRANULE_INPUT(context_pire0)
GRANULE_INPUT(context_mair2)
GRANULE_INPUT(context_satp)
GRANULE_INPUT(fetch_cmd_payload_mxr)
GRANULE_INPUT(data_cmd_payload_mxr)
GRANULE_INPUT(walk_rsp_payload_unsupported)
GRANULE_INPUT(fetchMachine)
GRANULE_INPUT(dataMachine)
GRANULE_INPUT(pmp_entries_0_address)
GRANULE_INPUT(pmp_entries_0_mask)
GRANULE_INPUT(pmp_entries_0_aligned)
GRANULE_INPUT(pmp_entries_0_read)
GRANULE_INPUT(pmp_entries_0_write)
GRANULE_INPUT(pmp_entries_0_execute)
GRANULE_OUTPUT(walk_cmd_payload_size)
GRANULE_OUTPUT(walk_cmd_payload_swap)
GRANULE_OUTPUT(walk_cmd_payload_expected)
GRANULE_OUTPUT(walk_cmd_payload_desired)

// Physical memory protection opens everything, with one entry.
inline void open_memory(Vmmu &top) {
  put_pmp_entries_0_address(top, {~0ull, 0}, 0);
  put_pmp_entries_0_mask(top, {(1ull << 33) - 1, 0}, 0);
  put_pmp_entries_0_aligned(top, {1, 0}, 0);
  put_pmp_entries_0_read(top, {1, 0}, 0);
  put_pmp_entries_0_write(top, {1, 0}, 0);
  put_pmp_entries_0_execute(top, {1, 0}, 0);
}

// The registers, as a script has them in a row.
const unsigned kRegisters = 12;
inline void put_context(Vmmu &top,
                        const std::array<uint64_t, kRegisters> &word) {
  put_context_sctlr(top, {word[0], 0}, 0);
  put_context_tcr(top, {word[1], 0}, 0);
  put_context_ttbr0(top, {word[2], 0}, 0);
  put_context_ttbr0High(top, {word[3], 0}, 0);
  put_context_ttbr1(top, {word[4], 0}, 0);
  put_context_ttbr1High(top, {word[5], 0}, 0);
  put_context_mair(top, {word[6], 0}, 0);
  put_context_mair2(top, {word[7], 0}, 0);
  put_context_tcr2(top, {word[8], 0}, 0);
  put_context_pir(top, {word[9], 0}, 0);
  put_context_pire0(top, {word[10], 0}, 0);
  put_context_satp(top, {word[11], 0}, 0);
}
