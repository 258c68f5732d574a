// What the page's worker calls (docs/web/worker.js): machines by number, each
// an MMU with its memory.
#include <emscripten/emscripten.h>
#include <memory>

#include "mmu_machine.h"

namespace {
std::vector<std::unique_ptr<MmuMachine>> machines;
std::string names;
} // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE unsigned create(uint64_t tcr, uint64_t ttbr0,
                                     uint64_t ttbr1, uint64_t mair,
                                     uint64_t sctlr) {
  machines.push_back(std::make_unique<MmuMachine>(
      MmuMachine::Registers{tcr, ttbr0, ttbr1, mair, sctlr}));
  return machines.size() - 1;
}

EMSCRIPTEN_KEEPALIVE void forget_machines() { machines.clear(); }

EMSCRIPTEN_KEEPALIVE void set_registers(unsigned machine, uint64_t tcr,
                                        uint64_t ttbr0, uint64_t ttbr1,
                                        uint64_t mair, uint64_t sctlr) {
  machines[machine]->set({tcr, ttbr0, ttbr1, mair, sctlr});
}

EMSCRIPTEN_KEEPALIVE void write_descriptor(unsigned machine, uint64_t address,
                                           uint64_t descriptor) {
  machines[machine]->write(address, descriptor);
}

EMSCRIPTEN_KEEPALIVE uint64_t read_descriptor(unsigned machine,
                                              uint64_t address) {
  return machines[machine]->read(address);
}

EMSCRIPTEN_KEEPALIVE int translate(unsigned machine, uint64_t va, unsigned kind,
                                   int el1) {
  return machines[machine]->access({va, kind, el1 != 0});
}

EMSCRIPTEN_KEEPALIVE int invalidate(unsigned machine, unsigned kind,
                                    int last_level_only, uint64_t operand) {
  return machines[machine]->invalidate(kind, last_level_only != 0, operand);
}

EMSCRIPTEN_KEEPALIVE void pass(unsigned machine, unsigned cycles) {
  machines[machine]->pass(cycles);
}

EMSCRIPTEN_KEEPALIVE const char *signal_names() {
  names = machines[0]->names();
  return names.c_str();
}

EMSCRIPTEN_KEEPALIVE const uint64_t *frame_words(unsigned machine) {
  return machines[machine]->frames.words();
}
EMSCRIPTEN_KEEPALIVE unsigned frame_count(unsigned machine) {
  return machines[machine]->frames.count();
}
EMSCRIPTEN_KEEPALIVE unsigned frame_size(unsigned machine) {
  return machines[machine]->frames.size();
}
EMSCRIPTEN_KEEPALIVE void drop_frames(unsigned machine) {
  machines[machine]->frames.clear();
}
}
