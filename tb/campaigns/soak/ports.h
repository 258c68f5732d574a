// Ports of the Verilated MMU, written and read whatever their width, and left
// alone where a configuration does not have them.
#pragma once

#include <array>
#include <cstdint>

#include "Vmmu.h"
#include "verilated.h"

#ifdef GRANULE_IP // the block with registers: its port of invalidations
#define io_invalidate_cmd_valid io_sfence_cmd_valid
#define io_invalidate_cmd_ready io_sfence_cmd_ready
#define io_invalidate_cmd_payload_kind io_sfence_cmd_payload_kind
#define io_invalidate_cmd_payload_lastLevelOnly                                \
  io_sfence_cmd_payload_lastLevelOnly
#define io_invalidate_cmd_payload_operand io_sfence_cmd_payload_operand
#define io_invalidate_cmd_payload_ds io_sfence_cmd_payload_ds
#define io_invalidate_done io_sfence_done
#endif

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
GRANULE_INPUT(satp)
GRANULE_INPUT(htab)
GRANULE_INPUT(selected)
GRANULE_INPUT(fault_valid)
GRANULE_INPUT(fetch_cmd_payload_mxr)
GRANULE_INPUT(data_cmd_payload_mxr)
GRANULE_INPUT(walk_rsp_payload_unsupported)
GRANULE_INPUT(fetchMachine)
GRANULE_INPUT(dataMachine)
GRANULE_INPUT(pmp_bindsMachine)
GRANULE_INPUT(pmp_changes)
GRANULE_INPUT(at_valid)
GRANULE_INPUT(at_payload_va)
GRANULE_INPUT(at_payload_write)
GRANULE_INPUT(at_payload_el1)
GRANULE_INPUT(at_payload_pan)
GRANULE_INPUT(apb_PSEL)
GRANULE_INPUT(apb_PENABLE)
GRANULE_INPUT(apb_PWRITE)
GRANULE_INPUT(apb_PADDR)
GRANULE_INPUT(apb_PWDATA)
GRANULE_OUTPUT(at_ready)
GRANULE_OUTPUT(par)
GRANULE_OUTPUT(walk_cmd_payload_size)
GRANULE_OUTPUT(walk_cmd_payload_swap)
GRANULE_OUTPUT(walk_cmd_payload_expected)
GRANULE_OUTPUT(walk_cmd_payload_desired)

// An entry of physical memory protection, as its ports have it; `flags` are
// tor, aligned, read, write, execute and locked, from bit 0 on.
struct PmpWords {
  uint64_t address = 0, mask = 0, flags = 0;
  bool locks() const { return flags & 3 && flags & 32; }
};

#define GRANULE_ENTRY(n)                                                       \
  GRANULE_INPUT(pmp_entries_##n##_address)                                     \
  GRANULE_INPUT(pmp_entries_##n##_mask)                                        \
  GRANULE_INPUT(pmp_entries_##n##_tor)                                         \
  GRANULE_INPUT(pmp_entries_##n##_aligned)                                     \
  GRANULE_INPUT(pmp_entries_##n##_read)                                        \
  GRANULE_INPUT(pmp_entries_##n##_write)                                       \
  GRANULE_INPUT(pmp_entries_##n##_execute)                                     \
  GRANULE_INPUT(pmp_entries_##n##_locked)                                      \
  inline void put_entry_##n(Vmmu &top, const PmpWords &words) {                \
    put_pmp_entries_##n##_address(top, {words.address, 0}, 0);                 \
    put_pmp_entries_##n##_mask(top, {words.mask, 0}, 0);                       \
    put_pmp_entries_##n##_tor(top, {words.flags & 1, 0}, 0);                   \
    put_pmp_entries_##n##_aligned(top, {words.flags >> 1 & 1, 0}, 0);          \
    put_pmp_entries_##n##_read(top, {words.flags >> 2 & 1, 0}, 0);             \
    put_pmp_entries_##n##_write(top, {words.flags >> 3 & 1, 0}, 0);            \
    put_pmp_entries_##n##_execute(top, {words.flags >> 4 & 1, 0}, 0);          \
    put_pmp_entries_##n##_locked(top, {words.flags >> 5 & 1, 0}, 0);           \
  }
GRANULE_ENTRY(0)
GRANULE_ENTRY(1)
GRANULE_ENTRY(2)
GRANULE_ENTRY(3)
GRANULE_ENTRY(4)
GRANULE_ENTRY(5)
GRANULE_ENTRY(6)
GRANULE_ENTRY(7)

const unsigned kEntries = 8;
using Protection = std::array<PmpWords, kEntries>;

inline void protect(Vmmu &top, const Protection &entries) {
  void (*const put[])(Vmmu &, const PmpWords &) = {
      put_entry_0, put_entry_1, put_entry_2, put_entry_3,
      put_entry_4, put_entry_5, put_entry_6, put_entry_7};
  bool binds = false;
  for (unsigned i = 0; i < kEntries; i++) {
    put[i](top, entries[i]);
    binds |= entries[i].locks();
  }
  put_pmp_bindsMachine(top, {binds, 0}, 0);
}

// One entry opens everything.
inline Protection open_memory() {
  Protection entries;
  entries[0] = {0xffffffff, (1ull << 33) - 1, 0b11110};
  return entries;
}

// Inputs that nobody else drives: they begin with anything.
inline void quiet(Vmmu &top) {
  put_pmp_changes(top, {}, 0);
  put_at_valid(top, {}, 0);
  put_apb_PSEL(top, {}, 0);
  put_apb_PENABLE(top, {}, 0);
  put_fault_valid(top, {}, 0);
  put_htab(top, {}, 0);
  put_selected(top, {}, 0);
  top.io_walk_cmd_ready = top.io_walk_rsp_valid = 0;
  top.io_fetch_cmd_valid = top.io_data_cmd_valid = 0;
  top.io_invalidate_cmd_valid = 0;
  protect(top, open_memory());
}

// The registers, as a script has them in a row.
const unsigned kRegisters = 13;
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
  put_htab(top, {word[12], 0}, 0);
}
