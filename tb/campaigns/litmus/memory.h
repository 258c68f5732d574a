// Memory of a litmus run: the walker's port with chosen latencies, and words
// that agents store to.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "../soak/ports.h"

class LitmusMemory {
public:
  std::unordered_map<uint64_t, uint64_t> words;
  std::unordered_set<uint64_t> errors; // words that answer with a bus error
  // Cycles from a command to its answer: of the first, third ... read, of the
  // others, of swaps; cycles that a swap waits until it is taken; whether words
  // are read and swapped with the answer instead of with the command; cycles in
  // which the memory takes and answers nothing.
  unsigned read[2] = {1, 1}, swap = 1, hold = 0, late = 0, stalled = 0;

  uint64_t &word(uint64_t address) { return words[address & ~uint64_t(7)]; }
  void forget_reads() { reads_ = 0; }
  void forget_all(Vmmu &top) {
    due_ = answering_ = false;
    top.io_walk_rsp_valid = 0;
  }

  // Samples the walker just before a rising edge.
  void sample(const Vmmu &top) {
    if (answering_) {
      answering_ = false;
      due_ = false;
    }
    const bool swaps = get_walk_cmd_payload_swap(top, {}, 0).low;
    const bool valid = top.io_walk_cmd_valid;
    held_ = valid && swaps && !ready_ ? held_ + 1 : 0;
    if (!valid || !ready_ || top.reset)
      return;
    if (due_)
      throw std::runtime_error(
          "the walker asked again before the answer that is due");
    due_ = true;
    swaps_ = swaps;
    address_ = get(top.io_walk_cmd_payload_address).low;
    expected_ = get_walk_cmd_payload_expected(top, {}, 0).low;
    desired_ = get_walk_cmd_payload_desired(top, {}, 0).low;
    delay_ = swaps ? swap : read[reads_++ % 2];
    if (!late)
      serve();
  }

  // Drives its inputs just after.
  void drive(Vmmu &top) {
    if (stalled)
      stalled--;
    else if (due_ && !answering_ && --delay_ == 0) {
      answering_ = true;
      if (late)
        serve();
      put(top.io_walk_rsp_payload_data, Wide{data_, 0});
      top.io_walk_rsp_payload_error = error_;
      put_walk_rsp_payload_unsupported(top, {0, 0}, 0);
    }
    top.io_walk_rsp_valid = answering_;
    ready_ = !stalled && (!due_ || answering_);
    top.eval(); // what the walker offers hangs on the answer
    const bool swaps = get_walk_cmd_payload_swap(top, {}, 0).low;
    if (top.io_walk_cmd_valid && swaps && held_ < hold)
      ready_ = false;
    top.io_walk_cmd_ready = ready_;
  }

private:
  bool due_ = false, answering_ = false, ready_ = true;
  bool swaps_ = false, error_ = false;
  unsigned delay_ = 0, held_ = 0, reads_ = 0;
  uint64_t address_ = 0, expected_ = 0, desired_ = 0, data_ = 0;

  void serve() {
    uint64_t &at = word(address_);
    data_ = at;
    error_ = errors.count(address_ & ~uint64_t(7));
    if (swaps_ && !error_ && at == expected_)
      at = desired_;
  }
};
