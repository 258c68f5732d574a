// Loads a 32-bit RISC-V ELF program into the simulated memory.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "memory.h"

struct Symbol {
  uint32_t address, size;
};

class Program {
public:
  Program() = default; // one that is in memory already
  // Throws SimError when the file is no program that this system can run.
  Program(const std::string &path, Memory &memory);

  // Linked as one that may have compressed instructions.
  bool compressed() const { return compressed_; }
  std::optional<Symbol> symbol(const std::string &name) const;
  // Writes the boot arguments to the symbol boot_command_line.
  void append(const std::string &text, Memory &memory) const;

private:
  std::string path_;
  std::map<std::string, Symbol> symbols_;
  bool compressed_ = false;
};
