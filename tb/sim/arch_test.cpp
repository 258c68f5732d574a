#include "arch_test.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "error.h"

ArchTest::ArchTest(const Program &program, Memory &memory,
                   const std::string &file)
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
  FILE *probe = fopen(file.c_str(), "w");
  if (!probe)
    throw SimError(format("--signature: %s cannot be written: %s", file.c_str(),
                          strerror(errno)));
  fclose(probe);
  for (uint64_t at = begin_; at < end->address; at += 4)
    words_.push_back(*memory.word(at));
}

void ArchTest::store(uint64_t address, unsigned mask, uint32_t data) {
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

void ArchTest::write() const {
  if (file_.empty())
    return;
  FILE *out = fopen(file_.c_str(), "w");
  bool good = out != nullptr;
  for (const uint32_t word : words_)
    good = good && fprintf(out, "%08x\n", word) > 0;
  if (out)
    good = fclose(out) == 0 && good;
  if (!good)
    throw SimError(format("--signature: %s cannot be written: %s",
                          file_.c_str(), strerror(errno)));
}
