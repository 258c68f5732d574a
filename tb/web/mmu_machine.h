// The MMU alone, with a memory that holds its tables: one access or one
// invalidation at a time, every cycle of it recorded.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "Vmmu.h"
#include "frames.h"
#include "verilated.h"

class MmuMachine {
public:
  struct Registers {
    uint64_t tcr, ttbr0, ttbr1, mair, sctlr;
  };
  struct Access {
    uint64_t va;
    unsigned kind; // 0 read, 1 write, 2 execute
    bool el1;
  };

  explicit MmuMachine(const Registers &registers);
  ~MmuMachine() { top_.final(); }

  void set(const Registers &registers);
  void write(uint64_t address, uint64_t descriptor) {
    memory_[address] = descriptor;
  }
  uint64_t read(uint64_t address) const;
  // Until it is answered; false after kLimit cycles, which is a defect.
  bool access(const Access &access);
  bool invalidate(unsigned kind, bool last_level_only, uint64_t operand);
  // Cycles in which nothing is asked for.
  void pass(unsigned count) { cycles(count); }

  Frames frames;
  std::string names();

private:
  static constexpr unsigned kLatency = 3; // cycles from a read to its answer
  static constexpr unsigned kLimit = 1000;
  static constexpr unsigned kSweepIdle = 0;
  static constexpr unsigned kClearing = 256; // a main TLB clears its places

  void low();  // the inputs settle
  void edge(); // the clock rises
  void cycles(unsigned count);

  VerilatedContext context_;
  Vmmu top_;
  std::unordered_map<uint64_t, uint64_t> memory_;
  unsigned wait_ = 0; // cycles until the answer that is due; 0: none is
  uint64_t answer_ = 0;
};
