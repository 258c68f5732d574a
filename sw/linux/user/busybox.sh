#!/usr/bin/env bash
# busybox.sh ARCHIVE CONFIG OUT JOBS ZIG: builds OUT/busybox, unchanged source with CONFIG laid
# over allnoconfig, and OUT/busybox.links, a line for each of its commands. ZIG is a command.
set -euo pipefail
archive=$(realpath "$1") config=$(realpath "$2") jobs=$4 zig=$5
cc=$(realpath "$(dirname "$0")/cc.sh")
mkdir -p "$3"
out=$(realpath "$3")
source=$out/busybox-source log=$out/busybox.log
export ZIG_CC="$zig cc -target riscv32-linux-musl -mcpu=generic_rv32+m+a"

fail() {
  tail -n 30 "$log" >&2
  echo "busybox: $*; the log is $log" >&2
  exit 1
}
run() {
  make -C "$source" -j"$jobs" CC="$cc" AR="$zig ar" SKIP_STRIP=y "$@" >>"$log" 2>&1 \
    </dev/null
}

echo "busybox: $(basename "$archive")"
: >"$log"
rm -rf "$source" && mkdir "$source"
tar -xf "$archive" -C "$source" --strip-components=1
run allnoconfig || fail "cannot be configured"
names=$(sed -n 's/^\(CONFIG_[A-Z0-9_]*\)=.*/\1/p' "$config")
grep -vwF "$names" "$source/.config" >"$out/busybox.merged"
cat "$config" >>"$out/busybox.merged"
mv "$out/busybox.merged" "$source/.config"
run oldconfig || fail "cannot be configured with $config"
while read -r line; do
  case $line in
    CONFIG_*)
      grep -qxF "$line" "$source/.config" ||
        fail "$config: '$line' was dropped: an option that it depends on is off"
      ;;
  esac
done <"$config"
run busybox || fail "does not compile"
run busybox.links || fail "has no list of commands"
cp "$source/busybox" "$source/busybox.links" "$out/"
