// AXI4 slave in front of Memory; how long it takes is up to the kind of memory.
// Addresses outside of memory are answered with DECERR.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "memory.h"
#include "memory_pins.h"
#include "snapshot.h"

class AxiMemory {
public:
  explicit AxiMemory(Memory &memory) : memory_(memory) {}
  virtual ~AxiMemory() = default;

  virtual void reset(MemoryPins &pins) = 0;
  // Called in this order, once a clock. Outputs after the clock edge:
  virtual void drive(MemoryPins &pins) = 0;
  // Inputs of the coming clock edge; outputs must be settled.
  virtual void sample(const MemoryPins &pins) = 0;

  virtual void state(Snapshot &s) {
    s(read_bursts, write_bursts, read_beats, write_beats);
  }

  // Lines about what is special to this kind of memory.
  virtual std::string stats() const { return ""; }

  uint64_t read_bursts = 0, write_bursts = 0, read_beats = 0, write_beats = 0;

protected:
  static constexpr unsigned kOkay = 0, kDecodeError = 3;

  struct Burst {
    uint64_t address;
    unsigned beats_left, size, kind, id, bytes;
    // The address of the next beat.
    uint64_t next();
  };

  static Burst burst(const MemoryPins::Command &command);
  // Offers the word of a beat that is read.
  void give(MemoryPins::ReadData &r, const Burst &burst);
  // The beat that is offered, to `address`; the response.
  unsigned write(uint64_t address, uint32_t data, unsigned strobe);

  Memory &memory_;
};

// The kinds, each in the file of its name.
std::unique_ptr<AxiMemory> board_memory(Memory &memory, unsigned megahertz);
std::unique_ptr<AxiMemory> fixed_memory(Memory &memory, unsigned latency);

// `kind`: board, board:MHZ or fixed:N. Throws SimError when it is none of them.
std::unique_ptr<AxiMemory> make_memory(const std::string &kind, Memory &memory);
constexpr char kDefaultMemory[] = "board";
