// Reads signals inside of the Verilated MMU: those of watched.h, which
// tb/campaigns/soak/watched.py writes.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "verilated_syms.h"

struct Place {
  const char *scope, *name;
};
#include "watched.h"

class Observer {
public:
  Observer() {
    for (const Place &place : kPlaces) {
      const VerilatedScope *scope =
          Verilated::threadContextp()->scopeFind(place.scope);
      const VerilatedVar *found = scope ? scope->varFind(place.name) : nullptr;
      if (!found || found->entSize() != 1)
        throw std::runtime_error(std::string("no small signal ") + place.scope +
                                 "." + place.name);
      values_.push_back(static_cast<const CData *>(found->datap()));
    }
  }

  // Each of them, with a space before it.
  void write(std::FILE *out) const {
    for (const CData *value : values_)
      std::fprintf(out, " %x", unsigned(*value));
  }

private:
  std::vector<const CData *> values_;
};
