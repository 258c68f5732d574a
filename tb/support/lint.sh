#!/usr/bin/env bash
# Formatting of all languages and Verilator's lint of the generated Verilog. Every check runs, then
# the script fails if one did.
set -uo pipefail
failed=0
check() {
  local name=$1
  shift
  if "$@"; then echo "lint: $name ok"; else
    echo "lint: $name FAILED (make format mends formatting)" >&2
    failed=1
  fi
}

scala() {
  local log=build/lint-scala.log
  ./mill --disable-ticker rtl.checkFormat >$log 2>&1 || { cat $log; false; }
}
python() { .venv/bin/ruff check -q tb && .venv/bin/ruff format -q --check tb; }
c() {
  git ls-files 'sw/*.[ch]' 'tb/*.c' 'tb/*.cpp' 'tb/*.h' |
    xargs -n 40 -P "$(nproc)" clang-format --dry-run -Werror
}
# Pages, style sheets and data are wider: what is one line there would not be clearer as two.
lines() {
  local kinds='Makefile|.*\.(mk|sh|sc|scala|c|h|S|cpp|py|v|vlt)|docs/web/.*'
  git ls-files | grep -xE "$kinds" | LC_ALL=C.UTF-8 xargs grep -nE '^.{101}' && return 1
  return 0
}
# One idea a file.
lengths() {
  git ls-files | grep -xE '.*\.(scala|c|h|S|cpp|py|sh|sc)|docs/web/.*' | xargs wc -l |
    awk '$1 > 400 && $2 != "total" { print $2 ": " $1 " lines, at most 400"; bad = 1 }
      END { exit bad }'
}
verilog() {
  local home
  home=$(.venv/bin/python -c \
    'import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)')
  mkdir -p build/lint
  printf '%s\n' build/rtl/simsoc_*.v build/rtl/mmu_*.v | PATH="$home/bin:$PATH" \
    xargs -n 1 -P "$(nproc)" bash -c "$(declare -f verilog_file); verilog_file \"\$1\"" _
}
# What passed is not asked again: a file in build/lint has the digest of text, rules and program.
verilog_file() {
  local passed
  passed=build/lint/$(cat "$1" rtl/lint.vlt pyproject.toml | sha256sum | cut -c1-20)
  [ -e "$passed" ] || { verilator --lint-only -Wall --quiet rtl/lint.vlt "$1" && touch "$passed"; }
}

# Three checks ask git for the files: without any they would find nothing wrong.
[ -n "$(git ls-files)" ] || {
  echo "lint: git knows no files here; lint needs a checkout" >&2
  exit 1
}
mkdir -p build
check "Scala (scalafmt)" scala
check "Python (ruff)" python
check "C and C++ (clang-format)" c
check "lines of at most 100 columns" lines
check "files of at most 400 lines" lengths
check "generated Verilog (verilator -Wall)" verilog
exit $failed
