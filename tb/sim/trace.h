// FST trace of all signals. A model that can be traced keeps every signal in
// memory and is a fifth slower, so it is a program of its own (make sim-trace):
// the plain simulator becomes it on --trace and --trace-mmu.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "Vsimsoc.h"

#if VM_TRACE
#include "verilated_fst_c.h"
#endif

class Trace {
public:
  // Replaces this process by its twin that can trace; returns only if this is
  // that twin.
  static void ensure_possible(char **argv);

  void open(Vsimsoc &top, const std::string &path, uint64_t first_cycle,
            uint64_t cycles);
  void close();
  bool active() const { return active_; }
  // The signals in the first (clock low) or second half of a cycle.
  void dump(uint64_t cycle, unsigned half);

private:
  bool active_ = false;
  uint64_t first_cycle_ = 0, cycles_ = 0;
#if VM_TRACE
  VerilatedFstC file_;
#endif
};
