#!/usr/bin/env bash
# Looks for the programs that the build needs; installs the Debian packages that are missing when it
# may (root, apt-get), and otherwise says which ones to install. `setup.sh linux`: those too
# that Linux on Granule needs (sw/linux). `setup.sh qemu`: those too that run it beside QEMU.
# `setup.sh web`: those too that compile the RTL for a browser (make web).
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin # of mke2fs, which not every user has there

declare -A package=(
  [java]=default-jdk-headless
  [mvn]=maven
  [g++]=g++
  [ccache]=ccache
  [git]=git
  [riscv64-unknown-elf-gcc]=gcc-riscv64-unknown-elf
  [clang-format]=clang-format
  [chromium]=chromium
  [dtc]=device-tree-compiler
)

missing=()
if [ "${1:-}" = qemu ]; then
  package+=([qemu-system-riscv32]=qemu-system-misc)
fi
if [ "${1:-}" = web ]; then
  package+=([em++]=emscripten)
fi
if [ "${1:-}" = linux ]; then
  package+=(
    [riscv64-linux-gnu-gcc]=gcc-riscv64-linux-gnu
    [flex]=flex
    [bison]=bison
    [bc]=bc
    [bzip2]=bzip2
    [xz]=xz-utils
    [patch]=patch
    [mke2fs]=e2fsprogs
  )
  compgen -G '/usr/src/linux-source-6.1.tar.*' >/dev/null || missing+=(linux-source-6.1)
fi
for program in "${!package[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package[$program]}")
done
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
  echo "setup: Python 3.11 or newer is needed; found: $(python3 --version 2>&1 || echo none)" >&2
  exit 1
}
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
# Verilator's FST traces are compressed with these two.
echo '#include <zlib.h>' | g++ -x c++ -fsyntax-only - 2>/dev/null || missing+=(zlib1g-dev)
echo '#include <lz4.h>' | g++ -x c++ -fsyntax-only - 2>/dev/null || missing+=(liblz4-dev)

[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "setup: installing ${missing[*]}"
  apt-get -qq update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "${missing[@]}" >/dev/null
else
  echo "setup: these packages are missing: ${missing[*]}" >&2
  echo "setup: on Debian or Ubuntu run: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
