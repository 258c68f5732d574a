#include "fixed_memory.h"

namespace {
constexpr size_t kQueue = 4; // bursts that are accepted ahead
} // namespace

void FixedMemory::reset(Vsimsoc &top) {
  changed_ = true;
  drive(top);
}

// `now_` counts only cycles with work: time does not pass for an idle memory.
void FixedMemory::work(const Vsimsoc &top) {
  changed_ = true;
  now_++;
  if (top.memory_r_valid && top.memory_r_ready) {
    Burst &read = reads_.front().burst;
    read.next();
    read_beats++;
    if (read.beats_left == 0)
      reads_.pop_front();
  }
  if (top.memory_b_valid && top.memory_b_ready)
    answers_.pop_front();
  if (top.memory_ar_valid && top.memory_ar_ready) {
    read_bursts++;
    reads_.push_back({read_burst(top), now_ + latency_});
  }
  if (top.memory_aw_valid && top.memory_aw_ready) {
    write_bursts++;
    writes_.push_back(write_burst(top));
  }
  if (top.memory_w_valid && top.memory_w_ready)
    beats_.push_back({top.memory_w_payload_data, top.memory_w_payload_strb,
                      bool(top.memory_w_payload_last)});
  take_writes();
  busy_ = !(reads_.empty() && writes_.empty() && beats_.empty() &&
            answers_.empty());
}

void FixedMemory::take_writes() {
  while (!writes_.empty() && !beats_.empty()) {
    Burst &burst = writes_.front();
    const Beat beat = beats_.front();
    beats_.pop_front();
    response_ |= write(burst.next(), beat.data, beat.strobe);
    if (beat.last) {
      answers_.push_back({now_ + latency_, burst.id, response_});
      writes_.pop_front();
      response_ = kOkay;
    }
  }
}

void FixedMemory::set_outputs(Vsimsoc &top) {
  changed_ = busy_; // an idle memory keeps its outputs
  top.memory_ar_ready = reads_.size() < kQueue;
  top.memory_aw_ready = writes_.size() < kQueue;
  top.memory_w_ready = 1;
  top.memory_r_valid = 0;
  top.memory_b_valid = 0;
  if (!reads_.empty() && now_ + 1 >= reads_.front().ready_at) {
    const Burst &read = reads_.front().burst;
    const uint32_t *word = memory_.word(read.address);
    top.memory_r_valid = 1;
    top.memory_r_payload_data = word ? *word : 0;
    top.memory_r_payload_id = read.id;
    top.memory_r_payload_resp = word ? kOkay : kDecodeError;
    top.memory_r_payload_last = read.beats_left == 1;
  }
  if (!answers_.empty() && now_ + 1 >= answers_.front().ready_at) {
    top.memory_b_valid = 1;
    top.memory_b_payload_id = answers_.front().id;
    top.memory_b_payload_resp = answers_.front().response;
  }
}
