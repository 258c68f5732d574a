// The model of the SDRAM by itself: what it allows after a pause without
// refresh. Prints what each case was told.
#include <cstdio>

#include "../../sim/error.h"
#include "sim/sdram.h"

namespace {
enum { kMode, kRefresh, kPrecharge, kActivate, kWrite, kRead, kNop = 7 };

class Chip {
public:
  void wait(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++)
      issue(kNop);
  }
  uint16_t issue(unsigned code, unsigned address = 0, int data = -1) {
    Sdram::Pins pins = {};
    pins.cke = true;
    pins.rasn = code >> 2 & 1, pins.casn = code >> 1 & 1, pins.wen = code & 1;
    pins.address = address;
    if (data >= 0)
      pins.data = data, pins.driven = 0xffff;
    chip_.clock(pins);
    return chip_.drives() ? chip_.data() : 0;
  }
  void start() {
    wait(13000); // 217 us
    issue(kPrecharge, 1 << 10);
    for (int i = 0; i < 8; i++) {
      wait(8);
      issue(kRefresh);
    }
    wait(8);
    issue(kMode, 2 << 4);
    wait(4);
  }
  void write(uint16_t data) {
    issue(kActivate), wait(4);
    issue(kWrite, 0, data), wait(8);
    issue(kPrecharge, 1 << 10), wait(4);
  }
  uint16_t read() {
    issue(kActivate), wait(4);
    uint16_t data = issue(kRead);
    for (int i = 0; i < 4; i++)
      data |= issue(kNop);
    issue(kPrecharge, 1 << 10), wait(4);
    return data;
  }

private:
  Sdram chip_{sdram_part("W9825G6JH6"), 60};
};

template <typename Steps> void tell(const char *name, Steps steps) {
  Chip chip;
  try {
    chip.start();
    chip.write(0x1234);
    printf("%s: %04x\n", name, steps(chip));
  } catch (const SimError &error) {
    printf("%s: %s\n", name, error.what());
  }
}
} // namespace

int main() {
  tell("at once", [](Chip &chip) { return chip.read(); });
  tell("refreshed", [](Chip &chip) {
    for (int i = 0; i < 100; i++)
      chip.issue(kRefresh), chip.wait(460);
    return chip.read();
  });
  tell("paused", [](Chip &chip) { return chip.wait(13000), chip.read(); });
  tell("started again", [](Chip &chip) { return chip.start(), chip.read(); });
}
