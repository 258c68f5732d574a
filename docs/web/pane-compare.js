// The step that is shown, at all three granules side by side.
"use strict";

function comparePane(histories, number, shown) {
  const columns = Object.entries(histories).map(([granule, history]) =>
    [granule, outcome(history, number)]);
  const row = (name, of) => ({ cells: [name, ...columns.map(([, found]) => of(found))] });
  const heads = ["", ...columns.map(([granule]) =>
    element("span", { class: granule === shown ? "shown" : null },
      `${granule.toUpperCase()}${granule === shown ? " (shown)" : ""}`))];
  return [table(heads, [
    row("outcome", (o) => o.outcome),
    row("cycles", (o) => String(o.cycles)),
    row("descriptors read", (o) => (o.reads.length ? `${o.reads.length}: level ${o.reads.join(
      ", ")}` : "none")),
    row("removed by TLBI", (o) => (o.tlbi ? count(o.removed, "entry").replace("entrys", "entries")
      : "–")),
    row("one entry reaches", (o) => o.reach ?? "–"),
    row("all TLB entries reach", (o) => o.total),
    row("entries in a table", (o) => String(2 ** o.stride)),
  ])];
}

function outcome(history, number) {
  const { start, end } = history.steps[number];
  const frames = history.frames;
  const { stride } = FORMATS.granules[history.granule];
  const found = { outcome: "–", cycles: end - start, reads: [], removed: 0, reach: null, stride };
  found.tlbi = Boolean(history.steps[number].step?.tlbi);
  for (let i = start; i < end; i++) {
    const frame = frames[i];
    const port = PORTS.find((p) => answers(frame, p));
    if (frame.is("io_walk_cmd_valid") && frame.is("io_walk_cmd_ready")) {
      if (!frame.is("io_walk_cmd_payload_swap")) {
        found.reads.push(Math.log2(frame.number("walker.next_level")));
      }
    }
    found.removed += removedIn(frame).length;
    if (frame.is("io_invalidate_done")) found.outcome = "complete";
    if (!port) continue;
    if (frame.is(`io_${port}_rsp_fault`)) {
      found.outcome = FORMATS.faults[frame.number(`io_${port}_rsp_status`)] ?? "fault";
    } else {
      found.outcome = `PA ${hex(frame.word(`io_${port}_rsp_pa`))}`;
      const entry = frame.tlb(port)[frame.number(`${port}.c1_place`)];
      found.reach = entry ? sizeName(entry.span) : null;
    }
  }
  const last = frames[end - 1];
  const spans = ["data", "fetch"].flatMap((unit) => last.tlb(unit)).filter(Boolean);
  const bytes = spans.reduce((sum, { span }) => sum + 2 ** span, 0);
  found.total = bytes ? `${(bytes / 1024).toLocaleString("en")} KiB` : "nothing";
  return found;
}
