// The memory of the walker's port, with answers that take a random or a chosen
// time. Sparse 64-bit words; what is not listed reads 0.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ports.h"

inline uint64_t next_random(uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

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
  // Cycles from a command to its answer, in place of random ones.
  std::function<unsigned(bool swap)> latency;
  // Cycles that a swap waits until it is taken, and in which the memory takes
  // and answers nothing.
  unsigned hold = 0, stalled = 0;
  bool late = false; // words are read with the answer, not with the command

  // What the walker did since `forget_access`.
  std::vector<uint64_t> reads;
  std::vector<Write> writes;

  uint64_t &word(uint64_t address) { return words[address & ~uint64_t(7)]; }

  void forget_case() {
    words.clear();
    errors.clear();
    swap_errors.clear();
    no_swap.clear();
    forget_access();
  }

  void forget_access() {
    races.clear();
    reads.clear();
    writes.clear();
  }

  void reset(Vmmu &top) { top.io_walk_rsp_valid = due_ = answering_ = false; }

  // Samples the outputs of the walker just before a rising edge ...
  void sample(const Vmmu &top) {
    if (answering_)
      due_ = answering_ = false;
    const bool valid = top.io_walk_cmd_valid;
    const bool swap = GET(top, walk_cmd_payload_swap, 0).low;
    held_ = valid && swap && !ready_ ? held_ + 1 : 0;
    if (!valid || !ready_ || top.reset)
      return;
    if (due_)
      throw std::runtime_error(
          "the walker asked again before the answer that is due");
    due_ = true;
    command_ = {get(top.io_walk_cmd_payload_address).low,
                4u << GET(top, walk_cmd_payload_size, 1).low, swap,
                GET(top, walk_cmd_payload_expected, 0),
                GET(top, walk_cmd_payload_desired, 0)};
    if (!swap)
      reads.push_back(command_.address);
    if (!late)
      serve();
    delay_ =
        latency ? latency(swap)
                : min_delay + next_random(random) % (max_delay - min_delay + 1);
  }

  // ... and drives its inputs just after.
  void drive(Vmmu &top) {
    if (stalled) {
      stalled--;
    } else if (due_ && --delay_ == 0) {
      answering_ = true;
      if (late)
        serve();
      put(top.io_walk_rsp_payload_data, answer_.data);
      top.io_walk_rsp_payload_error = answer_.error;
      PUT(top, walk_rsp_payload_unsupported, answer_.unsupported);
    }
    top.io_walk_rsp_valid = answering_;
    ready_ = !stalled && (!due_ || answering_) &&
             (latency || ready_of_16 == 16 ||
              next_random(random) % 16 < ready_of_16);
    if (hold) {
      top.eval(); // what the walker offers hangs on the answer
      const bool swap = GET(top, walk_cmd_payload_swap, 0).low;
      ready_ = ready_ && !(top.io_walk_cmd_valid && swap && held_ < hold);
    }
    top.io_walk_cmd_ready = ready_;
  }

private:
  struct Command {
    uint64_t address;
    unsigned bytes;
    bool swap;
    Wide expected, desired;
  } command_;
  struct {
    Wide data;
    bool error, unsupported;
  } answer_;
  bool due_ = false, answering_ = false, ready_ = true;
  uint64_t delay_ = 0;
  unsigned held_ = 0; // cycles that a swap is offered

  void serve() {
    auto [address, bytes, swap, expected, desired] = command_;
    if (address % bytes)
      throw std::runtime_error("the walker's address is not aligned");
    const uint64_t at = address & ~uint64_t(7);
    answer_ = {0, false, swap && no_swap.count(at)};
    if (answer_.unsupported)
      return;
    answer_.error = errors.count(at) || (swap && swap_errors.count(at));
    if (answer_.error) {
      answer_.data = {0xdeadbeefdeadbeef,
                      0xdeadbeefdeadbeef}; // must not be looked at
      return;
    }
    if (auto race = races.find(at); swap && race != races.end()) {
      words[at] = race->second;
      races.erase(race);
    }
    answer_.data.low = word(at);
    if (bytes == 4)
      answer_.data.low = answer_.data.low >> 8 * (address & 4) & 0xffffffff;
    if (bytes == 16)
      answer_.data.high = word(at + 8);
    else
      expected.high = desired.high = 0;
    if (swap && answer_.data == expected) {
      words[at] = desired.low;
      if (bytes == 16)
        words[at + 8] = desired.high;
      writes.push_back({address, desired});
    }
  }
};
