#include "axi_memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "error.h"

namespace {
constexpr unsigned kFixedAddress = 0, kWrap = 2; // kinds of burst

// The number after "NAME:", or `otherwise` when `kind` is the bare name.
bool parse(const std::string &kind, const std::string &name, unsigned min,
           unsigned max, unsigned otherwise, unsigned &number) {
  if (kind.rfind(name, 0) != 0)
    return false;
  const std::string rest = kind.substr(name.size());
  if (rest.empty() && otherwise) {
    number = otherwise;
    return true;
  }
  char *end = nullptr;
  const unsigned long value =
      rest.size() > 1 && rest[0] == ':' ? strtoul(&rest[1], &end, 10) : 0;
  if (!end || *end || value < min || value > max)
    throw SimError(format("--memory %s: use %s:%u to %s:%u", kind.c_str(),
                          name.c_str(), min, name.c_str(), max));
  number = unsigned(value);
  return true;
}
} // namespace

std::unique_ptr<AxiMemory> make_memory(const std::string &kind,
                                       Memory &memory) {
  unsigned number;
  if (parse(kind, "board", 10, 400, BOARD_MHZ, number))
    return board_memory(memory, number);
  if (parse(kind, "fixed", 1, 100000, 0, number))
    return fixed_memory(memory, number);
  throw SimError(format("--memory %s does not exist; there are board, "
                        "board:MHZ and fixed:N",
                        kind.c_str()));
}

uint64_t AxiMemory::Burst::next() {
  const uint64_t current = address;
  const uint64_t step = 1ull << size;
  if (kind == kWrap) {
    const uint64_t start = address & ~uint64_t(bytes - 1);
    address = start + ((address + step) & (bytes - 1));
  } else if (kind != kFixedAddress) {
    address = (address & ~(step - 1)) + step;
  }
  beats_left--;
  return current;
}

AxiMemory::Burst AxiMemory::burst(const MemoryPins::Command &command) {
  const unsigned beats = command.len + 1u, size = command.size;
  return {command.addr, beats, size, command.burst, command.id, beats << size};
}

void AxiMemory::give(MemoryPins::ReadData &r, const Burst &burst) {
  const uint32_t *word = memory_.word(burst.address);
  r = {true,
       r.ready,
       burst.beats_left == 1,
       word ? *word : 0,
       uint8_t(burst.id),
       uint8_t(word ? kOkay : kDecodeError)};
}

unsigned AxiMemory::write(uint64_t address, uint32_t data, unsigned strobe) {
  write_beats++;
  uint32_t *word = memory_.word(address);
  if (!word)
    return kDecodeError;
  uint32_t lanes = 0;
  for (unsigned lane = 0; lane < 4; lane++)
    if (strobe >> lane & 1)
      lanes |= 0xffu << (8 * lane);
  *word = (*word & ~lanes) | (data & lanes);
  return kOkay;
}
