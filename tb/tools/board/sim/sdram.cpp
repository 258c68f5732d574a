#include "sdram.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../../../sim/error.h"

namespace {
const SdramPart kParts[] = {
    {"MT48LC16M16A2", 13, 9, 100e3, 64e6, 60, 66, 37, 15, 15, 15, 2},
    {"AS4C32M16SB", 13, 10, 200e3, 64e6, 60, 60, 42, 18, 18, 12, 2},
    {"W9825G6JH6", 13, 9, 200e3, 64e6, 60, 60, 42, 15, 15, 12, 2},
};
constexpr unsigned kStartRefreshes = 2;
constexpr unsigned kRefreshDebt = 8;    // refreshes that may be put off
constexpr uint16_t kUnwritten = 0xa5c3; // easy to recognise
} // namespace

const SdramPart &sdram_part(const std::string &name) {
  std::string known;
  for (const SdramPart &part : kParts) {
    if (name == part.name)
      return part;
    known += std::string(" ") + part.name;
  }
  throw SimError(format("SDRAM '%s' is not known; there are%s", name.c_str(),
                        known.c_str()));
}

Sdram::Sdram(const SdramPart &part, double megahertz)
    : part_(part), period_(1000 / megahertz),
      memory_(kBanks << (part.row_bits + part.column_bits), kUnwritten) {}

void Sdram::violation(const std::string &what) const {
  throw SimError(format("SDRAM %s, clock %llu: %s", part_.name,
                        (unsigned long long)cycle_, what.c_str()));
}

void Sdram::need(const char *what, uint64_t since, double nanoseconds) {
  const uint64_t cycles = std::ceil(nanoseconds / period_ - 1e-6);
  if (since != kLongAgo && cycle_ - since < cycles)
    violation(format("%s after %llu clocks, the chip needs %llu", what,
                     (unsigned long long)(cycle_ - since),
                     (unsigned long long)cycles));
}

void Sdram::need_started() {
  if (!cas_)
    violation("command before the mode register was written" + forgot_);
}

// As at power-up: a controller that is reset keeps the chip waiting, and may
// use it again after a new start sequence, but what it held is lost.
void Sdram::forget(double due) {
  forgot_ = format(" again: %llu refreshes since the start, %.0f were due",
                   (unsigned long long)refreshes, due);
  std::fill(memory_.begin(), memory_.end(), kUnwritten);
  cas_ = start_refreshes_ = 0;
  all_precharged_ = false;
}

void Sdram::activate(const Pins &pins) {
  need_started();
  Bank &bank = banks_[pins.bank];
  if (bank.active)
    violation(format("ACTIVE of bank %u, which has row %u open", pins.bank,
                     bank.row));
  need("ACTIVE to ACTIVE (tRC)", bank.activated, part_.rc);
  need("PRECHARGE to ACTIVE (tRP)", bank.precharged, part_.rp);
  need("REFRESH to ACTIVE (tRFC)", refreshed_, part_.rfc);
  need("LOAD MODE to ACTIVE (tMRD)", mode_set_, part_.mrd * period_);
  bank.active = true;
  bank.row = pins.address & ((1u << part_.row_bits) - 1);
  bank.activated = cycle_;
  activates++;
}

void Sdram::access(const Pins &pins, bool write) {
  need_started();
  Bank &bank = banks_[pins.bank];
  if (!bank.active)
    violation(format("access to bank %u, which has no open row", pins.bank));
  if (pins.address >> 10 & 1)
    violation("access with auto precharge, which this model does not know");
  need("ACTIVE to access (tRCD)", bank.activated, part_.rcd);
  const uint64_t column = pins.address & ((1u << part_.column_bits) - 1);
  // Banks lie between rows and columns, as the controller numbers them.
  const uint64_t place =
      (uint64_t(bank.row) * kBanks + pins.bank) << part_.column_bits | column;
  if (!write) {
    pending_.push_back({cas_ - 1, memory_[place]});
    reads++;
    return;
  }
  if (pins.driven != 0xffff)
    violation("WRITE without data on the pins");
  const uint16_t lanes =
      (pins.dqm & 1 ? 0 : 0x00ff) | (pins.dqm & 2 ? 0 : 0xff00);
  memory_[place] = (memory_[place] & ~lanes) | (pins.data & lanes);
  bank.written = cycle_;
  writes++;
}

void Sdram::precharge(const Pins &pins) {
  const bool all = pins.address >> 10 & 1;
  for (Bank &bank : banks_) {
    if (!all && &bank != &banks_[pins.bank])
      continue;
    if (bank.active) {
      need("ACTIVE to PRECHARGE (tRAS)", bank.activated, part_.ras);
      need("WRITE to PRECHARGE (tWR)", bank.written, part_.wr);
    }
    bank.active = false;
    bank.precharged = cycle_;
  }
  all_precharged_ |= all;
}

void Sdram::refresh() {
  for (const Bank &bank : banks_) {
    if (bank.active)
      violation("REFRESH with an open row");
    need("PRECHARGE to REFRESH (tRP)", bank.precharged, part_.rp);
  }
  if (!all_precharged_)
    violation("REFRESH before PRECHARGE ALL");
  need("REFRESH to REFRESH (tRFC)", refreshed_, part_.rfc);
  refreshed_ = cycle_;
  refreshes++;
  start_refreshes_ += !cas_;
}

void Sdram::set_mode(const Pins &pins) {
  if (!all_precharged_ || start_refreshes_ < kStartRefreshes)
    violation(
        "LOAD MODE before PRECHARGE ALL and two REFRESH (start sequence)");
  for (const Bank &bank : banks_)
    need("PRECHARGE to LOAD MODE (tRP)", bank.precharged, part_.rp);
  need("REFRESH to LOAD MODE (tRFC)", refreshed_, part_.rfc);
  cas_ = pins.address >> 4 & 7;
  if ((pins.address & 0xf) != 0 || (cas_ != 2 && cas_ != 3))
    violation(
        format("mode 0x%03x: only single accesses with a CAS latency of 2 or "
               "3 are modelled",
               pins.address));
  mode_set_ = started_ = cycle_;
  refreshes = 0;
}

void Sdram::command(const Pins &pins) {
  const unsigned code = pins.rasn << 2 | pins.casn << 1 | pins.wen;
  if (code == 7 || pins.csn)
    return;
  if (cycle_ * period_ < part_.power_up)
    violation("command before the power-up time is over");
  switch (code) {
  case 0:
    return set_mode(pins);
  case 1:
    return refresh();
  case 2:
    return precharge(pins);
  case 3:
    return activate(pins);
  case 4:
    return access(pins, true);
  case 5:
    return access(pins, false);
  default:
    violation("BURST TERMINATE, which this model does not know");
  }
}

// Data is out for one clock; a DQM of two edges before silences it.
void Sdram::output(const Pins &pins) {
  drives_ = false;
  for (Read &read : pending_)
    read.edges--;
  if (!pending_.empty() && pending_.front().edges == 0) {
    data_ = pending_.front().data;
    drives_ = earlier_dqm_ != 3;
    if (drives_ && earlier_dqm_)
      violation("READ of single bytes, which the controller never does");
    pending_.erase(pending_.begin());
  }
  earlier_dqm_ = pins.dqm;
}

void Sdram::clock(const Pins &pins) {
  if (drives_ && pins.driven)
    violation("both sides drive the data pins");
  // CKE acts one clock later: it stops the chip's inner clock.
  if (enabled_) {
    output(pins);
    command(pins);
  }
  enabled_ = pins.cke;
  cycle_++;
  if (cas_ && cycle_ % 1024 == 0) {
    const double rows = 1u << part_.row_bits;
    const double due =
        (cycle_ - started_) * period_ * rows / part_.refresh_window;
    if (due > refreshes + kRefreshDebt)
      forget(due);
  }
}

void Sdram::store(uint64_t address, const void *bytes, uint64_t length) {
  if (address + length > capacity())
    throw SimError(
        format("0x%llx bytes at 0x%llx do not fit into the SDRAM of 0x%llx",
               (unsigned long long)length, (unsigned long long)address,
               (unsigned long long)capacity()));
  memcpy(reinterpret_cast<char *>(memory_.data()) + address, bytes, length);
}
