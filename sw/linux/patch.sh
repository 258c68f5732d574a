#!/usr/bin/env bash
# patch.sh TARBALL SOURCE OUT PATCH...: OUT becomes SOURCE, which build.sh unpacked, with the
# patches in their order. Files that no patch changes are shared with SOURCE by hard links. A file
# that comes out as it was keeps its time, so the kernel's make compiles only what is new.
set -euo pipefail
tarball=$1 source=$2 out=$3
shift 3

fail() {
  echo "linux: $*" >&2
  exit 1
}

new=$out.new
rm -rf "$new" && mkdir -p "$(dirname "$out")"
cp -al "$source" "$new"
# Without files that an earlier patch brings; with those that a patch changed which has gone.
brought=$(sed -n '/^--- \/dev\/null$/{n;s|^+++ b/||p}' "$@")
mapfile -t changed < <({
  sed -n 's|^--- a/||p' "$@"
  cat "$out/.changed" 2>/dev/null
} | sort -u | grep -vxF "${brought:-/}")
printf '%s\n' "${changed[@]}" >"$new/.changed"
# build.sh leaves most of the documentation in the archive.
missing=()
for file in "${changed[@]}"; do [ -e "$new/$file" ] || missing+=("*/$file"); done
[ ${#missing[@]} -eq 0 ] ||
  tar -xf "$tarball" -C "$new" --strip-components=1 --wildcards "${missing[@]}"
# Of its own, whatever the program patch does with links.
for file in "${changed[@]}"; do
  cp -p "$new/$file" "$new/$file.own"
  mv "$new/$file.own" "$new/$file"
done
for patch; do
  echo "linux: patch $(basename "$patch" .patch)"
  patch -d "$new" -p1 -s -f --no-backup-if-mismatch <"$patch" ||
    fail "$patch does not fit $(basename "$tarball")"
done
for file in "${changed[@]}"; do
  if cmp -s "$out/$file" "$new/$file"; then touch -r "$out/$file" "$new/$file"; else
    touch "$new/$file"
  fi
done
rm -rf "$out" && mv "$new" "$out"
