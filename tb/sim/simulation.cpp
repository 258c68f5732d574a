#include "simulation.h"

#include <cerrno>
#include <cstring>

#include "error.h"

namespace {
// The UART samples 8 times a bit; with divisor 0, the reset value, a sample is
// a cycle.
constexpr unsigned kCyclesPerBit = 8;
constexpr unsigned kFrame = 12 * kCyclesPerBit;
constexpr uint64_t kDrainLimit =
    64 * kFrame; // more than the transmit FIFO holds
constexpr unsigned kResetCycles = 8;

FILE *open_for_writing(const char *option, const std::string &path) {
  FILE *file = fopen(path.c_str(), "w");
  if (!file)
    throw SimError(format("%s: %s cannot be written: %s", option, path.c_str(),
                          strerror(errno)));
  return file;
}
} // namespace

Simulation::Simulation(const Options &options, const Program &program,
                       Memory &memory)
    : options_(options), memory_(memory),
      axi_(make_memory(options.memory, memory)), uart_(kCyclesPerBit) {
  if (const auto symbol = program.symbol("tohost"))
    tohost_ = symbol->address;
  else
    fprintf(stderr,
            "granule-sim: %s has no symbol tohost: only --max-cycles ends the "
            "run\n",
            options.elf.c_str());
  if (!options.instructions.empty())
    instructions_ = open_for_writing("--instructions", options.instructions);
  top_ = std::make_unique<Vsimsoc>(&context_);
  if (!options.trace.empty()) {
    context_.traceEverOn(true);
    trace_.open(*top_, options.trace, options.trace_start);
  }
  observe_ = trace_.active() || instructions_;
}

Simulation::~Simulation() {
  trace_.close();
  if (instructions_)
    fclose(instructions_);
  top_->final();
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
  const bool rxd = uart_.step(top.uart_txd, top.uart_rts);
  if (top.stored_valid && top.stored_payload_pa == tohost_ &&
      top.stored_payload_data)
    tohost_value_ = top.stored_payload_data;
  if (top.retire_valid) {
    retired_++;
    pc_ = top.retire_pc;
  }
  if (observe_) {
    log_instruction();
    trace_.dump(cycle_, 0);
  }
  top.clk = 1;
  top.eval();
  if (observe_)
    trace_.dump(cycle_, 1);
  top.uart_rxd = rxd;
  cycle_++;
}

int Simulation::run(volatile sig_atomic_t &interrupted) {
  reset();
  while (!tohost_value_) {
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
    // The checks above are rare enough to be made once for many cycles.
    const uint64_t left = options_.max_cycles - cycle_;
    for (uint64_t n = left < 1000 ? left : 1000; n && !tohost_value_; n--)
      cycle();
  }
  const uint64_t end = cycle_;
  drain_console();
  cycle_ = end; // the program's own cycles
  return program_status(tohost_value_);
}

// What the program has written but the line has not carried yet.
void Simulation::drain_console() {
  unsigned quiet = 0;
  for (uint64_t n = 0; n < kDrainLimit && quiet < kFrame; n++) {
    cycle();
    quiet = uart_.quiet() ? quiet + 1 : 0;
  }
  uart_.flush();
}

int Simulation::program_status(uint32_t value) const {
  if (!(value & 1))
    throw SimError(format(
        "program wrote 0x%x to tohost; only (code << 1) | 1 is understood",
        value));
  const uint32_t code = value >> 1;
  if (code)
    fprintf(stderr, "granule-sim: program ended with code %u\n", code);
  return code > 255 ? 255 : int(code);
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
