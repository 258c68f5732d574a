// The MMU alone, with a memory that holds its tables: one access or one
// invalidation at a time, every cycle of it recorded. The page's worker
// (docs/web/worker-mmu.js) has machines by number.
#include <emscripten/emscripten.h>
#include <memory>
#include <unordered_map>

#include "Vmmu.h"
#include "Vmmu___024root.h"
#include "frames.h"
#include "verilated.h"

#define CALLED extern "C" EMSCRIPTEN_KEEPALIVE

namespace {

constexpr unsigned kLatency = 3; // cycles from a read to its answer
constexpr unsigned kLimit = 1000;
constexpr unsigned kSweepIdle = 0;
constexpr unsigned kClearing = 256; // a main TLB clears its places

struct Registers {
  uint64_t tcr, ttbr0, ttbr1, mair, sctlr;
};

class Machine {
public:
  explicit Machine(const Registers &registers) : top_(&context_) {
    set(registers);
    top_.reset = 1;
    for (unsigned i = 0; i < 4; i++) {
      top_.clk = 0;
      top_.eval();
      top_.clk = 1;
      top_.eval();
    }
    top_.reset = 0;
    cycles(kClearing);
    frames.clear();
    cycles(2);
  }
  ~Machine() { top_.final(); }

  void set(const Registers &registers) {
    top_.io_context_tcr = registers.tcr;
    top_.io_context_ttbr0 = registers.ttbr0;
    top_.io_context_ttbr1 = registers.ttbr1;
    top_.io_context_mair = registers.mair;
    top_.io_context_sctlr = registers.sctlr;
  }

  // Announced for two cycles, as the registers may have changed before, and
  // until it is answered; false after kLimit cycles, which is a defect.
  bool access(uint64_t va, unsigned kind, bool el1) {
#define PORT(NAME) (kind == 2 ? top_.io_fetch_##NAME : top_.io_data_##NAME)
    PORT(ahead_payload) = va;
    PORT(cmd_payload_va) = va;
    PORT(cmd_payload_access) = kind;
    PORT(cmd_payload_el1) = el1;
    PORT(ahead_valid) = 1;
    cycles(2);
    PORT(cmd_valid) = 1;
    bool answered = false;
    for (unsigned n = 0; n < kLimit && !answered; n++) {
      low();
      answered = PORT(cmd_ready);
      edge();
    }
    PORT(ahead_valid) = PORT(cmd_valid) = 0;
#undef PORT
    cycles(2);
    return answered;
  }

  bool invalidate(unsigned kind, bool last_level_only, uint64_t operand) {
    top_.io_invalidate_cmd_payload_kind = kind;
    top_.io_invalidate_cmd_payload_lastLevelOnly = last_level_only;
    top_.io_invalidate_cmd_payload_operand = operand;
    top_.io_invalidate_cmd_valid = 1;
    bool done = false;
    for (unsigned n = 0; n < kLimit && !done; n++) {
      low();
      const bool accepted =
          top_.io_invalidate_cmd_valid && top_.io_invalidate_cmd_ready;
      done = top_.io_invalidate_done;
      edge();
      if (accepted)
        top_.io_invalidate_cmd_valid = 0;
    }
    // What a main TLB has is compared later; until then it does not answer.
    while (top_.rootp->mmu__DOT__sweep__DOT__state_3 != kSweepIdle)
      cycles(1);
    cycles(2);
    return done;
  }

  void cycles(unsigned count) {
    while (count--) {
      low();
      edge();
    }
  }

  std::string names() { return Frames::names(*top_.rootp); }

  Frames frames;
  std::unordered_map<uint64_t, uint64_t> memory; // what is not there is 0

private:
  // The inputs settle.
  void low() {
    top_.io_walk_cmd_ready = wait_ == 0;
    top_.io_walk_rsp_valid = wait_ == 1;
    top_.io_walk_rsp_payload_data = answer_;
    top_.clk = 0;
    top_.eval();
  }

  // A command that is taken is performed at once, as one atomic step.
  void edge() {
    frames.capture(*top_.rootp);
    if (wait_ > 0) {
      wait_--;
    } else if (top_.io_walk_cmd_valid) {
      uint64_t &word = memory[top_.io_walk_cmd_payload_address];
      answer_ = word;
      if (top_.io_walk_cmd_payload_swap &&
          answer_ == top_.io_walk_cmd_payload_expected)
        word = top_.io_walk_cmd_payload_desired;
      wait_ = kLatency;
    }
    top_.clk = 1;
    top_.eval();
  }

  VerilatedContext context_;
  Vmmu top_;
  unsigned wait_ = 0; // cycles until the answer that is due; 0: none is
  uint64_t answer_ = 0;
};

std::vector<std::unique_ptr<Machine>> machines;
std::string names;

} // namespace

CALLED void create(uint64_t tcr, uint64_t ttbr0, uint64_t ttbr1, uint64_t mair,
                   uint64_t sctlr) {
  machines.push_back(
      std::make_unique<Machine>(Registers{tcr, ttbr0, ttbr1, mair, sctlr}));
}
CALLED void forget_machines() { machines.clear(); }
CALLED void set_registers(unsigned number, uint64_t tcr, uint64_t ttbr0,
                          uint64_t ttbr1, uint64_t mair, uint64_t sctlr) {
  machines[number]->set({tcr, ttbr0, ttbr1, mair, sctlr});
}
CALLED void write_descriptor(unsigned number, uint64_t address, uint64_t word) {
  machines[number]->memory[address] = word;
}
CALLED int translate(unsigned number, uint64_t va, unsigned kind, int el1) {
  return machines[number]->access(va, kind, el1 != 0);
}
CALLED int invalidate(unsigned number, unsigned kind, int last_level_only,
                      uint64_t operand) {
  return machines[number]->invalidate(kind, last_level_only != 0, operand);
}
CALLED void pass(unsigned number, unsigned count) {
  machines[number]->cycles(count);
}
CALLED const char *signal_names() {
  names = machines[0]->names();
  return names.c_str();
}
CALLED const uint64_t *frame_words(unsigned number) {
  return machines[number]->frames.words();
}
CALLED unsigned frame_count(unsigned number) {
  return machines[number]->frames.count();
}
CALLED unsigned frame_size(unsigned number) {
  return machines[number]->frames.size();
}
CALLED void drop_frames(unsigned number) { machines[number]->frames.clear(); }
