// What the core did, as a stream of fixed records for a program that compares
// it with another simulator: each retired instruction or trap, and each store
// as it reaches the data cache or the bus (before its instruction retires).
#pragma once
#include <cstdint>

struct Commit {
  enum Kind : uint8_t { instruction, trap, store };
  Kind kind;
  uint8_t privilege; // 0 U, 1 S, 3 M
  uint8_t rd;        // 0: none
  uint8_t mask;      // bytes of a store
  uint32_t pc;
  uint32_t word;  // the instruction; the data of a store
  uint32_t value; // of rd; xtval of a trap
  uint32_t cause; // of a trap
  uint32_t high;  // with pc: the physical address of a store
};
static_assert(sizeof(Commit) == 24, "both ends agree on the layout");
