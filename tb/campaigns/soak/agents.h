// Programs of several agents, cycle by cycle, with every combination of delays:
// litmus shapes and scenarios of the matrix.
//
// The script has one command a line, numbers in hexadecimal
// (tb/campaigns/litmus/script.py writes it):
//   R 13 words                    registers, in the order of `put_context`; the
//                                 first of them count at the beginning of a run
//   M address value               a cell, and what it holds at first
//   W fetch kind va               an access that makes the TLB warm
//   V kind operand                the invalidation that makes the TLB cold
//   N count                       registers that agents have
//   B                             an agent begins; then its steps:
//     s address value             store          l address reg    load
//     x address value reg         swap           c address        clear bit 0
//     a address value             wait until memory holds it
//     d                           barrier        i kind last operand
//     t fetch kind va reg value   translated access
//     r number                    other registers, of those given with R
//     e address on                bus errors of a word begin or end
//     h cycles                    memory takes and answers nothing so long
//     z                           reset of the MMU; accesses are asked again
//   E lo hi step (nine times)     play every combination of delays
//   H count seed, lo hi (nine)    play random ones
// For each end of a shape it writes "count delays... = registers... /
// cells...", the delays of the first run that came to it. What the RTL's checks
// say goes to the standard output; the runs go on.
#pragma once

#include <algorithm>
#include <deque>
#include <map>

#include "bench.h"

class Agents : public Bench {
public:
  Agents(const char *script, const char *ends) : Bench(script, ends, true) {
    memory_.latency = [this](bool swap) -> unsigned {
      if (!timed_)
        return 1;
      return swap ? delays_[kSwap]
                  : delays_[memory_.reads.size() % 2 ? kRead : kRead2];
    };
  }

private:
  // Delays of a run. lead: cycles that the second and third agent begin after
  // the first, which may be negative; read: of the first, third ... read, and
  // of the others; swap; hold: cycles that a swap waits until it is taken;
  // store: that a store waits; late: words are read with the answer; warm: 0
  // nothing is in a TLB, 1 all is, 2 tables are.
  enum { kLead, kLead3, kRead, kRead2, kSwap, kHold, kStore, kLate, kWarm };
  static constexpr int kDelays = kWarm + 1;
  using Delays = std::array<int, kDelays>;
  static constexpr unsigned kLongest = 4000; // cycles of a run
  static constexpr unsigned kTail = 16;      // what may still be stored then
  static constexpr uint64_t kFault = 1ull << 63, kWritten = 1ull << 62;
  static constexpr uint64_t kNothing = ~0ull;

  struct Step {
    char name;
    std::array<uint64_t, 5> word;
    bool fetch() const { return word[0]; }
    Access access() const { return {fetch(), word[1], 0, 0, 0, 0, word[2]}; }
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

    bool ended() const {
      return at == program.size() && buffer.empty() && !open;
    }
  };

  std::vector<Registers> contexts_;
  std::vector<Agent> agents_;
  std::vector<uint64_t> regs_;
  Agent *flusher_ = nullptr; // whose invalidation is offered or under way
  Delays delays_{};
  bool timed_ = false; // memory takes its time
  std::unordered_map<uint64_t, uint64_t> initial_;
  std::vector<uint64_t> cells_;
  std::vector<Step> warm_;
  uint64_t cold_[2] = {}; // kind and operand
  std::map<std::string, std::pair<uint64_t, Delays>> ends_;

  // ---- a cycle of a run

  // The access is made with its answer.
  uint64_t answer(const Step &step) {
    const bool fetch = step.fetch();
    if (GRANULE_ANSWER(fetch, fault))
      return kFault | GRANULE_ANSWER(fetch, status);
    uint64_t &word = memory_.word(GRANULE_ANSWER(fetch, pa));
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
      offer(word[0], word[1], word[2], 0);
      top_.INVALIDATE(cmd_valid) = 1;
      return; // goes on when it is accepted
    case 't':
      if (agent.port == Agent::kIdle) {
        announce(step.fetch(), word[2]);
        agent.port = Agent::kAnnounced;
      } else if (agent.port == Agent::kAnnounced) {
        ask(step.access());
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

  // Answers first, then who waits for `done`, then stores.
  void step() {
    top_.eval();
    const bool accepted =
        top_.INVALIDATE(cmd_valid) && top_.INVALIDATE(cmd_ready);
    const bool done = top_.INVALIDATE(done);
    std::vector<Agent *> answered;
    for (Agent &agent : agents_) {
      if (agent.port != Agent::kAsks)
        continue;
      const Step &access = agent.program[agent.at];
      if (!ready(access.fetch()))
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
      valid(agent->program[agent->at].fetch()) = 0;
      agent->port = Agent::kIdle;
      agent->at++;
    }
    if (accepted) {
      top_.INVALIDATE(cmd_valid) = 0;
      flusher_->at++;
    }
    if (done && flusher_) {
      flusher_->open--;
      flusher_ = nullptr;
    }
    for (Agent &agent : agents_)
      act(agent);
  }

  // Nothing of the cycle counts, and all commands have ended.
  void after_reset() {
    top_.reset = 0;
    valid(false) = valid(true) = top_.INVALIDATE(cmd_valid) = 0;
    memory_.reset(top_);
    for (Agent &agent : agents_)
      agent.port = Agent::kIdle;
  }

  // ---- a run

  void warm(const Step &step) {
    announce(step.fetch(), step.word[2]);
    idle();
    ask(step.access());
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      top_.eval();
      const bool fires = ready(step.fetch());
      cycle();
      if (fires) {
        valid(step.fetch()) = 0;
        return;
      }
    }
    throw std::runtime_error("an access is not answered");
  }

  void forget(uint64_t kind, bool tables_stay) {
    offer(kind, tables_stay, cold_[1], 0);
    invalidate();
    settle();
  }

  void prepare() {
    put_context(top_, contexts_[0]);
    memory_.words = initial_;
    memory_.errors.clear();
    memory_.stalled = memory_.hold = 0;
    memory_.late = timed_ = false;
    forget(cold_[0], false);
    if (delays_[kWarm])
      for (const Step &step : warm_)
        warm(step);
    if (delays_[kWarm] == 2)
      forget(2, true);
    memory_.words = initial_;
    memory_.forget_access();
    memory_.hold = delays_[kHold];
    memory_.late = delays_[kLate];
    timed_ = true;
    const int lead[] = {0, delays_[kLead], delays_[kLead3]};
    const int first = *std::min_element(lead, lead + agents_.size());
    for (std::size_t i = 0; i < agents_.size(); i++) {
      agents_[i] = Agent{std::move(agents_[i].program)};
      agents_[i].wait = lead[i] - first;
    }
    regs_.assign(regs_.size(), kNothing);
  }

  static std::string text(const Delays &delays) {
    std::string text;
    for (int delay : delays)
      text += " " + std::to_string(delay);
    return text;
  }

  void run(const Delays &delays) {
    transcript_.command("delays" + text(delays));
    delays_ = delays;
    prepare();
    unsigned tail = kTail + delays[kSwap] + delays[kHold];
    for (unsigned cycles = 0; tail; cycles++) {
      if (cycles > kLongest)
        throw std::runtime_error("a run does not end");
      step();
      tail -= std::all_of(agents_.begin(), agents_.end(),
                          [](const Agent &agent) { return agent.ended(); });
    }
    std::string end;
    const auto add = [&](uint64_t value) {
      char text[32];
      std::snprintf(text, sizeof text, " %" PRIx64, value);
      end += text;
    };
    std::for_each(regs_.begin(), regs_.end(), add);
    end += " /";
    for (uint64_t address : cells_)
      add(memory_.word(address));
    auto &entry = ends_.emplace(end, std::make_pair(0, delays)).first->second;
    entry.first++;
  }

  void report() {
    for (const auto &[end, how] : ends_)
      std::fprintf(out_, "%" PRIu64 "%s =%s\n", how.first,
                   text(how.second).c_str(), end.c_str());
    ends_.clear();
  }

  void exhaust() {
    std::array<std::array<int, 3>, kDelays> range;
    Delays now;
    for (int i = 0; i < kDelays; i++) {
      for (int &part : range[i])
        part = script_.decimal();
      now[i] = range[i][0];
    }
    for (int i = 0; i < kDelays;) {
      run(now);
      for (i = 0; i < kDelays && (now[i] += range[i][2]) > range[i][1]; i++)
        now[i] = range[i][0];
    }
    report();
  }

  void random() {
    const int count = script_.decimal();
    uint64_t seed = script_.decimal() * 2 + 1;
    std::array<std::array<int, 2>, kDelays> range;
    for (auto &limits : range)
      for (int &part : limits)
        part = script_.decimal();
    for (int n = 0; n < count; n++) {
      Delays now;
      for (int i = 0; i < kDelays; i++)
        now[i] = range[i][0] +
                 int(next_random(seed) % (range[i][1] - range[i][0] + 1));
      run(now);
    }
    report();
  }

  Step read_step(char name) {
    Step step{name, {}};
    for (uint64_t &word : step.word)
      word = number();
    return step;
  }

  void command(char name) override {
    switch (name) {
    case 'R':
      contexts_.push_back(registers());
      break;
    case 'M':
      cells_.push_back(number());
      initial_[cells_.back()] = number();
      break;
    case 'W':
      warm_.push_back(read_step('t'));
      break;
    case 'V':
      cold_[0] = number();
      cold_[1] = number();
      break;
    case 'N':
      regs_.resize(number());
      break;
    case 'B':
      agents_.emplace_back();
      break;
    case 'E':
      exhaust();
      break;
    case 'H':
      random();
      break;
    default:
      agents_.back().program.push_back(read_step(name));
    }
  }
};
