// The set of the data cache that an access selects, and the sets of the other colours: the same
// line may be in those. What the line engine does to them in this cycle.
"use strict";

function cachePane({ frames, cursor }) {
  const frame = frames[cursor];
  const { cache } = frame.reading;
  const work = workAt(frames, cursor);
  if (!work) {
    return [note(isSweep(engineState(frame))
      ? "The cache goes through all of its sets." : "Nobody asks the data cache.")];
  }
  const low = cache.offsetBits + rowBits(cache);
  const high = cache.offsetBits + cache.setBits - 1;
  const colour = colourOf(frame, work.set);
  const index = cache.colourBits
    ? `: colour ${colour}, which is VA[${high}:${low}]`
    : ". A way is no larger than a page: there is one colour";
  const rows = setsOf(frame, work.set).flatMap(({ colour, set }) =>
    Array.from({ length: cache.ways }, (_, way) =>
      cacheRow({ frames, cursor, work, colour, set, way })));
  return [
    element("p", {}, `The ${work.who}'s line `, code(hex(work.address)),
      ` selects set ${work.set}${index}.`),
    table(["colour", "set", "way", "line", "state", ""], rows),
  ];
}

function cacheRow({ frames, cursor, work, colour, set, way }) {
  const frame = frames[cursor];
  const line = lineIn(frame, set, way);
  const before = cursor > 0 ? lineIn(frames[cursor - 1], set, way) : line;
  const shown = line ?? before;
  const mark = cacheMark(frame, { work: work.at === cursor ? work : null, set, way, line, before,
    same: line?.address === work.address });
  const selected = set === work.set;
  return {
    class: [CACHE_MARKS[mark], selected ? "selected" : null].filter(Boolean).join(" ") || null,
    cells: [
      element("span", { class: `colour of-${colour % 4}` }, `${colour}`),
      selected ? element("b", {}, `${set} ◀`) : String(set), String(way),
      shown ? code(hex(shown.address)) : "–",
      line ? (line.dirty ? "dirty" : "clean") : "empty", mark,
    ],
  };
}

// What a row is marked with, and the colour of its row.
const CACHE_MARKS = {
  "hit": "hit", "the line: moves out": "removed", "is written back": "hit",
  "leaves": "removed", "removed": "removed", "is filled": "new", "new": "new",
  "the same line": "hit",
};

function cacheMark(frame, { work, set, way, line, before, same }) {
  const here = (signal, of) =>
    frame.number(of) === set && bits(frame.word(signal), way) !== 0n;
  const state = engineState(frame);
  if (frame.is("engine.io_events_aliasMove") && here("engine.hits", "engine.seenSet")) {
    return "the line: moves out";
  }
  if (["leave", "drop", "fillCommand", "fill"].includes(state) &&
    here("engine.way", "engine.set")) {
    return state === "drop" ? "leaves" : state.startsWith("fill") ? "is filled" : "is written back";
  }
  if (work?.looks && here("cache.hits", "cache.lookupSet")) return "hit";
  if (before && !line) return "removed";
  if (line && before?.address !== line.address) return "new";
  return same ? "the same line" : "";
}
