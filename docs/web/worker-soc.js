// In the worker of the whole machine. It runs forward only; to show an earlier cycle it goes back
// to a snapshot, which is a copy of its memory, and runs again: every run is the same.
"use strict";

const CHUNK = 100_000; // cycles between two looks at the page's messages
const SPARSE = 4_000_000; // cycles between snapshots that are kept
const KEPT = 6;

let machine;
let snapshots = []; // {cycle, bytes, heard}, from the oldest to the newest
let typed = []; // {cycle, text}: what was typed, and when
let heard = 0; // how many of these the machine has got
let running = false;

const CALLS = {
  async start({ program, firmware }) {
    machine = await granule({ wasmBinary: await bytesOf(program), print() {}, printErr() {} });
    machine.FS.writeFile("/program.elf", await bytesOf(firmware));
  },

  boot({ line }) {
    running = false;
    const error = machine.ccall("boot", "string", ["string"], [line]);
    if (error) throw new Error(error);
    snapshots = [];
    typed = [];
    heard = 0;
    keep();
    return { names: JSON.parse(machine.ccall("signal_names", "string")), ...state() };
  },

  // Forward to a cycle, or to one of the events, or until `pause`.
  async run({ until = Infinity, events = 0 }) {
    running = true;
    let met = false;
    while (running && !met && !machine._finished() && machine._cycles() < until) {
      keep();
      const count = Math.min(CHUNK, until - machine._cycles());
      met = forward(count, (cycles) => machine._advance(cycles, events));
      self.postMessage({ event: state() });
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    running = false;
    if (machine._finished()) machine._drain_console();
    return { met, ...state() };
  },

  pause() {
    running = false;
  },

  // `count` cycles from `from` on, as frames; the machine stands behind them then.
  window({ from, count }) {
    backTo(from);
    forward(from - machine._cycles(), (cycles) => machine._advance(cycles, 0));
    const first = machine._cycles();
    machine._drop_frames();
    forward(count, (cycles) => machine._record(cycles));
    const recorded = machine._frame_count();
    const size = machine._frame_size();
    const at = machine._frame_words() / 8;
    const words = machine.HEAPU64.slice(at, at + recorded * size);
    return { words, count: recorded, size, first, ...state() };
  },

  // Now: what was typed later in a run before this one is forgotten.
  type({ text }) {
    const cycle = machine._cycles();
    typed = typed.slice(0, heard);
    snapshots = snapshots.filter((s) => s.cycle <= cycle);
    typed.push({ cycle, text });
    hear();
  },
};

function state() {
  return {
    cycle: machine._cycles(),
    finished: Boolean(machine._finished()),
    status: machine._status(),
    pc: machine._program_counter() >>> 0,
    console: machine.ccall("console_text", "string"),
  };
}

function hear() {
  machine.ccall("type_text", null, ["string"], [typed[heard++].text]);
}

// Forward by `go`, hearing again what was typed meanwhile; true if `go` says so.
function forward(count, go) {
  const end = machine._cycles() + count;
  while (machine._cycles() < end && !machine._finished()) {
    while (typed[heard]?.cycle <= machine._cycles()) hear();
    const to = Math.min(end, typed[heard]?.cycle ?? end);
    if (go(to - machine._cycles())) return true;
  }
  return false;
}

// A snapshot of this cycle; of the older ones few stay.
function keep() {
  const cycle = machine._cycles();
  if (snapshots.some((s) => s.cycle === cycle)) return;
  snapshots = snapshots.filter((s) => s.cycle < cycle);
  snapshots.push({ cycle, heard, bytes: machine.HEAPU8.slice(0, machine._heap_end()) });
  const recent = snapshots.slice(-2);
  const sparse = snapshots.slice(0, -2).filter((s, i, all) =>
    i === 0 || Math.floor(s.cycle / SPARSE) !== Math.floor(all[i - 1].cycle / SPARSE));
  const [first, ...rest] = sparse;
  snapshots = [...(first ? [first] : []), ...rest.slice(-(KEPT - 3)), ...recent];
}

function backTo(cycle) {
  if (machine._cycles() <= cycle) return;
  const from = snapshots.findLast((s) => s.cycle <= cycle) ?? snapshots[0];
  machine.HEAPU8.set(from.bytes);
  heard = from.heard;
}
