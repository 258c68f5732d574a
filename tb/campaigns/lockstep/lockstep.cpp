// Compares the core with Spike, instruction by instruction: reads the commits
// of granule-sim from a file or pipe, and stops at the first difference.
//
//   lockstep PROGRAM.elf COMMITS INSTRUCTIONS LOWMEM HIGHMEM PMP [APPEND]
//
// After each instruction: pc, privilege, all registers; after each trap: cause,
// epc and tval of the mode that takes it. At the end: every byte of memory.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "error.h"
#include "granule_map.h"
#include "memory.h"
#include "program.h"
#include "riscv/cfg.h"
#include "riscv/mmu.h"
#include "riscv/processor.h"
#include "riscv/simif.h"
#include "sim/commits.h"

namespace {
constexpr unsigned kShown = 12; // commits before a difference
constexpr unsigned kQuiet = 8; // instructions after a store, until both have it
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

// Spike as a reference for one hart: what the core has from outside (devices,
// interrupts, counters, the end of a reservation) comes from the core's own
// commits; everything else is Spike's.
class Reference : public simif_t {
public:
  Reference(Memory &memory, uint32_t pc, unsigned pmp_regions)
      : memory_(memory), config_(config(pmp_regions)),
        hart_(std::make_unique<processor_t>(kIsa, "MSU", &config_, this, 0,
                                            false, nullptr, std::cerr)),
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

  // What `commit` did, done by Spike; empty, or what differs afterwards.
  std::string step(const Commit &commit) {
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

  bool translates() const { return state_.satp->read() >> 31 & 1; }

  char *addr_to_mem(reg_t address) override {
    uint32_t *word = memory_.word(address & ~reg_t(3));
    return word ? reinterpret_cast<char *>(word) + (address & 3) : nullptr;
  }

  bool mmio_fetch(reg_t, size_t, uint8_t *) override { return false; }

  // A device answers what it answered the core, and where it did not answer the
  // core had a fault.
  bool mmio_load(reg_t, size_t bytes, uint8_t *data) override {
    memcpy(data, &commit_.value, bytes);
    return commit_.kind == Commit::instruction;
  }

  bool mmio_store(reg_t, size_t, const uint8_t *) override {
    return commit_.kind == Commit::instruction;
  }

  void proc_reset(unsigned) override {}
  const cfg_t &get_cfg() const override { return config_; }
  const std::map<size_t, processor_t *> &get_harts() const override {
    return harts_;
  }
  const char *get_symbol(uint64_t) override { return nullptr; }

private:
  // Before the step: an interrupt is pending exactly when the core takes it,
  // and a reservation is lost when the core has lost it.
  void external_state(const Commit &commit) {
    const bool interrupt =
        commit.kind == Commit::trap && commit.cause & kInterrupt;
    state_.mip->backdoor_write_with_mask(
        ~reg_t(0), interrupt ? reg_t(1) << (commit.cause & 31) : 0);
    hart_->clear_waiting_for_interrupt();
    if (commit.kind == Commit::instruction && is_sc(commit.word) &&
        commit.value)
      hart_->get_mmu()->yield_load_reservation();
  }

  std::string compare_trap(const Commit &commit) {
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

  Memory &memory_;
  cfg_t config_;
  std::map<size_t, processor_t *> harts_;
  std::unique_ptr<processor_t> hart_;
  state_t &state_;
  Commit commit_ = {};
  uint32_t registers_[32] = {};
};

std::string text(const Commit &c) {
  std::string line =
      format("%08x %08x %c", c.pc, c.word, "US?M"[c.privilege & 3]);
  if (c.kind == Commit::trap)
    line += format(" trap %x tval %08x", c.cause, c.value);
  else if (c.rd)
    line += format(" x%u=%08x", c.rd, c.value);
  return line;
}

void apply_store(const Commit &c, Memory &memory) {
  const uint64_t address = uint64_t(c.high) << 32 | c.pc;
  const uint64_t base = address & ~uint64_t(3);
  if (!memory.contains(base, 4))
    return; // of a device
  for (unsigned lane = 0; lane < 4; lane++)
    if (c.mask >> lane & 1)
      memory.write(base + lane, reinterpret_cast<const char *>(&c.word) + lane,
                   1);
}

uint64_t compare_memory(Memory &core, Memory &spike, uint64_t base,
                        uint64_t size) {
  uint64_t differ = 0;
  for (uint64_t a = base; a < base + size; a += 4)
    if (*core.word(a) != *spike.word(a) && differ++ < kShown)
      printf("memory %09llx: %08x, Spike %08x\n", (unsigned long long)a,
             *core.word(a), *spike.word(a));
  return differ;
}

int run(int argc, char **argv) {
  if (argc < 7)
    throw SimError(
        "usage: lockstep PROGRAM.elf COMMITS INSTRUCTIONS LOWMEM HIGHMEM "
        "PMP [APPEND]");
  const uint64_t wanted = strtoull(argv[3], nullptr, 0);
  const uint64_t lowmem = strtoull(argv[4], nullptr, 0);
  const uint64_t highmem = strtoull(argv[5], nullptr, 0);
  Memory core(lowmem, highmem), spike(lowmem, highmem);
  for (Memory *memory : {&core, &spike}) {
    const Program program(argv[1], *memory);
    if (argc > 7)
      program.append(argv[7], *memory);
  }
  Reference reference(spike, GRANULE_RESET_PC, strtoul(argv[6], nullptr, 0));
  FILE *commits = fopen(argv[2], "rb");
  if (!commits)
    throw SimError(format("%s cannot be read: %s", argv[2], strerror(errno)));

  uint64_t instructions = 0, traps = 0, interrupts = 0, stores = 0;
  uint64_t translated = 0, quiet = 0;
  std::deque<Commit> before;
  std::string difference;
  Commit c;
  while (difference.empty() && (instructions < wanted || quiet < kQuiet) &&
         fread(&c, sizeof c, 1, commits) == 1) {
    if (c.kind == Commit::store) {
      apply_store(c, core);
      stores++;
      quiet = 0;
      continue;
    }
    quiet++;
    before.push_back(c);
    if (before.size() > kShown)
      before.pop_front();
    difference = reference.step(c);
    instructions += c.kind == Commit::instruction;
    traps += c.kind == Commit::trap;
    interrupts += c.kind == Commit::trap && c.cause >> 31;
    translated += c.privilege != 3 && reference.translates();
  }
  fclose(commits);
  uint64_t differ = !difference.empty();
  if (differ) {
    for (const Commit &commit : before)
      puts(text(commit).c_str());
    printf("difference after %llu instructions: Spike has %s\n",
           (unsigned long long)instructions, difference.c_str());
  } else {
    differ = compare_memory(core, spike, GRANULE_LOWMEM_BASE, lowmem) +
             compare_memory(core, spike, GRANULE_HIGHMEM_BASE, highmem);
  }
  printf("{\"instructions\": %llu, \"under_sv32\": %llu, \"traps\": %llu, "
         "\"interrupts\": %llu, \"stores\": %llu, \"differences\": %llu}\n",
         (unsigned long long)instructions, (unsigned long long)translated,
         (unsigned long long)traps, (unsigned long long)interrupts,
         (unsigned long long)stores, (unsigned long long)differ);
  return differ != 0;
}
} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    fprintf(stderr, "lockstep: %s\n", error.what());
    return 125;
  }
}
