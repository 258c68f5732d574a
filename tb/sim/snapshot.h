// The state of a run as bytes. Every part of the simulator that remembers
// something has a function `state`, which names it; the same function saves and
// restores.
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

class Snapshot {
public:
  // To be filled; or what a file holds. Throws SimError when that cannot be
  // read or was saved by another program.
  Snapshot() = default;
  explicit Snapshot(const std::string &path);
  void write(const std::string &path) const;

  bool saves() const { return saves_; }
  void bytes(void *data, size_t size);

  template <class... T> void operator()(T &...values) { (one(values), ...); }

private:
  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
  bool saves_ = true;

  // The number of elements; they are made when it restores.
  template <class C> void sized(C &values) {
    uint64_t size = values.size();
    one(size);
    values.resize(size);
  }
  template <class T> void one(T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof value);
  }
  template <class T> void one(std::deque<T> &values) {
    sized(values);
    for (T &value : values)
      one(value);
  }
  template <class T> void one(std::vector<T> &values) {
    sized(values);
    bytes(values.data(), values.size() * sizeof(T));
  }
  void one(std::string &text) {
    sized(text);
    bytes(text.data(), text.size());
  }
};
