// Spike as a reference for one hart: what the core has from outside (devices,
// interrupts, counters, the end of a reservation) comes from the core's own
// commits; everything else is Spike's.
#pragma once
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "memory.h"
#include "riscv/cfg.h"
#include "riscv/mmu.h"
#include "riscv/processor.h"
#include "riscv/simif.h"
#include "sim/commits.h"

class Reference : public simif_t {
public:
  Reference(Memory &memory, uint32_t pc, unsigned pmp_regions);

  // What `commit` did, done by Spike; empty, or what differs afterwards.
  std::string step(const Commit &commit);

  bool translates() const { return state_.satp->read() >> 31 & 1; }

  char *addr_to_mem(reg_t address) override;
  bool mmio_fetch(reg_t, size_t, uint8_t *) override { return false; }
  bool mmio_load(reg_t, size_t bytes, uint8_t *data) override;
  bool mmio_store(reg_t, size_t, const uint8_t *) override;
  void proc_reset(unsigned) override {}
  const cfg_t &get_cfg() const override { return config_; }
  const std::map<size_t, processor_t *> &get_harts() const override {
    return harts_;
  }
  const char *get_symbol(uint64_t) override { return nullptr; }

private:
  void external_state(const Commit &commit);
  std::string compare_trap(const Commit &commit);

  Memory &memory_;
  cfg_t config_;
  std::map<size_t, processor_t *> harts_;
  std::unique_ptr<processor_t> hart_;
  state_t &state_;
  Commit commit_ = {};
  uint32_t registers_[32] = {};
};
