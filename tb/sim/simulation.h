// The Verilated system with its surroundings, and the loop that runs it.
#pragma once
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "Vsimsoc.h"
#include "arch_test.h"
#include "axi_memory.h"
#include "mmu_trace.h"
#include "options.h"
#include "profile.h"
#include "trace.h"
#include "uart.h"
#include "verilated.h"

class Simulation {
public:
  Simulation(const Options &options, Memory &memory, const Program &program);
  ~Simulation();

  // Until the program ends, the cycles are used up or `interrupted` is set; the
  // exit status.
  int run(volatile sig_atomic_t &interrupted);
  uint64_t cycles() const { return cycle_; }
  void print_stats() const;

  // Goes on where a snapshot was saved.
  void restore(Snapshot &from);

  // For who runs it piece by piece. `advance` stops early at the end of the
  // program, or after a cycle in the middle of which `watcher` says so.
  using Watcher = std::function<bool(const Vsimsoc &)>;
  void reset();
  uint64_t advance(uint64_t cycles);
  void watch(Watcher watcher);
  void drain_console();
  bool finished() const { return finished_; }
  int status() const { return top_->finished_status; }
  uint32_t pc() const { return pc_; }
  Uart &uart() { return uart_; }
  Vsimsoc &top() { return *top_; }

private:
  void state(Snapshot &s);
  void shown(char character);
  int run_to_end(volatile sig_atomic_t &interrupted);
  void cycle();
  void log_instruction();
  void log_commit();
  void warn_of_compressed();
  void observe();
  bool observed() const;
  void open_mmu_trace();
  void trace_mmu();
  int program_status() const;

  const Options &options_;
  ArchTest arch_test_;
  bool compressed_; // may occur, and were not warned of
  VerilatedContext context_;
  std::unique_ptr<Vsimsoc> top_;
  Trace trace_;
  MmuTrace mmu_trace_;
  Frames frames_;
  FILE *instructions_ = nullptr, *commits_ = nullptr;
  std::unique_ptr<Profile> profile_;
  Memory &memory_;
  std::unique_ptr<AxiMemory> axi_;
  MemoryPins pins_ = {};
  Uart uart_;
  Watcher watcher_;
  bool finished_ = false, stop_ = false, restored_ = false;
  bool until_ = false;    // its text was shown
  std::string line_ = ""; // of the console, as far as it goes
  uint64_t cycle_ = 0, retired_ = 0;
  uint32_t pc_ = 0;
  bool observe_ = false;
};
