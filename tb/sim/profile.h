// Where the cycles of a run went: instructions and the reason of every other
// cycle (cpu/Stall.scala), for each privilege, from reset to each milestone.
// A milestone is the first time that the console shows a text, the first
// instruction in U-mode, or the end. Beside them stand the events of the
// counters.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

class Profile {
public:
  // Milestones are named after their texts.
  Profile(const std::string &path, const std::vector<std::string> &texts);

  // One cycle: why nothing retires (0: an instruction does), and the mode.
  void count(unsigned stall, unsigned privilege) {
    if (ended_)
      return;
    counts_[privilege & 3][stall % kReasons]++;
    if (!privilege && !in_user_mode_ && !stall) {
      in_user_mode_ = true;
      reached("first instruction in U-mode");
    }
  }
  // Events of the counters in this cycle, a bit each.
  void events(uint32_t bits) {
    for (; bits && !ended_; bits &= bits - 1)
      events_[__builtin_ctz(bits)]++;
  }
  void retired(bool trap) { retired_ += !trap && !ended_; }
  void console(char character);
  bool complete() const { return in_user_mode_ && awaited_.empty(); }
  // The last milestone: nothing is counted any more, but what the program has
  // written may still be on its way to the console.
  void end();
  // `instructions` of each milestone were counted beside the reasons, for a
  // reader to compare.
  void write();

private:
  static constexpr unsigned kReasons = 16;
  using Events = std::array<uint64_t, 32>;
  using Counts = std::array<std::array<uint64_t, kReasons>, 4>;
  struct Milestone {
    std::string name;
    uint64_t instructions;
    Counts counts;
    Events events;
  };
  void reached(const std::string &name);

  std::string path_;
  std::vector<std::string> awaited_;
  std::string line_;
  std::vector<Milestone> milestones_;
  Counts counts_ = {};
  Events events_ = {};
  uint64_t retired_ = 0;
  bool in_user_mode_ = false, ended_ = false;
};
