// The MMU alone, with a memory that holds its tables: one access or one
// invalidation at a time, every cycle of it recorded. The page's worker
// (docs/web/worker-mmu.js) holds machines by their addresses.
#include <emscripten/emscripten.h>
#include <unordered_map>

#include "Vmmu.h"
#include "Vmmu___024root.h"
#include "frames.h"
#include "verilated.h"

#define CALLED extern "C" EMSCRIPTEN_KEEPALIVE

constexpr unsigned kLatency = 3; // cycles from a read to its answer
constexpr unsigned kLimit = 1000;
constexpr unsigned kClearing = 256; // a main TLB clears its places

struct Machine {
  VerilatedContext context;
  Vmmu top{&context};
  Frames frames;
  std::unordered_map<uint64_t, uint64_t> memory; // what is not there is 0
  unsigned wait = 0;   // cycles until the answer that is due; 0: none is
  uint64_t answer = 0; // to a read of the walker

  ~Machine() { top.final(); }

  // The inputs settle.
  void low() {
    top.io_walk_cmd_ready = wait == 0;
    top.io_walk_rsp_valid = wait == 1;
    top.io_walk_rsp_payload_data = answer;
    top.clk = 0;
    top.eval();
  }

  // A command that is taken is performed at once, as one atomic step.
  void edge() {
    frames.capture(*top.rootp);
    if (wait > 0) {
      wait--;
    } else if (top.io_walk_cmd_valid) {
      uint64_t &word = memory[top.io_walk_cmd_payload_address];
      answer = word;
      if (top.io_walk_cmd_payload_swap &&
          answer == top.io_walk_cmd_payload_expected)
        word = top.io_walk_cmd_payload_desired;
      wait = kLatency;
    }
    top.clk = 1;
    top.eval();
  }
};

static std::string names;

CALLED void pass(Machine *machine, unsigned count) {
  while (count--) {
    machine->low();
    machine->edge();
  }
}

CALLED void set_registers(Machine *machine, uint64_t tcr, uint64_t ttbr0,
                          uint64_t ttbr1, uint64_t mair, uint64_t sctlr) {
  Vmmu &top = machine->top;
  top.io_context_tcr = tcr;
  top.io_context_ttbr0 = ttbr0;
  top.io_context_ttbr1 = ttbr1;
  top.io_context_mair = mair;
  top.io_context_sctlr = sctlr;
}

// After reset, with these registers.
CALLED Machine *create(uint64_t tcr, uint64_t ttbr0, uint64_t ttbr1,
                       uint64_t mair, uint64_t sctlr) {
  auto *machine = new Machine;
  set_registers(machine, tcr, ttbr0, ttbr1, mair, sctlr);
  machine->top.reset = 1;
  for (unsigned i = 0; i < 4; i++) {
    machine->top.clk = 0;
    machine->top.eval();
    machine->top.clk = 1;
    machine->top.eval();
  }
  machine->top.reset = 0;
  pass(machine, kClearing);
  machine->frames.clear();
  pass(machine, 2);
  return machine;
}

CALLED void forget(Machine *machine) { delete machine; }

CALLED void write_descriptor(Machine *machine, uint64_t address,
                             uint64_t word) {
  machine->memory[address] = word;
}

// Announced for two cycles, as the registers may have changed before, and until
// it is answered; false after kLimit cycles, which is a defect.
CALLED bool translate(Machine *machine, uint64_t va, unsigned kind, bool el1) {
  Vmmu &top = machine->top;
#define PORT(NAME) (kind == 2 ? top.io_fetch_##NAME : top.io_data_##NAME)
  PORT(ahead_payload) = va;
  PORT(cmd_payload_va) = va;
  PORT(cmd_payload_access) = kind;
  PORT(cmd_payload_el1) = el1;
  PORT(ahead_valid) = 1;
  pass(machine, 2);
  PORT(cmd_valid) = 1;
  bool answered = false;
  for (unsigned n = 0; n < kLimit && !answered; n++) {
    machine->low();
    answered = PORT(cmd_ready);
    machine->edge();
  }
  PORT(ahead_valid) = PORT(cmd_valid) = 0;
#undef PORT
  pass(machine, 2);
  return answered;
}

CALLED bool invalidate(Machine *machine, unsigned kind, bool last_level_only,
                       uint64_t operand) {
  Vmmu &top = machine->top;
  top.io_invalidate_cmd_payload_kind = kind;
  top.io_invalidate_cmd_payload_lastLevelOnly = last_level_only;
  top.io_invalidate_cmd_payload_operand = operand;
  top.io_invalidate_cmd_valid = 1;
  bool done = false;
  for (unsigned n = 0; n < kLimit && !done; n++) {
    machine->low();
    const bool accepted =
        top.io_invalidate_cmd_valid && top.io_invalidate_cmd_ready;
    done = top.io_invalidate_done;
    machine->edge();
    if (accepted)
      top.io_invalidate_cmd_valid = 0;
  }
  // What a main TLB has is compared later; until then it does not answer.
  while (!top.io_invalidate_cmd_ready)
    pass(machine, 1);
  pass(machine, 2);
  return done;
}

CALLED const char *signal_names(Machine *machine) {
  names = Frames::names(*machine->top.rootp);
  return names.c_str();
}
CALLED const uint64_t *frame_words(Machine *machine) {
  return machine->frames.words();
}
CALLED unsigned frame_count(Machine *machine) {
  return machine->frames.count();
}
CALLED unsigned frame_size(Machine *machine) { return machine->frames.size(); }
CALLED void drop_frames(Machine *machine) { machine->frames.clear(); }
