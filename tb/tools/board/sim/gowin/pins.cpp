// The Tang Nano 20K from its pins up: what it does with bytes at given cycles.
//
//   pins STIMULUS CYCLES
//
// STIMULUS has lines `cycle byte`, in order; the byte's start bit comes in that
// cycle. Each change of an output is a line `cycle uart_tx led`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>

#include "Vtangnano20k.h"

namespace {
constexpr unsigned kBitCycles = (BOARD_MHZ * 1000000 + 57600) / 115200;
constexpr unsigned kFrameBits = 10;

struct Byte {
  uint64_t cycle;
  unsigned value;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("usage: pins STIMULUS CYCLES\n", stderr);
    return 2;
  }
  std::ifstream file(argv[1]);
  std::deque<Byte> line;
  for (Byte byte; file >> byte.cycle >> byte.value;)
    line.push_back(byte);
  const uint64_t cycles = strtoull(argv[2], nullptr, 0);

  const auto top = std::make_unique<Vtangnano20k>();
  top->uart_rx = 1;
  top->button_s1 = 0;
  int before = -1;
  for (uint64_t cycle = 0; cycle < cycles; cycle++) {
    while (!line.empty() &&
           cycle >= line.front().cycle + kFrameBits * kBitCycles)
      line.pop_front();
    top->uart_rx = 1;
    if (!line.empty() && cycle >= line.front().cycle)
      top->uart_rx = (0x200 | line.front().value << 1) >>
                         (cycle - line.front().cycle) / kBitCycles &
                     1;
    top->clk_27mhz = 0;
    top->eval();
    const int now = top->led << 1 | top->uart_tx;
    if (now != before)
      printf("%llu %d %d\n", (unsigned long long)cycle, now & 1, now >> 1);
    before = now;
    top->clk_27mhz = 1;
    top->eval();
  }
  return 0;
}
