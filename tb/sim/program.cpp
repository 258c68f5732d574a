#include "program.h"

#include <cerrno>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "error.h"
#include "granule_map.h"

namespace {

class File {
public:
  explicit File(const std::string &path) : path_(path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
      throw SimError(
          format("%s: cannot be opened: %s", path.c_str(), strerror(errno)));
    if (std::filesystem::is_directory(path))
      throw SimError(path + ": is a directory; give the linked program");
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  [[noreturn]] void reject(const std::string &why) const {
    throw SimError(path_ + ": " + why);
  }

  // A record of the file, copied for alignment; `what` names it when the file
  // ends before it.
  template <typename T> T record(uint64_t offset, const char *what) const {
    T value;
    memcpy(&value, bytes(offset, sizeof value, what), sizeof value);
    return value;
  }

  const char *bytes(uint64_t offset, uint64_t count, const char *what) const {
    if (offset > bytes_.size() || count > bytes_.size() - offset)
      reject(format("truncated: %s needs bytes %llu to %llu, the file has %zu",
                    what, (unsigned long long)offset,
                    (unsigned long long)(offset + count), bytes_.size()));
    return bytes_.data() + offset;
  }

  size_t size() const { return bytes_.size(); }

private:
  std::string path_;
  std::vector<char> bytes_;
};

Elf32_Ehdr check_header(const File &file) {
  if (file.size() < SELFMAG ||
      memcmp(file.bytes(0, SELFMAG, "magic"), ELFMAG, SELFMAG) != 0)
    file.reject("not an ELF file; give the linked program, not its source or "
                "binary image");
  const char *ident = file.bytes(0, EI_NIDENT, "the ELF identification");
  if (ident[EI_CLASS] != ELFCLASS32)
    file.reject(format(
        "ELF class %d; this CPU runs 32-bit programs (class 1): use rv32ima",
        ident[EI_CLASS]));
  if (ident[EI_DATA] != ELFDATA2LSB)
    file.reject("big-endian; this CPU is little-endian");
  const auto header = file.record<Elf32_Ehdr>(0, "the ELF header");
  if (header.e_machine != EM_RISCV)
    file.reject(format("ELF machine %u; this CPU is RISC-V (%u)",
                       header.e_machine, EM_RISCV));
  if (header.e_type != ET_EXEC)
    file.reject(format("ELF type %u; only linked executables (%u) can be run",
                       header.e_type, ET_EXEC));
  if (header.e_entry != GRANULE_RESET_PC)
    file.reject(format(
        "entry is 0x%08x; the CPU starts at 0x%08x: link the entry there",
        header.e_entry, GRANULE_RESET_PC));
  return header;
}

void load_segments(const File &file, const Elf32_Ehdr &header, Memory &memory) {
  for (unsigned i = 0; i < header.e_phnum; i++) {
    const auto segment = file.record<Elf32_Phdr>(
        header.e_phoff + uint64_t(i) * header.e_phentsize, "a program header");
    if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
      continue;
    if (segment.p_filesz > segment.p_memsz)
      file.reject(
          format("segment %u: file size %u is larger than memory size %u", i,
                 segment.p_filesz, segment.p_memsz));
    if (!memory.contains(segment.p_paddr, segment.p_memsz))
      file.reject(
          format("segment %u: 0x%08llx to 0x%08llx is outside of memory "
                 "(lowmem starts "
                 "at 0x%08x): link it there or raise --lowmem",
                 i, (unsigned long long)segment.p_paddr,
                 (unsigned long long)segment.p_paddr + segment.p_memsz - 1,
                 GRANULE_LOWMEM_BASE));
    memory.write(segment.p_paddr,
                 file.bytes(segment.p_offset, segment.p_filesz, "a segment"),
                 segment.p_filesz);
  }
}

std::map<std::string, Symbol> read_symbols(const File &file,
                                           const Elf32_Ehdr &header) {
  std::map<std::string, Symbol> symbols;
  for (unsigned i = 0; i < header.e_shnum; i++) {
    auto section_at = [&](unsigned n) {
      return file.record<Elf32_Shdr>(header.e_shoff +
                                         uint64_t(n) * header.e_shentsize,
                                     "a section header");
    };
    const auto table = section_at(i);
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum)
      continue;
    const auto strings = section_at(table.sh_link);
    const char *names =
        file.bytes(strings.sh_offset, strings.sh_size, "the symbol names");
    for (uint64_t at = 0; at + sizeof(Elf32_Sym) <= table.sh_size;
         at += sizeof(Elf32_Sym)) {
      const auto symbol =
          file.record<Elf32_Sym>(table.sh_offset + at, "a symbol");
      if (symbol.st_name < strings.sh_size && symbol.st_shndx != SHN_UNDEF) {
        const char *name = names + symbol.st_name;
        symbols[std::string(
            name, strnlen(name, strings.sh_size - symbol.st_name))] = {
            symbol.st_value, symbol.st_size};
      }
    }
  }
  return symbols;
}

} // namespace

Program::Program(const std::string &path, Memory &memory) : path_(path) {
  const File file(path);
  const Elf32_Ehdr header = check_header(file);
  compressed_ = header.e_flags & EF_RISCV_RVC;
  load_segments(file, header, memory);
  symbols_ = read_symbols(file, header);
}

std::optional<Symbol> Program::symbol(const std::string &name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end())
    return std::nullopt;
  return found->second;
}

void Program::append(const std::string &text, Memory &memory) const {
  const auto line = symbol("boot_command_line");
  if (!line)
    throw SimError(path_ +
                   ": has no symbol boot_command_line, which --append needs");
  if (text.size() + 1 > line->size)
    throw SimError(format(
        "--append: %zu characters are too many; boot_command_line of %s holds "
        "%u",
        text.size(), path_.c_str(), line->size ? line->size - 1 : 0));
  if (!memory.contains(line->address, line->size))
    throw SimError(
        format("--append: boot_command_line at 0x%08x is outside of memory",
               line->address));
  memory.write(line->address, text.c_str(), text.size() + 1);
}
