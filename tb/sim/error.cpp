#include "error.h"

#include <cerrno>
#include <cstdarg>
#include <cstring>

std::string format(const char *pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

void cannot_write(const char *option, const std::string &path) {
  throw SimError(format("%s: %s cannot be written: %s", option, path.c_str(),
                        strerror(errno)));
}

FILE *open_for_writing(const char *option, const std::string &path) {
  FILE *file = fopen(path.c_str(), "w");
  if (!file)
    cannot_write(option, path);
  return file;
}
