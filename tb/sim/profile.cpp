#include "profile.h"

#include "error.h"
#include "granule_events.h"

namespace {
// The first is an instruction, the others are in the order of cpu/Stall.scala.
const char *const kNames[] = {"instructions",
#define NAME(name, number, text) #name,
                              GRANULE_STALLS(NAME)
#undef NAME
};
constexpr unsigned kNamed = sizeof kNames / sizeof *kNames;
const char *const kEvents[] = {
#define NAME(name, number, text) #name,
    GRANULE_EVENTS(NAME)
#undef NAME
};
const char *const kModes[] = {"user", "supervisor", nullptr, "machine"};

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

void list(FILE *file, const char *title, const char *const *names,
          unsigned count, const uint64_t *values) {
  fprintf(file, ",\n  \"%s\": {", title);
  for (unsigned i = 0; i < count; i++)
    fprintf(file, "%s\"%s\": %llu", i ? ", " : "", names[i],
            (unsigned long long)values[i]);
  fputs("}", file);
}
} // namespace

Profile::Profile(const std::string &path, const std::vector<std::string> &texts)
    : path_(path), awaited_(texts) {
  static_assert(kNamed <= kReasons, "a reason has four bits");
}

void Profile::reached(const std::string &name) {
  milestones_.push_back({name, retired_, counts_, events_});
}

void Profile::console(char character) {
  line_ += character;
  for (size_t i = 0; i < awaited_.size(); i++)
    if (line_.find(awaited_[i]) != std::string::npos) {
      reached(awaited_[i]);
      awaited_.erase(awaited_.begin() + i--);
    }
  if (character == '\n')
    line_.clear();
}

void Profile::end() {
  reached("end");
  ended_ = true;
}

void Profile::write() {
  if (!ended_)
    end();
  FILE *file = open_for_writing("--profile", path_);
  fputs("[", file);
  for (const Milestone &milestone : milestones_) {
    uint64_t cycles = 0;
    for (const auto &mode : milestone.counts)
      for (const uint64_t n : mode)
        cycles += n;
    fprintf(file,
            "%s\n {\"name\": %s, \"cycles\": %llu, \"instructions\": %llu",
            &milestone == &milestones_.front() ? "" : ",",
            quoted(milestone.name).c_str(), (unsigned long long)cycles,
            (unsigned long long)milestone.instructions);
    for (unsigned mode = 0; mode < 4; mode++)
      if (kModes[mode])
        list(file, kModes[mode], kNames, kNamed, &milestone.counts[mode][0]);
    list(file, "events", kEvents, GRANULE_EVENT_COUNT, &milestone.events[0]);
    fputs("}", file);
  }
  fputs("\n]\n", file);
  fclose(file);
}
