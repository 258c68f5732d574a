// Sparse physical memory: the two windows of the memory map, pages allocated
// when first touched.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "snapshot.h"

class Memory {
public:
  Memory(uint64_t lowmem_bytes, uint64_t highmem_bytes);

  // The aligned 32-bit word at an address, nullptr outside of the memory that
  // exists.
  uint32_t *word(uint64_t address);
  bool contains(uint64_t address, uint64_t bytes) const;
  void write(uint64_t address, const void *data, uint64_t bytes);
  uint64_t lowmem_bytes() const { return windows_[0].size; }
  uint64_t pages_used() const { return pages_used_; }
  // Here, so that who has no snapshots needs none.
  void state(Snapshot &s) {
    for (Window &w : windows_)
      for (uint64_t i = 0; i < w.pages.size(); i++) {
        bool touched = bool(w.pages[i]);
        s(touched);
        if (touched)
          s.bytes(word(w.base + (i << kPageShift)), 1 << kPageShift);
      }
  }

  static constexpr unsigned kPageShift = 16;

private:
  using Page = std::unique_ptr<uint32_t[]>;
  struct Window {
    uint64_t base, size;
    std::vector<Page> pages;
  };
  Window *window(uint64_t address);

  Window windows_[2];
  uint64_t pages_used_ = 0;
};
