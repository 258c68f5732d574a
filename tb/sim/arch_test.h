// What RISC-V's official suites expect of a machine: a store to `tohost` ends
// the run, and the words from begin_signature to end_signature are its result.
// Both are taken from the stores, as memory is behind caches that write back.
#pragma once
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "error.h"
#include "memory.h"
#include "program.h"

class ArchTest {
public:
  // `file`: where the signature goes, empty: nowhere. Throws SimError when the
  // program lacks the symbols.
  ArchTest(const Program &program, Memory &memory, const std::string &file)
      : file_(file) {
    if (const auto symbol = program.symbol("tohost"))
      tohost_ = symbol->address;
    if (file.empty())
      return;
    const auto begin = program.symbol("begin_signature");
    const auto end = program.symbol("end_signature");
    if (!begin || !end)
      throw SimError("--signature: the program has no symbols begin_signature "
                     "and end_signature");
    begin_ = begin->address;
    if (end->address < begin_ || begin_ % 4 || end->address % 4 ||
        !memory.contains(begin_, end->address - begin_))
      throw SimError(format("--signature: 0x%08x to 0x%08x are no words of "
                            "memory; align both symbols and link them there",
                            begin_, end->address));
    fclose(open_for_writing("--signature", file));
    for (uint64_t at = begin_; at < end->address; at += 4)
      words_.push_back(*memory.word(at));
  }

  // Has the program anything of this?
  bool active() const { return tohost_ || !file_.empty(); }
  // A store of the bytes in `mask` of the aligned word at an address.
  void store(uint64_t address, unsigned mask, uint32_t data) {
    if (ended_)
      return;
    address &= ~uint64_t(3);
    // The upper half of tohost is the number of a device, which is 0 here.
    if (tohost_ && address == *tohost_ && mask == 0xf && data)
      ended_ = data;
    if (address < begin_ || (address - begin_) / 4 >= words_.size())
      return;
    uint32_t &word = words_[(address - begin_) / 4];
    for (unsigned lane = 0; lane < 4; lane++)
      if (mask >> lane & 1)
        word = (word & ~(0xffu << 8 * lane)) | (data & 0xffu << 8 * lane);
  }
  // The value of tohost that ended the run; none: it did not.
  std::optional<uint32_t> ended() const { return ended_; }
  // Of that value: 1 is success, others are twice the status.
  static unsigned status(uint32_t value) { return value == 1 ? 0 : value >> 1; }
  void write() const {
    if (file_.empty())
      return;
    FILE *out = open_for_writing("--signature", file_);
    bool good = true;
    for (const uint32_t word : words_)
      good = good && fprintf(out, "%08x\n", word) > 0;
    if (fclose(out) != 0 || !good)
      cannot_write("--signature", file_);
  }

private:
  std::string file_;
  std::optional<uint32_t> tohost_, ended_;
  uint32_t begin_ = 0;
  std::vector<uint32_t> words_;
};
