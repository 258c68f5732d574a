#include "reference.h"

#include <cstring>

#include "error.h"

namespace {
constexpr char kIsa[] = "rv32ima_zicsr_zifencei_zicbom_zicntr_zihpm";
constexpr uint32_t kInterrupt = 1u << 31;
constexpr uint32_t kMip = 0x344, kSip = 0x144, kMenvcfg = 0x30a;
constexpr uint32_t kResetMenvcfg = 0x50; // cbo.inval flushes below M-mode
constexpr uint32_t kPmpcfg0 = 0x3a0, kPmpaddr0 = 0x3b0;

cfg_t config(unsigned pmp_regions) {
  cfg_t result;
  result.isa = kIsa;
  result.priv = "MSU";
  result.pmpregions = pmp_regions;
  result.trigger_count = 0;
  result.hartids = {0};
  return result;
}

bool is_csr(uint32_t word) { return (word & 0x7f) == 0x73 && word >> 12 & 3; }
bool is_sc(uint32_t word) { return (word & 0x7f) == 0x2f && word >> 27 == 3; }

// What a simulator cannot know: pending interrupts, counters and time, which
// events there are, and who made the core.
bool is_external(uint32_t csr) {
  const uint32_t high = csr >> 5;
  return csr == kMip || csr == kSip || (csr >= 0x320 && csr <= 0x33f) ||
         high == 0xb00 >> 5 || high == 0xb80 >> 5 || high == 0xc00 >> 5 ||
         high == 0xc80 >> 5 || (csr >= 0xf11 && csr <= 0xf15);
}
} // namespace

Reference::Reference(Memory &memory, uint32_t pc, unsigned pmp_regions)
    : memory_(memory), config_(config(pmp_regions)),
      hart_(std::make_unique<processor_t>(kIsa, "MSU", &config_, this, 0, false,
                                          nullptr, std::cerr)),
      state_(*hart_->get_state()) {
  debug_mmu = nullptr;
  harts_[0] = hart_.get();
  hart_->set_max_vaddr_bits(32); // Sv32
  hart_->reset();
  hart_->put_csr(kMenvcfg, kResetMenvcfg);
  if (pmp_regions) { // Spike opens everything by the first one
    hart_->put_csr(kPmpcfg0, 0);
    hart_->put_csr(kPmpaddr0, 0);
  }
  state_.pc = int32_t(pc);
}

char *Reference::addr_to_mem(reg_t address) {
  uint32_t *word = memory_.word(address & ~reg_t(3));
  return word ? reinterpret_cast<char *>(word) + (address & 3) : nullptr;
}

// A device answers what it answered the core, and where it did not answer the
// core had a fault.
bool Reference::mmio_load(reg_t, size_t bytes, uint8_t *data) {
  memcpy(data, &commit_.value, bytes);
  return commit_.kind == Commit::instruction;
}

bool Reference::mmio_store(reg_t, size_t, const uint8_t *) {
  return commit_.kind == Commit::instruction;
}

// Before the step: an interrupt is pending exactly when the core takes it, and
// a reservation is lost when the core has lost it.
void Reference::external_state(const Commit &commit) {
  const bool interrupt =
      commit.kind == Commit::trap && commit.cause & kInterrupt;
  state_.mip->backdoor_write_with_mask(
      ~reg_t(0), interrupt ? reg_t(1) << (commit.cause & 31) : 0);
  hart_->clear_waiting_for_interrupt();
  if (commit.kind == Commit::instruction && is_sc(commit.word) && commit.value)
    hart_->get_mmu()->yield_load_reservation();
}

std::string Reference::compare_trap(const Commit &commit) {
  const bool supervisor = state_.prv == PRV_S;
  const auto got = [&](int machine, int super) {
    return uint32_t(hart_->get_csr(supervisor ? super : machine));
  };
  const uint32_t cause = got(0x342, 0x142), epc = got(0x341, 0x141),
                 tval = got(0x343, 0x143);
  if (cause != commit.cause)
    return format("cause %x, not %x", cause, commit.cause);
  if (epc != commit.pc)
    return format("epc %08x, not %08x", epc, commit.pc);
  if (tval != commit.value)
    return format("tval %08x, not %08x", tval, commit.value);
  return "";
}

std::string Reference::step(const Commit &commit) {
  commit_ = commit;
  if (uint32_t(state_.pc) != commit.pc)
    return format("pc %08x, not %08x", uint32_t(state_.pc), commit.pc);
  if (state_.prv != commit.privilege)
    return format("privilege %u, not %u", unsigned(state_.prv),
                  commit.privilege);
  external_state(commit);
  hart_->step(1);
  if (commit.kind == Commit::trap)
    return compare_trap(commit);
  if (is_csr(commit.word) && commit.rd && is_external(commit.word >> 20))
    state_.XPR.write(commit.rd, int32_t(commit.value));
  if (commit.rd)
    registers_[commit.rd] = commit.value;
  for (unsigned i = 1; i < 32; i++)
    if (uint32_t(state_.XPR[i]) != registers_[i])
      return format("x%u %08x, not %08x", i, uint32_t(state_.XPR[i]),
                    registers_[i]);
  return "";
}
