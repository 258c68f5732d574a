#include "mmu_machine.h"

#include "Vmmu___024root.h"

MmuMachine::MmuMachine(const Registers &registers) : top_(&context_) {
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

void MmuMachine::set(const Registers &registers) {
  top_.io_context_tcr = registers.tcr;
  top_.io_context_ttbr0 = registers.ttbr0;
  top_.io_context_ttbr1 = registers.ttbr1;
  top_.io_context_mair = registers.mair;
  top_.io_context_sctlr = registers.sctlr;
}

uint64_t MmuMachine::read(uint64_t address) const {
  const auto found = memory_.find(address);
  return found == memory_.end() ? 0 : found->second;
}

std::string MmuMachine::names() { return Frames::names(*top_.rootp); }

void MmuMachine::low() {
  top_.io_walk_cmd_ready = wait_ == 0;
  top_.io_walk_rsp_valid = wait_ == 1;
  top_.io_walk_rsp_payload_data = answer_;
  top_.clk = 0;
  top_.eval();
}

// A command that is taken is performed at once, as one atomic step.
void MmuMachine::edge() {
  frames.capture(*top_.rootp);
  if (wait_ > 0) {
    wait_--;
  } else if (top_.io_walk_cmd_valid) {
    const uint64_t address = top_.io_walk_cmd_payload_address;
    answer_ = read(address);
    if (top_.io_walk_cmd_payload_swap &&
        answer_ == top_.io_walk_cmd_payload_expected)
      memory_[address] = top_.io_walk_cmd_payload_desired;
    wait_ = kLatency;
  }
  top_.clk = 1;
  top_.eval();
}

void MmuMachine::cycles(unsigned count) {
  while (count--) {
    low();
    edge();
  }
}

// Announced for two cycles, as the registers may have changed before, and until
// it is answered.
bool MmuMachine::access(const Access &access) {
  const bool execute = access.kind == 2;
  auto &ahead = execute ? top_.io_fetch_ahead_valid : top_.io_data_ahead_valid;
  auto &valid = execute ? top_.io_fetch_cmd_valid : top_.io_data_cmd_valid;
  auto &ready = execute ? top_.io_fetch_cmd_ready : top_.io_data_cmd_ready;
  (execute ? top_.io_fetch_ahead_payload : top_.io_data_ahead_payload) =
      access.va;
  (execute ? top_.io_fetch_cmd_payload_va : top_.io_data_cmd_payload_va) =
      access.va;
  (execute ? top_.io_fetch_cmd_payload_access
           : top_.io_data_cmd_payload_access) = access.kind;
  (execute ? top_.io_fetch_cmd_payload_el1 : top_.io_data_cmd_payload_el1) =
      access.el1;
  ahead = 1;
  cycles(2);
  valid = 1;
  bool answered = false;
  for (unsigned n = 0; n < kLimit && !answered; n++) {
    low();
    answered = ready;
    edge();
  }
  ahead = valid = 0;
  cycles(2);
  return answered;
}

bool MmuMachine::invalidate(unsigned kind, bool last_level_only,
                            uint64_t operand) {
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
