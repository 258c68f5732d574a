// Memory of one latency: the first word of a read comes so many cycles after
// its command, the words of a burst follow each other. One read burst and one
// write burst are served at a time, in order.
#include <deque>

#include "axi_memory.h"

namespace {

constexpr size_t kQueue = 4; // bursts that are accepted ahead

class FixedMemory final : public AxiMemory {
public:
  FixedMemory(Memory &memory, unsigned latency)
      : AxiMemory(memory), latency_(latency) {}

  void reset(MemoryPins &pins) override {
    changed_ = true;
    drive(pins);
  }
  void drive(MemoryPins &pins) override {
    if (changed_)
      set_outputs(pins);
  }
  void sample(const MemoryPins &pins) override {
    if (pins.ar.valid | pins.aw.valid | pins.w.valid | busy_)
      work(pins);
  }

  void state(Snapshot &s) override {
    AxiMemory::state(s);
    s(now_, busy_, changed_, reads_, writes_, beats_, answers_, response_);
  }

private:
  struct Read {
    Burst burst;
    uint64_t ready_at;
  };
  struct Beat {
    uint32_t data;
    unsigned strobe;
    bool last;
  };
  struct Answer {
    uint64_t ready_at;
    unsigned id, response;
  };

  // `now_` counts only cycles with work: time does not pass for an idle memory.
  void work(const MemoryPins &pins) {
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
      reads_.push_back({burst(pins.ar), now_ + latency_});
    }
    if (pins.aw.valid && pins.aw.ready) {
      write_bursts++;
      writes_.push_back(burst(pins.aw));
    }
    if (pins.w.valid && pins.w.ready)
      beats_.push_back({pins.w.data, pins.w.strb, bool(pins.w.last)});
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
    busy_ = !(reads_.empty() && writes_.empty() && beats_.empty() &&
              answers_.empty());
  }
  void set_outputs(MemoryPins &pins) {
    changed_ = busy_; // an idle memory keeps its outputs
    pins.ar.ready = reads_.size() < kQueue;
    pins.aw.ready = writes_.size() < kQueue;
    pins.w.ready = 1;
    pins.r.valid = 0;
    pins.b.valid = 0;
    if (!reads_.empty() && now_ + 1 >= reads_.front().ready_at)
      give(pins.r, reads_.front().burst);
    if (!answers_.empty() && now_ + 1 >= answers_.front().ready_at) {
      pins.b.valid = 1;
      pins.b.id = answers_.front().id;
      pins.b.resp = answers_.front().response;
    }
  }

  const uint64_t latency_;
  uint64_t now_ = 0;
  bool busy_ = false, changed_ = true;
  std::deque<Read> reads_;
  std::deque<Burst> writes_;
  std::deque<Beat> beats_;
  std::deque<Answer> answers_;
  unsigned response_ = kOkay; // of the write burst under way
};

} // namespace

std::unique_ptr<AxiMemory> fixed_memory(Memory &memory, unsigned latency) {
  return std::make_unique<FixedMemory>(memory, latency);
}
