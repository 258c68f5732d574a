// A frame: the named signals of the MMU in one cycle, as 64-bit words. The list
// of names is generated (tb/tools/web/signals.py); a name that the model does
// not have does not compile.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "verilated.h"

class Frames {
public:
// Only what reads the signals is compiled with the list of them.
#if __has_include("probes.inc")
  // The names in order, each with its number of words, as JSON.
  template <typename Root> static std::string names(const Root &root) {
    std::string text;
#define PROBE(NAME, MEMBER) add(text, NAME, root.MEMBER);
#include "probes.inc"
#undef PROBE
    return "[" + text + "]";
  }

  template <typename Root> void capture(const Root &root) {
#define PROBE(NAME, MEMBER) put(root.MEMBER);
#include "probes.inc"
#undef PROBE
    count_++;
  }
#endif

  const uint64_t *words() const { return words_.data(); }
  unsigned count() const { return count_; }
  unsigned size() const { return count_ ? words_.size() / count_ : 0; }
  void clear() {
    words_.clear();
    count_ = 0;
  }

private:
  template <typename T> void put(const T &value) { words_.push_back(value); }
  // What is wider than 64 bits has several words, the lowest bits first.
  template <size_t W> void put(const VlWide<W> &value) {
    for (size_t i = 0; i < W; i += 2)
      words_.push_back(value[i] |
                       (i + 1 < W ? uint64_t(value[i + 1]) << 32 : 0));
  }
  template <typename T, size_t N> void put(const VlUnpacked<T, N> &memory) {
    for (size_t i = 0; i < N; i++)
      put(memory[i]);
  }
  static void name(std::string &text, const char *name, size_t words) {
    text += (text.empty() ? "[\"" : ",[\"") + std::string(name) + "\"," +
            std::to_string(words) + "]";
  }
  template <typename T> static size_t words_of(const T &) { return 1; }
  template <size_t W> static size_t words_of(const VlWide<W> &) {
    return (W + 1) / 2;
  }
  template <typename T, size_t N>
  static size_t words_of(const VlUnpacked<T, N> &memory) {
    return N * words_of(memory[0]);
  }
  template <typename T>
  static void add(std::string &text, const char *is, const T &value) {
    name(text, is, words_of(value));
  }

  std::vector<uint64_t> words_;
  unsigned count_ = 0;
};
