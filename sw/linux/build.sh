#!/usr/bin/env bash
# Builds Linux from Debian's source package, unchanged: build.sh TARBALL OUT CROSS JOBS CONFIG...
# TARBALL may be a folder with a source, too. OUT/source is the source, OUT/kernel the objects; the
# result is OUT/Image. Each CONFIG is laid over tinyconfig, all else is off, and check.sh looks for
# each of its lines in the result.
set -euo pipefail
tarball=$1 out=$(realpath -m "$2") cross=$3 jobs=$4
shift 4

say() { echo "linux: $*"; }
fail() {
  echo "linux: $*" >&2
  exit 1
}

unpack() {
  if [ -d "$tarball" ]; then
    [ -e "$tarball/Kconfig" ] || fail "$tarball is no source of Linux: it has no Kconfig"
    ln -sfn "$(realpath "$tarball")" "$out/source"
    return
  fi
  [ -e "$out/source/.unpacked" ] && return
  [ -e "$tarball" ] || fail "$tarball is not there: install Debian's package linux-source-6.1"
  say "unpacking $tarball"
  rm -rf "$out/source" && mkdir -p "$out/source"
  # Sources of other architectures and of the largest drivers are read by nothing here; their
  # Kconfig files are. Of x86 the list of system calls is.
  tar -xf "$tarball" -C "$out/source" --strip-components=1 --exclude='*/Documentation/*/*' \
    --exclude='*/arch/[a-qs-wyz]*.[chS]' --exclude='*/arch/[a-qs-wyz]*.dts*' \
    --exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/net/*.[ch]' \
    --exclude='*/drivers/media/*.[ch]' --exclude='*/sound/*.[ch]'
  touch "$out/source/.unpacked"
}

kernel() {
  make -C "$out/source" O="$out/kernel" ARCH=riscv CROSS_COMPILE="$cross" -j"$jobs" "$@"
}

configure() {
  say "configuring"
  # Whatever is not in one of these files is off, also what becomes possible only with ours.
  local tiny="$out/source/kernel/configs"
  cat "$tiny"/tiny-base.config "$tiny"/tiny.config "$@" >"$out/wanted.config"
  # sed and not grep: a failure of make is one of the pipe, and an empty answer is none.
  KCONFIG_ALLCONFIG=$out/wanted.config kernel -s allnoconfig 2>&1 | sed '/override:/d'
  bash "$(dirname "$0")/check.sh" "$out/kernel/.config" "$@"
}

# One line for every hundred files, as it takes minutes.
progress() {
  local count=0
  while read -r tool _; do
    case $tool in CC | AS | HOSTCC) ((++count % 100)) || say "$count files, $SECONDS s" ;; esac
  done
}

compile() {
  say "compiling $(kernel -s kernelversion)"
  : >"$out/kernel.log" # before tail looks for it: the shell of a job opens it when it runs
  kernel Image >"$out/kernel.log" 2>&1 &
  local build=$!
  tail -n +1 -f --pid=$build "$out/kernel.log" | progress
  wait $build || {
    tail -n 30 "$out/kernel.log" >&2
    fail "the kernel does not compile: $out/kernel.log"
  }
}

mkdir -p "$out/kernel"
unpack
configure "$@"
compile
cp "$out/kernel/arch/riscv/boot/Image" "$out/Image"
say "$out/Image: $(stat -c %s "$out/Image") bytes, $SECONDS s"
