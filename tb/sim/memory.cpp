#include "memory.h"

#include <cstring>

#include "granule_map.h"

Memory::Memory(uint64_t lowmem_bytes, uint64_t highmem_bytes)
    : windows_{{GRANULE_LOWMEM_BASE, lowmem_bytes, {}},
               {GRANULE_HIGHMEM_BASE, highmem_bytes, {}}} {
  for (Window &w : windows_)
    w.pages.resize((w.size + (1 << kPageShift) - 1) >> kPageShift);
}

Memory::Window *Memory::window(uint64_t address) {
  for (Window &w : windows_)
    if (address - w.base < w.size)
      return &w;
  return nullptr;
}

bool Memory::contains(uint64_t address, uint64_t bytes) const {
  for (const Window &w : windows_)
    if (address >= w.base && address - w.base <= w.size &&
        bytes <= w.size - (address - w.base))
      return true;
  return false;
}

uint32_t *Memory::word(uint64_t address) {
  Window *w = window(address);
  if (!w)
    return nullptr;
  const uint64_t offset = address - w->base;
  Page &page = w->pages[offset >> kPageShift];
  if (!page) {
    page = std::make_unique<uint32_t[]>(1 << (kPageShift - 2));
    pages_used_++;
  }
  return &page[(offset & ((1 << kPageShift) - 1)) >> 2];
}

void Memory::write(uint64_t address, const void *data, uint64_t bytes) {
  const auto *from = static_cast<const uint8_t *>(data);
  for (uint64_t i = 0; i < bytes; i++) {
    auto *lanes = reinterpret_cast<uint8_t *>(word(address + i));
    lanes[(address + i) & 3] = from[i];
  }
}
