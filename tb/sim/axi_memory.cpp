#include "axi_memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "error.h"
#include "line_tags.h"

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

constexpr uint64_t kMaxSecondLevel = 64 << 20;
constexpr unsigned kMaxHitCycles = 1000;

// l2:SIZE:N, with what is below it after a plus sign.
std::unique_ptr<AxiMemory> make_second_level(const std::string &kind,
                                             Memory &memory) {
  const size_t plus = kind.find('+');
  const std::string below =
      plus == std::string::npos ? kDefaultMemory : kind.substr(plus + 1);
  const std::string own = kind.substr(0, plus);
  unsigned long long size = 0;
  unsigned cycles = 0;
  char unit = 0, colon = 0, rest = 0;
  const int found = sscanf(own.c_str(), "l2:%9llu%c%c%9u%c", &size, &unit,
                           &colon, &cycles, &rest);
  const uint64_t bytes = size << (unit == 'M' || unit == 'm' ? 20 : 10);
  const bool sized = strchr("kKmM", unit) && unit && !(bytes & (bytes - 1)) &&
                     bytes >= LineTags::kMinBytes && bytes <= kMaxSecondLevel;
  if (found != 4 || colon != ':' || !sized || !cycles || cycles > kMaxHitCycles)
    throw SimError(format(
        "--memory %s: use l2:SIZE:N, SIZE a power of two from %lluK to %lluM "
        "with its suffix, N 1 to %u cycles of a hit, as in l2:256K:10",
        kind.c_str(), (unsigned long long)LineTags::kMinBytes >> 10,
        (unsigned long long)kMaxSecondLevel >> 20, kMaxHitCycles));
  if (below.rfind("l2", 0) == 0)
    throw SimError(format("--memory %s: there is one second level; use board, "
                          "board:MHZ or fixed:N after the plus sign",
                          kind.c_str()));
  return second_level(memory, bytes, cycles, make_memory(below, memory));
}
} // namespace

std::unique_ptr<AxiMemory> make_memory(const std::string &kind,
                                       Memory &memory) {
  unsigned number;
  if (kind.rfind("l2", 0) == 0)
    return make_second_level(kind, memory);
  if (parse(kind, "board", 10, 400, BOARD_MHZ, number))
    return board_memory(memory, number);
  if (parse(kind, "fixed", 1, 100000, 0, number))
    return fixed_memory(memory, number);
  throw SimError(format("--memory %s does not exist; there are board, "
                        "board:MHZ, fixed:N and l2:SIZE:N",
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
