// Ports of the Verilated MMU, written and read whatever their width, and left
// alone where a configuration does not have them.
#pragma once

#include <array>
#include <cstdint>

#include "Vmmu.h"
#include "verilated.h"

#ifdef GRANULE_IP // the block with registers
#define INVALIDATE(name) io_sfence_##name
#else
#define INVALIDATE(name) io_invalidate_##name
#endif

// A value of up to 128 bits.
struct Wide {
  uint64_t low, high;
  Wide(uint64_t low = 0, uint64_t high = 0) : low(low), high(high) {}
  bool operator==(const Wide &) const = default;
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
  return static_cast<uint64_t>(port);
}

template <std::size_t Words> Wide get(const VlWide<Words> &port) {
  uint32_t word[4] = {};
  for (std::size_t i = 0; i < Words && i < 4; i++)
    word[i] = port[i];
  return {word[0] | uint64_t(word[1]) << 32, word[2] | uint64_t(word[3]) << 32};
}

// A port that a configuration may lack: nothing is written then, and `absent`
// is read.
#define PUT(top, name, value)                                                  \
  [&](auto &ports) {                                                           \
    if constexpr (requires { ports.io_##name; })                               \
      put(ports.io_##name, value);                                             \
  }(top)
#define GET(top, name, absent)                                                 \
  [&](const auto &ports) -> Wide {                                             \
    if constexpr (requires { ports.io_##name; })                               \
      return get(ports.io_##name);                                             \
    else                                                                       \
      return absent;                                                           \
  }(top)

// An entry of physical memory protection, as its ports have it; `flags` are
// tor, aligned, read, write, execute and locked, from bit 0 on.
struct PmpWords {
  uint64_t address = 0, mask = 0, flags = 0;
  bool locks() const { return flags & 3 && flags & 32; }
};

const unsigned kEntries = 8;
using Protection = std::array<PmpWords, kEntries>;

inline void protect(Vmmu &top, const Protection &entries) {
#define GRANULE_ENTRY(n)                                                       \
  PUT(top, pmp_entries_##n##_address, entries[n].address);                     \
  PUT(top, pmp_entries_##n##_mask, entries[n].mask);                           \
  PUT(top, pmp_entries_##n##_tor, entries[n].flags & 1);                       \
  PUT(top, pmp_entries_##n##_aligned, entries[n].flags >> 1 & 1);              \
  PUT(top, pmp_entries_##n##_read, entries[n].flags >> 2 & 1);                 \
  PUT(top, pmp_entries_##n##_write, entries[n].flags >> 3 & 1);                \
  PUT(top, pmp_entries_##n##_execute, entries[n].flags >> 4 & 1);              \
  PUT(top, pmp_entries_##n##_locked, entries[n].flags >> 5 & 1)
  GRANULE_ENTRY(0);
  GRANULE_ENTRY(1);
  GRANULE_ENTRY(2);
  GRANULE_ENTRY(3);
  GRANULE_ENTRY(4);
  GRANULE_ENTRY(5);
  GRANULE_ENTRY(6);
  GRANULE_ENTRY(7);
  bool binds = false;
  for (const PmpWords &entry : entries)
    binds |= entry.locks();
  PUT(top, pmp_bindsMachine, binds);
}

// One entry opens everything.
inline Protection open_memory() {
  Protection entries;
  entries[0] = {0xffffffff, (1ull << 33) - 1, 0b11110};
  return entries;
}

// Inputs that nobody else drives: they begin with anything.
inline void quiet(Vmmu &top) {
  PUT(top, pmp_changes, 0);
  PUT(top, at_valid, 0);
  PUT(top, apb_PSEL, 0);
  PUT(top, apb_PENABLE, 0);
  PUT(top, fault_valid, 0);
  PUT(top, htab, 0);
  PUT(top, selected, 0);
  top.io_walk_cmd_ready = top.io_walk_rsp_valid = 0;
  top.io_fetch_cmd_valid = top.io_data_cmd_valid = 0;
  top.INVALIDATE(cmd_valid) = 0;
  protect(top, open_memory());
}

// The registers, as a script has them in a row.
const unsigned kRegisters = 13;
using Registers = std::array<uint64_t, kRegisters>;

inline void put_context(Vmmu &top, const Registers &word) {
  PUT(top, context_sctlr, word[0]);
  PUT(top, context_tcr, word[1]);
  PUT(top, context_ttbr0, word[2]);
  PUT(top, context_ttbr0High, word[3]);
  PUT(top, context_ttbr1, word[4]);
  PUT(top, context_ttbr1High, word[5]);
  PUT(top, context_mair, word[6]);
  PUT(top, context_mair2, word[7]);
  PUT(top, context_tcr2, word[8]);
  PUT(top, context_pir, word[9]);
  PUT(top, context_pire0, word[10]);
  PUT(top, context_satp, word[11]);
  PUT(top, htab, word[12]);
}
