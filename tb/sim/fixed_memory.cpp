#include "fixed_memory.h"

namespace {
constexpr size_t kQueue = 4; // bursts that are accepted ahead
} // namespace

void FixedMemory::reset(MemoryPins &pins) {
  changed_ = true;
  drive(pins);
}

// `now_` counts only cycles with work: time does not pass for an idle memory.
void FixedMemory::work(const MemoryPins &pins) {
  changed_ = true;
  now_++;
  if (pins.r.valid && pins.r.ready) {
    Burst &read = reads_.front().burst;
    read.next();
    read_beats++;
    if (read.beats_left == 0)
      reads_.pop_front();
  }
  if (pins.b.valid && pins.b.ready)
    answers_.pop_front();
  if (pins.ar.valid && pins.ar.ready) {
    read_bursts++;
    reads_.push_back({read_burst(pins), now_ + latency_});
  }
  if (pins.aw.valid && pins.aw.ready) {
    write_bursts++;
    writes_.push_back(write_burst(pins));
  }
  if (pins.w.valid && pins.w.ready)
    beats_.push_back({pins.w.data, pins.w.strb, bool(pins.w.last)});
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

void FixedMemory::set_outputs(MemoryPins &pins) {
  changed_ = busy_; // an idle memory keeps its outputs
  pins.ar.ready = reads_.size() < kQueue;
  pins.aw.ready = writes_.size() < kQueue;
  pins.w.ready = 1;
  pins.r.valid = 0;
  pins.b.valid = 0;
  if (!reads_.empty() && now_ + 1 >= reads_.front().ready_at) {
    const Burst &read = reads_.front().burst;
    const uint32_t *word = memory_.word(read.address);
    pins.r.valid = 1;
    pins.r.data = word ? *word : 0;
    pins.r.id = read.id;
    pins.r.resp = word ? kOkay : kDecodeError;
    pins.r.last = read.beats_left == 1;
  }
  if (!answers_.empty() && now_ + 1 >= answers_.front().ready_at) {
    pins.b.valid = 1;
    pins.b.id = answers_.front().id;
    pins.b.resp = answers_.front().response;
  }
}
