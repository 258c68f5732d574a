#include "axi_memory.h"

namespace {
constexpr unsigned kOkay = 0, kDecodeError = 3;
constexpr unsigned kFixed = 0, kWrap = 2;
constexpr size_t kQueue = 4; // bursts that are accepted ahead
} // namespace

uint64_t AxiMemory::Burst::next() {
  const uint64_t current = address;
  const uint64_t step = 1ull << size;
  if (kind == kWrap) {
    const uint64_t start = address & ~uint64_t(bytes - 1);
    address = start + ((address + step) & (bytes - 1));
  } else if (kind != kFixed) {
    address = (address & ~(step - 1)) + step;
  }
  beats_left--;
  return current;
}

template <typename Data>
AxiMemory::Burst AxiMemory::burst(Data address, unsigned length, unsigned size,
                                  unsigned kind, unsigned id) const {
  return {address, now_ + latency_,     length + 1, size, kind,
          id,      (length + 1) << size};
}

void AxiMemory::reset(Vsimsoc &top) {
  changed_ = true;
  drive(top);
}

// `now_` counts only cycles with work: time does not pass for an idle memory.
void AxiMemory::work(const Vsimsoc &top) {
  changed_ = true;
  now_++;
  if (top.memory_r_valid && top.memory_r_ready) {
    Burst &read = reads_.front();
    read.next();
    read_beats++;
    if (read.beats_left == 0)
      reads_.pop_front();
  }
  if (top.memory_b_valid && top.memory_b_ready)
    answers_.pop_front();
  if (top.memory_ar_valid && top.memory_ar_ready) {
    read_bursts++;
    reads_.push_back(
        burst(top.memory_ar_payload_addr, top.memory_ar_payload_len,
              top.memory_ar_payload_size, top.memory_ar_payload_burst,
              top.memory_ar_payload_id));
  }
  if (top.memory_aw_valid && top.memory_aw_ready) {
    write_bursts++;
    writes_.push_back(
        burst(top.memory_aw_payload_addr, top.memory_aw_payload_len,
              top.memory_aw_payload_size, top.memory_aw_payload_burst,
              top.memory_aw_payload_id));
  }
  if (top.memory_w_valid && top.memory_w_ready)
    beats_.push_back({top.memory_w_payload_data, top.memory_w_payload_strb,
                      bool(top.memory_w_payload_last)});
  take_writes();
  busy_ = !(reads_.empty() && writes_.empty() && beats_.empty() &&
            answers_.empty());
}

void AxiMemory::take_writes() {
  while (!writes_.empty() && !beats_.empty()) {
    Burst &write = writes_.front();
    const Beat beat = beats_.front();
    beats_.pop_front();
    write_beats++;
    uint32_t *word = memory_.word(write.next());
    if (!word) {
      response_ = kDecodeError;
    } else {
      uint32_t lanes = 0;
      for (unsigned lane = 0; lane < 4; lane++)
        if (beat.strobe >> lane & 1)
          lanes |= 0xffu << (8 * lane);
      *word = (*word & ~lanes) | (beat.data & lanes);
    }
    if (beat.last) {
      answers_.push_back({now_ + latency_, write.id, response_});
      writes_.pop_front();
      response_ = kOkay;
    }
  }
}

void AxiMemory::set_outputs(Vsimsoc &top) {
  changed_ = busy_; // an idle memory keeps its outputs
  top.memory_ar_ready = reads_.size() < kQueue;
  top.memory_aw_ready = writes_.size() < kQueue;
  top.memory_w_ready = 1;
  top.memory_r_valid = 0;
  top.memory_b_valid = 0;
  if (!reads_.empty() && now_ + 1 >= reads_.front().ready_at) {
    const Burst &read = reads_.front();
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
