// What RISC-V's official suites expect of a machine: a store to `tohost` ends
// the run, and the words from begin_signature to end_signature are its result.
// Both are taken from the stores, as memory is behind caches that write back.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory.h"
#include "program.h"

class ArchTest {
public:
  // `file`: where the signature goes, empty: nowhere. Throws SimError when the
  // program lacks the symbols.
  ArchTest(const Program &program, Memory &memory, const std::string &file);

  // Has the program anything of this?
  bool active() const { return tohost_ || !file_.empty(); }
  // A store of the bytes in `mask` of the aligned word at an address.
  void store(uint64_t address, unsigned mask, uint32_t data);
  // The value of tohost that ended the run; none: it did not.
  std::optional<uint32_t> ended() const { return ended_; }
  // Of that value: 1 is success, others are twice the status.
  static unsigned status(uint32_t value) { return value == 1 ? 0 : value >> 1; }
  void write() const;

private:
  std::string file_;
  std::optional<uint32_t> tohost_, ended_;
  uint32_t begin_ = 0;
  std::vector<uint32_t> words_;
};
