#include "snapshot.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include "error.h"

namespace {
// MODEL is a sum of the Verilog and of the simulator's sources: the state is
// theirs.
constexpr char kMagic[] = "granule-sim snapshot " MODEL "\n";
constexpr size_t kMagicBytes = sizeof kMagic - 1;
} // namespace

void Snapshot::bytes(void *data, size_t size) {
  auto *first = static_cast<uint8_t *>(data);
  if (saves_) {
    bytes_.insert(bytes_.end(), first, first + size);
    return;
  }
  if (size > bytes_.size() - at_)
    throw SimError("--restore: the file ends too early; save it again");
  memcpy(first, &bytes_[at_], size);
  at_ += size;
}

Snapshot::Snapshot(const std::string &path) : saves_(false) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw SimError(format("--restore: %s: %s", path.c_str(), strerror(errno)));
  bytes_.assign(std::istreambuf_iterator<char>(file), {});
  if (bytes_.size() < kMagicBytes ||
      memcmp(bytes_.data(), kMagic, kMagicBytes) != 0)
    throw SimError(format("--restore: %s was not saved by this simulator; save "
                          "it again",
                          path.c_str()));
  at_ = kMagicBytes;
}

void Snapshot::write(const std::string &path) const {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(kMagic, kMagicBytes);
  file.write(reinterpret_cast<const char *>(bytes_.data()),
             std::streamsize(bytes_.size()));
  file.close();
  if (!file)
    cannot_write("--save", path);
}
