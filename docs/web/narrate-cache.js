// What the line engine of the data cache does in a cycle.
"use strict";

function ofCache(frame) {
  const work = workOf(frame);
  if (frame.is("engine.io_cmd_valid")) return ofMissInCache(frame, work);
  const state = engineState(frame);
  if (state === "idle") return "";
  if (isSweep(state)) return "The data cache goes through its sets."; // after a reset, too
  if (frame.reading.cache.operations[frame.number("engine.cmd_op")] !== "fill") {
    return state === "done" ? "The maintenance of the data cache is done."
      : "The data cache does the maintenance of a line.";
  }
  const set = frame.number("engine.set");
  const line = hex(lineAddress(frame, frame.word("engine.wayLine")));
  switch (state) {
    case "scan":
    case "settle":
      return frame.is("engine.io_events_aliasMove") ? ofMove(frame) : frame.reading.cache.colourBits
        ? "The data cache looks for the line under its other colours." : "";
    case "home":
      return frame.is("engine.io_events_evict")
        ? "All ways of the set are in use: the line of one is replaced."
        : "A way of the set is free.";
    case "leave":
      return frame.is("engine.owes") ? `Line ${line} is dirty: memory gets it back.`
        : "The line that left before is on its way to memory.";
    case "drop":
      return `Line ${line} leaves ${placeName(frame, set)}.`;
    case "fillCommand":
    case "fill":
      return `Memory gives line ${hex(work.address)}: it comes into ${placeName(frame, set)}.`;
    default:
      return "The data cache has the line now; the access looks again.";
  }
}

function placeName(frame, set) {
  return frame.reading.cache.colourBits
    ? `set ${set}, of colour ${colourOf(frame, set)}` : `set ${set}`;
}

function ofMissInCache(frame, work) {
  if (!work || !(frame.is("cache.cpu_misses") || frame.is("cache.walk_misses"))) {
    return "The data cache begins its maintenance.";
  }
  return `A miss in the data cache: line ${hex(work.address)} of the ${work.who} is not in ` +
    `${placeName(frame, work.set)}.`;
}

function ofMove(frame) {
  const set = frame.number("engine.seenSet");
  const [way] = onesOf(frame.word("engine.hits"));
  const { dirty } = lineIn(frame, set, way);
  return `The line is in ${placeName(frame, set)}, way ${way}, where another virtual address has ` +
    "put it. It may be under one colour at a time, so it moves out: it is " +
    (dirty ? "dirty, and memory gets it first." : "clean, and is dropped.");
}
