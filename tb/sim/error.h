// Failures of the simulator itself, as opposed to those of the simulated
// program.
#pragma once
#include <cstdio>
#include <stdexcept>
#include <string>

// What went wrong, with value, limit and fix; ends the run with kExitError.
struct SimError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Exit statuses that are not the program's own (as timeout(1) and env(1) use
// them).
constexpr int kExitMaxCycles = 124;
constexpr int kExitError = 125;

// The file that an option names, or the failure to write it, with the reason.
FILE *open_for_writing(const char *option, const std::string &path);
[[noreturn]] void cannot_write(const char *option, const std::string &path);

std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));
