// The data cache in a cycle, as its memories and its line engine have it.
"use strict";

const engineState = (frame) => frame.reading.cache.states[frame.number("engine.state")];
const isSweep = (state) => state.startsWith("sweep");
const lineAddress = (frame, line) => line << BigInt(frame.reading.cache.offsetBits);
const rowBits = ({ setBits, colourBits }) => setBits - colourBits; // of the index, below the colour

function colourOf(frame, set) {
  return set >> rowBits(frame.reading.cache);
}

// {address, dirty} of a way of a set; null: it is empty.
function lineIn(frame, set, way) {
  const { cache } = frame.reading;
  const field = frame.wide(cache.tag, `arrays.tag_${way}`, set);
  if (!field("valid")) return null;
  const row = bits(BigInt(set), 0, rowBits(cache));
  const line = (field("tag") << BigInt(rowBits(cache))) | row;
  const dirty = frame.is(`engine.dirty_${way}`, set);
  return { address: lineAddress(frame, line), dirty };
}

// The sets in which a line can be that one access looks for in `set`: one for each colour.
function setsOf(frame, set) {
  const { cache } = frame.reading;
  const row = set & (2 ** rowBits(cache) - 1);
  return Array.from({ length: 2 ** cache.colourBits }, (_, colour) =>
    ({ colour, set: (colour << rowBits(cache)) | row }));
}

// What the cache works on in this cycle: {who, address, set, looks}; null: on nothing.
function workOf(frame) {
  const state = engineState(frame);
  const wholeLine = (pa) => pa & ~mask(frame.reading.cache.offsetBits);
  if (isSweep(state)) return null;
  if (state !== "idle") {
    const who = frame.is("engine.cmd_inPlace") ? "walker" : "CPU";
    const address = lineAddress(frame, frame.word("engine.cmd_line"));
    return { who, address, set: frame.number("engine.cmd_set"), looks: false };
  }
  const set = frame.number("cache.lookupSet");
  if (frame.is("cache.walk_lookup")) {
    const address = wholeLine(frame.word("cache.walk_cmd_address"));
    return { who: "walker", address, set, looks: true };
  }
  const asked = ["cpu_lookup", "cpu_known", "cpu_cacheable"];
  if (!asked.every((name) => frame.is(`cache.${name}`))) return null;
  return { who: "CPU", address: wholeLine(frame.word("cache.cpu_pa")), set, looks: true };
}

// The latest of these up to `cursor`, with its cycle `at`.
function workAt(frames, cursor) {
  for (let at = cursor; at >= 0; at--) {
    const work = workOf(frames[at]);
    if (work) return { at, ...work };
  }
  return null;
}
