// A script, a command a line: a letter, and numbers in hexadecimal.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

class Script {
public:
  explicit Script(const char *path) : in_(std::fopen(path, "r")) {
    if (!in_)
      throw std::runtime_error(std::string("cannot be opened: ") + path);
    next_ = read();
  }
  ~Script() { std::fclose(in_); }
  Script(const Script &) = delete;
  Script &operator=(const Script &) = delete;

  // Goes to the next command; false: there is none.
  bool advance() {
    line_ = next_;
    next_ = read();
    at_ = line_.empty() ? nullptr : &line_[0];
    return !line_.empty();
  }

  const std::string &line() const { return line_; }
  const std::string &next() const { return next_; }
  char letter() {
    at_ += std::strspn(at_, " ");
    return *at_++;
  }
  uint64_t number() { return std::strtoull(at_, &at_, 16); }
  int decimal() { return std::strtol(at_, &at_, 10); }

private:
  std::FILE *in_;
  std::string line_, next_;
  char *at_ = nullptr;

  std::string read() {
    char text[1024];
    return std::fgets(text, sizeof text, in_) ? text : "";
  }
};
