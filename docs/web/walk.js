// The walk that is under way in a frame, or ended last: what it has read so far.
"use strict";

// {start, reads: [{level, address, descriptor}], cached, granule}; descriptor is null on its way.
function walkAt(frames, cursor) {
  let start = cursor;
  while (start >= 0 && frames[start].state("walker") !== "start") start--;
  if (start < 0) return null;
  const walk = { start, reads: [], cached: null, va: frames[start].word("walker.walk_request_va") };
  for (let i = start + 1; i <= cursor; i++) {
    const frame = frames[i];
    const state = frame.state("walker");
    const last = walk.reads.at(-1);
    const level = frame.number("walker.walk_level");
    if (state === "idle") break;
    if (state === "step" && frame.is("walker.walk_first") && frame.is("walker.remembered")) {
      walk.cached = frame.number("tables.c1_place");
    } else if (state === "waiting" && last?.level !== level) {
      const address = frame.word("walker.entryAddress");
      walk.reads.push({ level, address, descriptor: null });
    } else if (state === "step" && last && !frame.is("walker.walk_first")) {
      last.descriptor = frame.word("walker.walk_descriptor");
    }
  }
  return walk;
}

// The level whose index chooses what is read now or next; null: no walk is under way.
function levelNow(frame, walk) {
  const state = frame.state("walker");
  if (state === "idle" || state === "start") return null;
  if (state === "step" && frame.is("walker.step_descends")) {
    return Math.log2(frame.number("walker.next_level"));
  }
  return walk?.reads.at(-1)?.level ?? null;
}

// Entries that an invalidation removes in this cycle: [{unit, index}]. It may be complete before:
// an entry that is newer than it stays.
function removedIn(frame) {
  const found = [];
  for (const { unit, base, size } of sweepOrder(frame.reading)) {
    const clear = unit === "tables" ? frame.word("tables.cleared")
      : frame.word("sweep.io_clear") >> BigInt(base);
    for (let index = 0; index < size; index++) {
      const newer = unit !== "tables" && !frame.is(`${unit}.suspect_${index}`);
      if (bits(clear, index) && frame.is(`${unit}.valid_${index}`) && !newer) {
        found.push({ unit, index });
      }
    }
  }
  const main = frame.reading.main ? mainRemoved(frame) : [];
  return [...found, ...main.map(({ way, place }) => ({ unit: "main", index: `${place}.${way}` }))];
}

const entryName = ({ unit, index }) => `entry ${index} of the ${UNITS[unit]}`;

// The largest TLB first: the order in which a sweep looks at entries, as SweepOrder of the RTL.
function sweepOrder(reading) {
  const units = ["data", "fetch", "tables"].map((unit) => ({ unit, size: reading.entries[unit] }));
  units.sort((a, b) => b.size - a.size);
  let base = 0;
  for (const unit of units) {
    unit.base = base;
    base += unit.size;
  }
  return units;
}

const UNITS = {
  data: "data micro TLB", fetch: "fetch micro TLB", tables: "walk cache", main: "main TLB",
};
