#include "memory.h"

#include <stdexcept>

void WalkMemory::forget_case() {
  words.clear();
  errors.clear();
  swap_errors.clear();
  no_swap.clear();
  forget_access();
}

void WalkMemory::forget_access() {
  races.clear();
  reads.clear();
  writes.clear();
}

uint64_t WalkMemory::next_random() {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

uint64_t WalkMemory::word(uint64_t address) const {
  auto found = words.find(address);
  return found == words.end() ? 0 : found->second;
}

WalkMemory::Answer WalkMemory::serve(uint64_t address, unsigned bytes,
                                     bool swap, Wide expected, Wide desired) {
  if (address % bytes)
    throw std::runtime_error("the walker's address is not aligned");
  const uint64_t at = address & ~uint64_t(7);
  Answer answer;
  if (swap && no_swap.count(at)) {
    answer.unsupported = true;
    return answer;
  }
  if (errors.count(at) || (swap && swap_errors.count(at))) {
    answer.error = true;
    answer.data = {0xdeadbeefdeadbeef,
                   0xdeadbeefdeadbeef}; // must not be looked at
    return answer;
  }
  if (swap) {
    auto race = races.find(at);
    if (race != races.end()) {
      words[at] = race->second;
      races.erase(race);
    }
  }
  answer.data.low = word(at);
  if (bytes == 4)
    answer.data.low = answer.data.low >> 8 * (address & 4) & 0xffffffff;
  if (bytes == 16)
    answer.data.high = word(at + 8);
  if (bytes < 16)
    expected.high = desired.high = 0;
  if (swap && answer.data == expected) {
    words[at] = desired.low;
    if (bytes == 16)
      words[at + 8] = desired.high;
    writes.push_back({address, desired});
  }
  return answer;
}

void WalkMemory::sample(const Vmmu &top) {
  if (answering_) {
    answering_ = false;
    delay_ = 0;
  }
  if (!top.io_walk_cmd_valid || !ready_ || top.reset)
    return;
  if (delay_)
    throw std::runtime_error(
        "the walker asked again before the answer that is due");
  const uint64_t address = get(top.io_walk_cmd_payload_address).low;
  const unsigned bytes = 4u << get_walk_cmd_payload_size(top, {1, 0}, 0).low;
  const bool swap = get_walk_cmd_payload_swap(top, {}, 0).low;
  if (!swap)
    reads.push_back(address);
  answer_ =
      serve(address, bytes, swap, get_walk_cmd_payload_expected(top, {}, 0),
            get_walk_cmd_payload_desired(top, {}, 0));
  delay_ = min_delay + next_random() % (max_delay - min_delay + 1);
}

void WalkMemory::drive(Vmmu &top) {
  if (delay_ && --delay_ == 0) {
    delay_ = 1;
    answering_ = true;
    put(top.io_walk_rsp_payload_data, answer_.data);
    top.io_walk_rsp_payload_error = answer_.error;
    put_walk_rsp_payload_unsupported(top, {answer_.unsupported, 0}, 0);
  }
  top.io_walk_rsp_valid = answering_;
  ready_ = (!delay_ || answering_) && next_random() % 16 < ready_of_16;
  top.io_walk_cmd_ready = ready_;
}
