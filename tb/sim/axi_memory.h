// AXI4 slave in front of Memory. One read burst and one write burst are served
// at a time, in order; the first word of a read comes `latency` cycles after
// its command (the row activation and CAS delay of an SDRAM), the words of a
// burst follow each other. Addresses outside of memory are answered with
// DECERR.
#pragma once
#include <cstdint>
#include <deque>

#include "Vsimsoc.h"
#include "memory.h"

class AxiMemory {
public:
  AxiMemory(Memory &memory, unsigned latency)
      : memory_(memory), latency_(latency) {}

  void reset(Vsimsoc &top);

  // Inputs of the coming clock edge; outputs must be settled.
  void sample(const Vsimsoc &top) {
    if (top.memory_ar_valid | top.memory_aw_valid | top.memory_w_valid | busy_)
      work(top);
  }

  // Outputs after the clock edge.
  void drive(Vsimsoc &top) {
    if (changed_)
      set_outputs(top);
  }

  uint64_t read_bursts = 0, write_bursts = 0, read_beats = 0, write_beats = 0;

private:
  struct Burst {
    uint64_t address, ready_at;
    unsigned beats_left, size, kind, id, bytes;
    uint64_t next();
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

  template <typename Data>
  Burst burst(Data address, unsigned length, unsigned size, unsigned kind,
              unsigned id) const;
  void work(const Vsimsoc &top);
  void take_writes();
  void set_outputs(Vsimsoc &top);

  Memory &memory_;
  const uint64_t latency_;
  uint64_t now_ = 0;
  bool busy_ = false, changed_ = true;
  std::deque<Burst> reads_, writes_;
  std::deque<Beat> beats_;
  std::deque<Answer> answers_;
  unsigned response_ = 0; // of the write burst under way
};
