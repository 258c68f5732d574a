// Memory of one latency: the first word of a read comes so many cycles after
// its command, the words of a burst follow each other. One read burst and one
// write burst are served at a time, in order.
#pragma once
#include <deque>

#include "axi_memory.h"

class FixedMemory final : public AxiMemory {
public:
  FixedMemory(Memory &memory, unsigned latency)
      : AxiMemory(memory), latency_(latency) {}

  void reset(MemoryPins &pins) override;
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

  void work(const MemoryPins &pins);
  void take_writes();
  void set_outputs(MemoryPins &pins);

  const uint64_t latency_;
  uint64_t now_ = 0;
  bool busy_ = false, changed_ = true;
  std::deque<Read> reads_;
  std::deque<Burst> writes_;
  std::deque<Beat> beats_;
  std::deque<Answer> answers_;
  unsigned response_ = kOkay; // of the write burst under way
};
