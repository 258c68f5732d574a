// The Verilated model as part of a snapshot: Verilator's own streams, with
// bytes behind them.
#pragma once
#include <cstdint>
#include <vector>

#include "Vsimsoc.h"
#include "snapshot.h"
#include "verilated_save.h"

class ModelWriter final : public VerilatedSerialize {
public:
  explicit ModelWriter(std::vector<uint8_t> &to) : to_(to) {}
  ~ModelWriter() override { flush(); }
  void flush() override {
    to_.insert(to_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

private:
  std::vector<uint8_t> &to_;
};

class ModelReader final : public VerilatedDeserialize {
public:
  explicit ModelReader(const std::vector<uint8_t> &from) : from_(from) {
    m_endp = m_bufp;
  }
  void fill() override {
    const size_t kept = size_t(m_endp - m_cp);
    memmove(m_bufp, m_cp, kept);
    const size_t left = from_.size() - at_, room = bufferSize() - kept;
    const size_t more = left < room ? left : room;
    memcpy(m_bufp + kept, from_.data() + at_, more);
    at_ += more;
    m_cp = m_bufp;
    m_endp = m_bufp + kept + more;
  }

private:
  const std::vector<uint8_t> &from_;
  size_t at_ = 0;
};

inline void model_state(Snapshot &s, Vsimsoc &top) {
  std::vector<uint8_t> bytes;
  if (s.saves()) {
    ModelWriter to(bytes);
    to << top;
  }
  s(bytes);
  if (!s.saves()) {
    ModelReader from(bytes);
    from >> top;
  }
}
