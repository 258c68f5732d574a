// The Verilated MMU with its memory, and agents that go through their programs
// cycle by cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "../soak/finish.h"
#include "memory.h"

const uint64_t kFault = 1ull << 63, kWritten = 1ull << 62;

// Delays of a run. lead: cycles that the second and third agent begin after the
// first, which may be negative; store: cycles that a store waits; warm: 0
// nothing is in a TLB, 1 all is, 2 tables are.
enum Delay {
  kLead,
  kLead3,
  kRead,
  kRead2,
  kSwap,
  kHold,
  kStore,
  kLate,
  kWarm,
  kDelays
};
using Delays = std::array<int, kDelays>;

struct Step {
  char name;
  std::array<uint64_t, 5> word;
};

struct Waiting {
  uint64_t address, value;
  int cycles;
};

struct Agent {
  std::vector<Step> program;
  std::size_t at = 0;
  int wait = 0;               // cycles until it begins
  std::deque<Waiting> buffer; // stores, oldest first
  unsigned open = 0;          // invalidations that are not done
  enum { kIdle, kAnnounced, kAsks } port = kIdle;

  bool ended() const { return at == program.size() && buffer.empty() && !open; }
};

class Bench {
protected:
  Vmmu top_;
  LitmusMemory memory_;
  std::vector<std::array<uint64_t, kRegisters>> contexts_;
  std::vector<Agent> agents_;
  std::vector<uint64_t> regs_;
  Agent *flusher_ = nullptr; // whose invalidation is offered or under way
  Delays delays_{};

  Bench() {
    quiet(top_);
    top_.io_fetch_ahead_valid = top_.io_data_ahead_valid = 1; // in every cycle
    top_.reset = 1;
    for (int i = 0; i < 4; i++)
      cycle();
    checks_begin();
    after_reset();
    cycle();
  }

  void cycle() {
    memory_.sample(top_);
    top_.clk = 1;
    top_.eval();
    memory_.drive(top_);
    top_.clk = 0;
    top_.eval();
  }

  // After a cycle of reset: nothing of it counts, and all commands have ended.
  void after_reset() {
    top_.reset = 0;
    top_.io_fetch_cmd_valid = top_.io_data_cmd_valid =
        top_.io_invalidate_cmd_valid = 0;
    memory_.forget_all(top_);
    for (Agent &agent : agents_)
      agent.port = Agent::kIdle;
  }

  CData &valid(bool fetch) {
    return fetch ? top_.io_fetch_cmd_valid : top_.io_data_cmd_valid;
  }
  bool ready(bool fetch) const {
    return fetch ? top_.io_fetch_cmd_ready : top_.io_data_cmd_ready;
  }

  void announce(const Step &step) {
    const bool fetch = step.word[0];
    (fetch ? top_.io_fetch_ahead_payload : top_.io_data_ahead_payload) =
        step.word[2];
  }

  void ask(const Step &step) {
#define LITMUS_COMMAND(side)                                                   \
  top_.io_##side##_cmd_payload_access = step.word[1];                          \
  top_.io_##side##_cmd_payload_el1 = 0;                                        \
  top_.io_##side##_cmd_payload_pan = 0;                                        \
  top_.io_##side##_cmd_payload_untranslated = 0;                               \
  top_.io_##side##_cmd_payload_va = step.word[2];                              \
  put_##side##_cmd_payload_mxr(top_, {0, 0}, 0);                               \
  put_##side##Machine(top_, {0, 0}, 0)
    if (step.word[0]) {
      LITMUS_COMMAND(fetch);
    } else {
      LITMUS_COMMAND(data);
    }
    valid(step.word[0]) = 1;
  }

  // The access is made with its answer.
  uint64_t answer(const Step &step) {
    const bool fetch = step.word[0];
    if (fetch ? top_.io_fetch_rsp_fault : top_.io_data_rsp_fault)
      return kFault |
             (fetch ? top_.io_fetch_rsp_status : top_.io_data_rsp_status);
    uint64_t &word =
        memory_.word(fetch ? top_.io_fetch_rsp_pa : top_.io_data_rsp_pa);
    if (step.word[1] != 1)
      return word;
    word = step.word[4];
    return kWritten;
  }

  // What an agent sees at the end of a cycle; it drives the next one.
  void act(Agent &agent) {
    for (Waiting &store : agent.buffer)
      store.cycles--;
    while (!agent.buffer.empty() && agent.buffer.front().cycles < 0) {
      memory_.word(agent.buffer.front().address) = agent.buffer.front().value;
      agent.buffer.pop_front();
    }
    if (agent.wait-- > 0 || agent.at == agent.program.size())
      return;
    const Step &step = agent.program[agent.at];
    const auto &word = step.word;
    switch (step.name) {
    case 's':
      agent.buffer.push_back({word[0], word[1], delays_[kStore]});
      break;
    case 'l':
      regs_[word[1]] = memory_.word(word[0]);
      for (const Waiting &store : agent.buffer)
        if (store.address == word[0])
          regs_[word[1]] = store.value;
      break;
    case 'x':
      if (!agent.buffer.empty())
        return;
      regs_[word[2]] = memory_.word(word[0]);
      memory_.word(word[0]) = word[1];
      break;
    case 'c':
      if (!agent.buffer.empty())
        return;
      memory_.word(word[0]) &= ~1ull;
      break;
    case 'a':
      if (memory_.word(word[0]) != word[1])
        return;
      break;
    case 'd':
      if (!agent.buffer.empty() || agent.open)
        return;
      break;
    case 'i':
      if (flusher_)
        return;
      flusher_ = &agent;
      agent.open++;
      offer(word[0], word[1], word[2]);
      return; // goes on when it is accepted
    case 't':
      if (agent.port == Agent::kIdle) {
        announce(step);
        agent.port = Agent::kAnnounced;
      } else if (agent.port == Agent::kAnnounced) {
        ask(step);
        agent.port = Agent::kAsks;
      }
      return; // goes on when it is answered
    case 'r':
      put_context(top_, contexts_[word[0]]);
      break;
    case 'e':
      if (word[1])
        memory_.errors.insert(word[0]);
      else
        memory_.errors.erase(word[0]);
      break;
    case 'h':
      memory_.stalled = word[0];
      break;
    case 'z':
      top_.reset = 1; // in the next cycle
      break;
    default:
      throw std::runtime_error(std::string("unknown step: ") + step.name);
    }
    agent.at++;
  }

  void offer(uint64_t kind, uint64_t last, uint64_t operand) {
    top_.io_invalidate_cmd_payload_kind = kind;
    top_.io_invalidate_cmd_payload_lastLevelOnly = last;
    top_.io_invalidate_cmd_payload_operand = operand;
    top_.io_invalidate_cmd_payload_ds = 0;
    top_.io_invalidate_cmd_valid = 1;
  }

  // One cycle of a run: answers first, then who waits for `done`, then stores.
  void step() {
    top_.eval();
    const bool accepted =
        top_.io_invalidate_cmd_valid && top_.io_invalidate_cmd_ready;
    const bool done = top_.io_invalidate_done;
    std::vector<Agent *> answered;
    for (Agent &agent : agents_) {
      if (agent.port != Agent::kAsks)
        continue;
      const Step &access = agent.program[agent.at];
      if (!ready(access.word[0]))
        continue;
      regs_[access.word[3]] = answer(access);
      answered.push_back(&agent);
    }
    const bool resets = top_.reset;
    cycle();
    if (resets) {
      after_reset();
      answered.clear();
    }
    for (Agent *agent : answered) {
      valid(agent->program[agent->at].word[0]) = 0;
      agent->port = Agent::kIdle;
      agent->at++;
    }
    if (accepted) {
      top_.io_invalidate_cmd_valid = 0;
      flusher_->at++;
    }
    if (done && flusher_) {
      flusher_->open--;
      flusher_ = nullptr;
    }
    for (Agent &agent : agents_)
      act(agent);
  }
};
