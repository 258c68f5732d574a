// Entries of the micro TLBs and the walk cache, with what happens to them in this cycle; what
// invalidations removed; the counters.
"use strict";

const RIGHTS = [["el0Read", "r"], ["el0Write", "w"], ["el0Execute", "x"]];
const EL1_RIGHTS = [["el1Write", "w"], ["el1Execute", "x"]];

function rights(entry) {
  const written = (of) => of.map(([right, letter]) => (entry.may(right) ? letter : "-")).join("");
  return `${written(RIGHTS)} / r${written(EL1_RIGHTS)}`;
}

// Rows of the entries of `unit` now, and of those that went with this cycle.
function entryRows({ frames, cursor }, unit, read, cells) {
  const frame = frames[cursor];
  const now = read(frame);
  const before = cursor > 0 ? read(frames[cursor - 1]) : now;
  const going = new Set(removedIn(frame).filter((e) => e.unit === unit).map((e) => e.index));
  const hits = PORTS.includes(unit) && answers(frame, unit) && frame.is(`${unit}.io_hit`);
  const hit = hits ? frame.number(`${unit}.c1_place`) : null;
  return now.flatMap((entry, i) => {
    const shown = entry ?? before[i];
    if (!shown) return [];
    const mark = !entry ? "removed" : going.has(i) ? "removed now" : hit === i ? "hit"
      : !before[i] ? "new" : "";
    return [{ class: mark.split(" ")[0] || null, cells: [String(i), ...cells(shown), mark] }];
  });
}

function tlbPane(view) {
  return ["data", "fetch"].flatMap((unit) => {
    const size = view.frames[view.cursor].reading.entries[unit];
    const rows = entryRows(view, unit, (frame) => frame.tlb(unit), (entry) => [
      code(hex(entry.va)), sizeName(entry.span), entry.global ? "all" : String(entry.asid),
      code(hex(entry.pa)), code(rights(entry))]);
    const title = element("h3", {}, `${unit}: ${rows.length} of ${size} entries`);
    const heads = ["#", "virtual address", "size", "ASID", "output address", "EL0 / EL1", ""];
    return rows.length ? [title, table(heads, rows)] : [title];
  });
}

function tablesPane(view) {
  const rows = entryRows(view, "tables", (frame) => frame.tables(), (entry) => [
    code(hex(entry.va)), sizeName(entry.span), String(entry.asid), String(entry.level),
    code(hex(entry.pa))]);
  if (!rows.length) return [note("It is empty: a walk has to begin at the first table.")];
  return [table(["#", "virtual address", "covers", "ASID", "table of level", "at", ""], rows)];
}

function invalidationsPane({ history, cursor }) {
  const found = history.invalidations(cursor);
  if (!found.length) return [note("None.")];
  return [element("ol", {}, ...found.map(({ title, removed }) =>
    element("li", {}, element("b", {}, title), ": ",
      removed.length
        ? "removed " + removed.map(entryName).join(", ")
        : "has removed nothing")))];
}

const COUNTERS = {
  dtlbAccess: "data accesses", dtlbMiss: "data micro TLB misses",
  itlbAccess: "fetches", itlbMiss: "fetch micro TLB misses",
  walk: "walks", walkCycle: "cycles of walks",
  walkRead_0: "level 0 reads", walkRead_1: "level 1 reads",
  walkRead_2: "level 2 reads", walkRead_3: "level 3 reads",
  cachedLast: "walks that began at the last table", cachedUpper: "walks that began between",
  walkRestart: "walks begun again", tlbiVa: "TLBI by address", tlbiAsid: "TLBI by ASID",
  tlbiRange: "TLBI by range", tlbiAll: "TLBI of everything", tlbiCycle: "cycles of TLBI",
};

function countersPane(tally) {
  const items = Object.entries(COUNTERS).flatMap(([event, name]) => {
    const value = tally[`io_events_${event}`] ?? 0;
    return [element("dt", { class: value ? null : "zero" }, name),
      element("dd", { class: value ? null : "zero" }, value.toLocaleString("en"))];
  });
  return [element("dl", { class: "counters" }, ...items)];
}
