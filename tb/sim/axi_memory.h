// AXI4 slave in front of Memory; how long it takes is up to the kind of memory.
// Addresses outside of memory are answered with DECERR.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "Vsimsoc.h"
#include "memory.h"

class AxiMemory {
public:
  explicit AxiMemory(Memory &memory) : memory_(memory) {}
  virtual ~AxiMemory() = default;

  virtual void reset(Vsimsoc &top) = 0;
  // Called in this order, once a clock. Outputs after the clock edge:
  virtual void drive(Vsimsoc &top) = 0;
  // Inputs of the coming clock edge; outputs must be settled.
  virtual void sample(const Vsimsoc &top) = 0;

  uint64_t read_bursts = 0, write_bursts = 0, read_beats = 0, write_beats = 0;

protected:
  static constexpr unsigned kOkay = 0, kDecodeError = 3;

  struct Burst {
    uint64_t address;
    unsigned beats_left, size, kind, id, bytes;
    // The address of the next beat.
    uint64_t next();
  };

  static Burst read_burst(const Vsimsoc &top);
  static Burst write_burst(const Vsimsoc &top);
  // The beat that is offered, to `address`; the response.
  unsigned write(uint64_t address, uint32_t data, unsigned strobe);

  Memory &memory_;
};

// `kind`: board, board:MHZ or fixed:N. Throws SimError when it is none of them.
std::unique_ptr<AxiMemory> make_memory(const std::string &kind, Memory &memory);
constexpr char kDefaultMemory[] = "board";
