#include "options.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "error.h"
#include "granule_map.h"

#ifndef DEFECTS
#define DEFECTS 0 // that --defect can choose
#endif

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMaxSize = 0xfffff000; // the size pins have 32 bits

uint64_t number(const std::string &option, const std::string &text,
                uint64_t min, uint64_t max) {
  errno = 0;
  char *end = nullptr;
  uint64_t value = strtoull(text.c_str(), &end, 0);
  if (errno == ERANGE && text[0] != '-' && *end == '\0')
    throw SimError(format("%s: %s is too large; use %llu to %llu",
                          option.c_str(), text.c_str(), (unsigned long long)min,
                          (unsigned long long)max));
  if (text.empty() || text[0] == '-' || *end != '\0' || errno != 0)
    throw SimError(format(
        "%s: '%s' is not a number; give a decimal or 0x hexadecimal number",
        option.c_str(), text.c_str()));
  if (value < min || value > max)
    throw SimError(format("%s: %llu is out of range; use %llu to %llu",
                          option.c_str(), (unsigned long long)value,
                          (unsigned long long)min, (unsigned long long)max));
  return value;
}

uint64_t size(const std::string &option, std::string text, uint64_t min,
              uint64_t window) {
  const uint64_t max = window < kMaxSize ? window : kMaxSize;
  uint64_t unit = 1;
  if (!text.empty() && strchr("kKmM", text.back())) {
    unit = strchr("kK", text.back()) ? 1 << 10 : 1 << 20;
    text.pop_back();
  }
  const uint64_t value = number(option, text, 0, UINT64_MAX / unit) * unit;
  if (value < min || value > max || value % kPage)
    throw SimError(format(
        "%s: %llu bytes cannot be built; use a multiple of 4K from %lluK to "
        "%lluK",
        option.c_str(), (unsigned long long)value,
        (unsigned long long)min >> 10, (unsigned long long)max >> 10));
  return value;
}

struct Spec {
  const char *name;
  const char *argument; // nullptr: a flag
  const char *help;
  std::function<void(Options &, const std::string &)> apply;
};

const std::vector<Spec> &specs() {
  static const std::vector<Spec> all = {
      {"--append", "STRING",
       "boot arguments: copied to the program's symbol boot_command_line",
       [](Options &o, const std::string &v) { o.append = v; }},
      {"--lowmem", "SIZE",
       "memory below 4 GiB, with suffix K or M (default 16M)",
       [](Options &o, const std::string &v) {
         o.lowmem = size("--lowmem", v, kPage, GRANULE_LOWMEM_SIZE);
       }},
      {"--highmem", "SIZE",
       "memory above 4 GiB, with suffix K or M (default 16M)",
       [](Options &o, const std::string &v) {
         o.highmem = size("--highmem", v, 0, GRANULE_HIGHMEM_SIZE);
       }},
      {"--memory", "KIND",
       "board (default): as long as the ULX3S's SDRAM takes; board:MHZ: at "
       "that clock;\n"
       "                        fixed:N: N cycles from a read command to its "
       "first word",
       [](Options &o, const std::string &v) { o.memory = v; }},
      {"--max-cycles", "N", "give up after N cycles with exit status 124",
       [](Options &o, const std::string &v) {
         o.max_cycles = number("--max-cycles", v, 1, UINT64_MAX);
       }},
      {"--defect", "N",
       "simulate defect N of a machine that was built with some (lab 8); 0: "
       "none",
       [](Options &o, const std::string &v) {
         if (!DEFECTS)
           throw SimError("--defect: this simulator has none; "
                          "build/granule-sim-mutants has");
         o.defect = number("--defect", v, 0, DEFECTS);
       }},
      {"--trace", "FILE.fst", "write all signals to FILE.fst (slow and large)",
       [](Options &o, const std::string &v) { o.trace = v; }},
      {"--trace-mmu", "FILE",
       "write what the MMU does as lines of JSON, for make viewer TRACE=FILE",
       [](Options &o, const std::string &v) { o.trace_mmu = v; }},
      {"--trace-start", "N", "begin the traces at cycle N",
       [](Options &o, const std::string &v) {
         o.trace_start = number("--trace-start", v, 0, UINT64_MAX);
       }},
      {"--trace-cycles", "N", "end the traces after N cycles",
       [](Options &o, const std::string &v) {
         o.trace_cycles = number("--trace-cycles", v, 1, UINT64_MAX);
       }},
      {"--instructions", "FILE",
       "write one line for each retired instruction or trap",
       [](Options &o, const std::string &v) { o.instructions = v; }},
      {"--commits", "FILE",
       "write a record for each of them and for each store: tb/sim/commits.h",
       [](Options &o, const std::string &v) { o.commits = v; }},
      {"--profile", "FILE.json",
       "write where the cycles went, from reset to each milestone: the first\n"
       "                        instruction in U-mode, the end, and those of "
       "--milestone",
       [](Options &o, const std::string &v) { o.profile = v; }},
      {"--milestone", "TEXT",
       "the console shows TEXT for the first time; may be given often",
       [](Options &o, const std::string &v) { o.milestones.push_back(v); }},
      {"--end-at-milestones", nullptr,
       "end with success when all have been reached, U-mode among them",
       [](Options &o, const std::string &) { o.end_at_milestones = true; }},
      {"--signature", "FILE",
       "write the words from begin_signature to end_signature at the end, one "
       "a line (RISC-V's\n"
       "                        architecture tests)",
       [](Options &o, const std::string &v) { o.signature = v; }},
      {"--until", "TEXT",
       "end with success when the console has shown TEXT, within a thousand "
       "cycles",
       [](Options &o, const std::string &v) { o.until = v; }},
      {"--save", "FILE",
       "write the machine and its memory to FILE when --until ends the run",
       [](Options &o, const std::string &v) { o.save = v; }},
      {"--restore", "FILE",
       "go on from there, with that machine's memory and no program; this "
       "simulator\n"
       "                        must have saved it",
       [](Options &o, const std::string &v) { o.restore = v; }},
      {"--stats", nullptr, "print counts of the run to stderr at its end",
       [](Options &o, const std::string &) { o.stats = true; }},
      {"--quiet", nullptr, "do not print the simulated speed",
       [](Options &o, const std::string &) { o.quiet = true; }},
      {"--help", nullptr, "this text",
       [](Options &o, const std::string &) { o.help = true; }},
  };
  return all;
}

} // namespace

Options parse_options(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    std::string word = argv[i], value;
    if (word.empty() || word[0] != '-') {
      if (!options.elf.empty())
        throw SimError(
            format("'%s': only one program can be run, '%s' was given already",
                   word.c_str(), options.elf.c_str()));
      options.elf = word;
      continue;
    }
    const size_t equals = word.find('=');
    const bool inline_value = equals != std::string::npos;
    if (inline_value) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    const Spec *found = nullptr;
    for (const Spec &spec : specs())
      if (word == spec.name || (word == "-h" && !strcmp(spec.name, "--help")))
        found = &spec;
    if (!found)
      throw SimError(
          format("option '%s' does not exist; --help lists all", word.c_str()));
    if (!found->argument && inline_value)
      throw SimError(
          format("%s takes no value, got '%s'", found->name, value.c_str()));
    if (found->argument && !inline_value) {
      if (i + 1 == argc)
        throw SimError(format("%s needs a value: %s %s", found->name,
                              found->name, found->argument));
      value = argv[++i];
    }
    found->apply(options, value);
  }
  if ((!options.milestones.empty() || options.end_at_milestones) &&
      options.profile.empty())
    throw SimError("--milestone and --end-at-milestones need --profile "
                   "FILE.json to be written to");
  if (!options.save.empty() && options.until.empty())
    throw SimError("--save needs --until TEXT, which says when");
  if (!options.restore.empty() && (!options.elf.empty() || options.append))
    throw SimError("--restore brings its program and boot arguments along; "
                   "leave both out");
  const std::string taken = options.append.value_or("");
  if (!options.help && options.elf.empty() && taken.size() > 4 &&
      taken.compare(taken.size() - 4, 4, ".elf") == 0)
    throw SimError(
        format("--append took '%s' as its text, and no program is "
               "left; usage: granule-sim --append STRING program.elf",
               taken.c_str()));
  if (!options.help && options.elf.empty() && options.restore.empty())
    throw SimError(
        "no program given; usage: granule-sim [options] program.elf");
  return options;
}

std::string help_text(const std::string &program) {
  std::string text = "usage: " + program + " [options] program.elf\n\n";
  text += "Runs a program on the simulated system. The console is stdin and "
          "stdout. The program\n"
          "ends the run by a store to the finisher at 0x100000: 0x5555 is "
          "success,\n"
          "code << 16 | 0x3333 is a code, 0x7777 a reset. So does a store to "
          "its symbol tohost:\n"
          "1 is success, other values are twice the code.\n"
          "In a terminal Ctrl-C goes to the program, and Ctrl-] ends the "
          "run.\n\n";
  for (const Spec &spec : specs()) {
    std::string left = spec.name;
    if (spec.argument)
      left += std::string(" ") + spec.argument;
    left.resize(22, ' ');
    text += "  " + left + spec.help + "\n";
  }
  text += "\nExit status: the program's code; 124 after --max-cycles; 125 when "
          "the run could not\n"
          "start or continue.\n";
  return text;
}
