// The memory of the walker's port, with answers that take a random time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ports.h"

// Sparse 64-bit words; what is not listed reads 0.
class WalkMemory {
public:
  struct Write {
    uint64_t address;
    Wide value;
  };

  std::unordered_map<uint64_t, uint64_t> words;
  // Words that answer with a bus error, always or for swaps only, and words
  // that cannot swap.
  std::unordered_set<uint64_t> errors, swap_errors, no_swap;
  // What another agent stores into a word just before the walker's next swap of
  // it.
  std::unordered_map<uint64_t, uint64_t> races;
  uint64_t min_delay = 1, max_delay = 1, ready_of_16 = 16, random = 1;

  // What the walker did since `forget_access`.
  std::vector<uint64_t> reads;
  std::vector<Write> writes;

  void forget_case();
  void forget_access();

  // Samples the outputs of the walker just before a rising edge ...
  void sample(const Vmmu &top);
  // ... and drives its inputs just after.
  void drive(Vmmu &top);

private:
  struct Answer {
    Wide data;
    bool error = false, unsupported = false;
  };

  Answer answer_;
  uint64_t delay_ = 0; // 0: no answer is due
  bool ready_ = true, answering_ = false;

  uint64_t next_random();
  uint64_t word(uint64_t address) const;
  Answer serve(uint64_t address, unsigned bytes, bool swap, Wide expected,
               Wide desired);
};
