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
  void state(Snapshot &s);

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
