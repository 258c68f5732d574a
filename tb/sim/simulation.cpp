#include "simulation.h"

#include "commits.h"
#include "error.h"
#include "model_state.h"

#if VM_TRACE
#include "Vsimsoc___024root.h"
#endif

namespace {
constexpr unsigned kFrameBits = 12;
constexpr unsigned kDrainFrames = 64; // more than the transmit queue holds
constexpr unsigned kResetCycles = 8;
} // namespace

Simulation::Simulation(const Options &options, Memory &memory,
                       const Program &program)
    : options_(options), arch_test_(program, memory, options.signature),
      compressed_(program.compressed()), memory_(memory),
      axi_(make_memory(options.memory, memory)) {
  if (!options.instructions.empty())
    instructions_ = open_for_writing("--instructions", options.instructions);
  if (!options.commits.empty())
    commits_ = open_for_writing("--commits", options.commits);
  if (!options.save.empty()) // found out before the run
    fclose(open_for_writing("--save", options.save));
  if (!options.profile.empty()) {
    fclose(open_for_writing("--profile", options.profile));
    profile_ = std::make_unique<Profile>(options.profile, options.milestones);
  }
  if (profile_ || !options.until.empty())
    uart_.on_character([this](char c) { shown(c); });
  const std::string defect = "+defect=" + std::to_string(options.defect);
  const char *arguments[] = {"granule-sim", defect.c_str()};
  context_.commandArgs(2, arguments); // what $value$plusargs of Verilog reads
  top_ = std::make_unique<Vsimsoc>(&context_);
  if (!options.trace.empty()) {
    context_.traceEverOn(true);
    trace_.open(*top_, options.trace, options.trace_start,
                options.trace_cycles);
  }
  if (!options.trace_mmu.empty())
    open_mmu_trace();
  observe_ = observed();
}

Simulation::~Simulation() {
  trace_.close();
  for (FILE *file : {instructions_, commits_})
    if (file)
      fclose(file);
  top_->final();
}

void Simulation::shown(char character) {
  if (profile_)
    profile_->console(character);
  if (options_.until.empty())
    return;
  line_ += character;
  until_ = until_ || line_.find(options_.until) != std::string::npos;
  if (character == '\n')
    line_.clear();
}

void Simulation::state(Snapshot &s) {
  s(pins_, cycle_, retired_, pc_);
  uart_.state(s);
  axi_->state(s);
  memory_.state(s);
  model_state(s, *top_);
}

void Simulation::restore(Snapshot &from) {
  state(from);
  restored_ = true;
}

void Simulation::reset() {
  top_->lowmemBytes = options_.lowmem;
  top_->highmemBytes = options_.highmem;
  top_->uart_rxd = 1;
  axi_->reset(pins_);
  pins_.store(*top_);
  top_->reset = 1;
  for (unsigned i = 0; i < kResetCycles; i++) {
    top_->clk = 0;
    top_->eval();
    top_->clk = 1;
    top_->eval();
  }
  top_->reset = 0;
}

// One clock: the inputs settle while the clock is low, then the surroundings
// look at the outputs, then the edge comes. What the surroundings answer is
// applied in the next low phase.
inline void Simulation::cycle() {
  Vsimsoc &top = *top_;
  pins_.load(top);
  axi_->drive(pins_);
  pins_.store(top);
  top.clk = 0;
  top.eval();
  pins_.load(top);
  axi_->sample(pins_);
  uart_.set_speed(top.uartBitCycles);
  const bool rxd = uart_.step(top.uart_txd, top.uart_rts);
  finished_ = top.finished_powerOff || top.finished_reset;
  if (top.retire_valid) {
    retired_++;
    pc_ = top.retire_pc;
    if (top.retire_trap && compressed_)
      warn_of_compressed();
  }
  if (observe_)
    observe();
  top.clk = 1;
  top.eval();
  if (observe_)
    trace_.dump(cycle_, 1);
  top.uart_rxd = rxd;
  cycle_++;
}

// What is seldom wanted, in the middle of a cycle.
void Simulation::observe() {
  const Vsimsoc &top = *top_;
  log_instruction();
  if (commits_)
    log_commit();
  if (arch_test_.active() && top.stored_valid) {
    arch_test_.store(top.stored_payload_pa, top.stored_payload_mask,
                     top.stored_payload_data);
    finished_ = finished_ || arch_test_.ended();
  }
  if (profile_) {
    if (top.retire_valid)
      profile_->retired(top.retire_trap);
    profile_->events(top.events);
    profile_->count(top.retire_stall, top.retire_privilege);
  }
  trace_.dump(cycle_, 0);
  if (mmu_trace_.active(cycle_))
    trace_mmu();
  if (watcher_)
    stop_ = watcher_(top);
}

// Only the program that can trace has the signals.
#if VM_TRACE
void Simulation::open_mmu_trace() {
  static const char reading[] =
#include "reading.inc"
      ;
  mmu_trace_.open(options_.trace_mmu, CONFIG, Frames::names(*top_->rootp),
                  reading, options_.trace_start, options_.trace_cycles);
}

void Simulation::trace_mmu() {
  frames_.clear();
  frames_.capture(*top_->rootp);
  mmu_trace_.write(cycle_, frames_);
}
#else
void Simulation::open_mmu_trace() {}
void Simulation::trace_mmu() {}
#endif

void Simulation::watch(Watcher watcher) {
  watcher_ = std::move(watcher);
  observe_ = observed();
}

bool Simulation::observed() const {
  return watcher_ || trace_.active() || !options_.trace_mmu.empty() ||
         instructions_ || commits_ || profile_ || arch_test_.active();
}

uint64_t Simulation::advance(uint64_t cycles) {
  const uint64_t from = cycle_;
  for (stop_ = false; cycle_ - from < cycles && !finished_ && !stop_;)
    cycle();
  return cycle_ - from;
}

int Simulation::run(volatile sig_atomic_t &interrupted) {
  const int status = run_to_end(interrupted);
  if (profile_)
    profile_->write();
  return status;
}

int Simulation::run_to_end(volatile sig_atomic_t &interrupted) {
  if (!restored_)
    reset();
  while (!finished_) {
    if (until_) {
      uart_.flush();
      if (!options_.save.empty()) {
        Snapshot to;
        Options machine = options_;
        machine.machine(to);
        state(to);
        to.write(options_.save);
      }
      return 0;
    }
    if (cycle_ >= options_.max_cycles) {
      uart_.flush();
      fprintf(stderr,
              "granule-sim: gave up after %llu cycles (--max-cycles) at pc "
              "0x%08x\n",
              (unsigned long long)cycle_, pc_);
      return kExitMaxCycles;
    }
    if (interrupted) {
      uart_.flush();
      fprintf(stderr,
              "granule-sim: interrupted after %llu cycles at pc 0x%08x\n",
              (unsigned long long)cycle_, pc_);
      return 128 + interrupted;
    }
    if (options_.end_at_milestones && profile_->complete()) {
      uart_.flush();
      return 0;
    }
    // The checks above are rare enough to be made once for many cycles.
    const uint64_t left = options_.max_cycles - cycle_;
    for (uint64_t n = left < 1000 ? left : 1000; n && !finished_; n--)
      cycle();
  }
  if (profile_)
    profile_->end();
  drain_console();
  arch_test_.write();
  return program_status();
}

// What the program has written but the line has not carried yet. The cycles
// stay those of the program.
void Simulation::drain_console() {
  const uint64_t end = cycle_;
  const uint64_t frame = kFrameBits * top_->uartBitCycles;
  uint64_t quiet = 0;
  for (uint64_t n = 0; n < kDrainFrames * frame && quiet < frame; n++) {
    cycle();
    quiet = uart_.quiet() ? quiet + 1 : 0;
  }
  uart_.flush();
  cycle_ = end;
}

// What is in memory is no longer the program as it was loaded, and there is no
// loader that brings it again: a reset ends the run as well.
int Simulation::program_status() const {
  if (const auto value = arch_test_.ended()) {
    const unsigned code = ArchTest::status(*value);
    if (code)
      fprintf(stderr, "granule-sim: tohost is 0x%x: failed with code %u\n",
              *value, code);
    return code > 255 ? 255 : int(code);
  }
  if (top_->finished_reset) {
    fprintf(stderr, "granule-sim: program asked for a reset; the run ends\n");
    return 0;
  }
  const unsigned code = top_->finished_status;
  if (code)
    fprintf(stderr, "granule-sim: program ended with code %u\n", code);
  return code > 255 ? 255 : int(code);
}

// The flag in the file's header says only that there may be some; a macro of an
// assembler that aligns its code sets it too.
void Simulation::warn_of_compressed() {
  constexpr unsigned kIllegalInstruction = 2;
  const Vsimsoc &top = *top_;
  if (top.retire_cause != kIllegalInstruction ||
      (top.retire_instruction & 3) == 3)
    return;
  compressed_ = false;
  fprintf(stderr,
          "granule-sim: compressed instruction at pc 0x%08x; this CPU has none "
          "and takes it as illegal: build with -march=rv32ima...\n",
          top.retire_pc);
}

void Simulation::log_instruction() {
  const Vsimsoc &top = *top_;
  if (!instructions_ || !top.retire_valid)
    return;
  fprintf(instructions_, "%llu %08x %08x %c", (unsigned long long)cycle_,
          top.retire_pc, top.retire_instruction,
          "US?M"[top.retire_privilege & 3]);
  if (top.retire_trap)
    fprintf(instructions_, " trap %x tval %08x", top.retire_cause,
            top.retire_tval);
  else if (top.retire_rd)
    fprintf(instructions_, " x%u=%08x", top.retire_rd, top.retire_rdValue);
  fputc('\n', instructions_);
}

void Simulation::log_commit() {
  const Vsimsoc &top = *top_;
  Commit commit = {};
  const auto write = [&] {
    if (fwrite(&commit, sizeof commit, 1, commits_) != 1)
      cannot_write("--commits", options_.commits);
  };
  if (top.stored_valid) {
    commit.kind = Commit::store;
    commit.mask = top.stored_payload_mask;
    commit.pc = uint32_t(top.stored_payload_pa);
    commit.high = uint32_t(uint64_t(top.stored_payload_pa) >> 32);
    commit.word = top.stored_payload_data;
    write();
  }
  if (top.retire_valid) {
    commit = {};
    commit.kind = top.retire_trap ? Commit::trap : Commit::instruction;
    commit.privilege = top.retire_privilege;
    commit.rd = top.retire_rd;
    commit.pc = top.retire_pc;
    commit.word = top.retire_instruction;
    commit.value = top.retire_trap ? top.retire_tval : top.retire_rdValue;
    commit.cause = top.retire_cause;
    write();
  }
}

void Simulation::print_stats() const {
  fprintf(
      stderr,
      "granule-sim: %llu instructions (%.2f cycles each)\n"
      "granule-sim: memory: %llu read bursts of %llu words, %llu write bursts "
      "of %llu words, "
      "%llu pages of 64K used\n"
      "granule-sim: console: %llu characters out, %llu in\n",
      (unsigned long long)retired_, retired_ ? double(cycle_) / retired_ : 0.0,
      (unsigned long long)axi_->read_bursts,
      (unsigned long long)axi_->read_beats,
      (unsigned long long)axi_->write_bursts,
      (unsigned long long)axi_->write_beats,
      (unsigned long long)memory_.pages_used(),
      (unsigned long long)uart_.received, (unsigned long long)uart_.sent);
  fputs(axi_->stats().c_str(), stderr);
}
