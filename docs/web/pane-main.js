// Entries of the main TLB: first the places that are asked, then what came or went, then others.
"use strict";

const MOST_ENTRIES = 12;

function mainPane({ frames, cursor }) {
  const frame = frames[cursor];
  const places = mainPlaces(frame);
  const used = places.filter((at) => mainEntry(frame, at));
  const asked = frames.slice(0, cursor + 1).findLastIndex((f) => f.is("main.looked"));
  const rows = places.map((at) => mainRow({ frames, cursor, asked, at })).filter(Boolean)
    .sort((a, b) => a.order - b.order);
  const said = [false, true].map((large) => {
    const of = (all) => all.filter((at) => at.large === large).length;
    return `${of(used)} of ${of(places)} ${large ? "larger" : "pages"}`;
  });
  const heads = ["place", "virtual address", "size", "ASID", "output address", "EL0 / EL1", ""];
  return [
    element("h3", {}, `In use: ${said.join(", ")}`),
    rows.length ? table(heads, rows.slice(0, MOST_ENTRIES)) : note("It is empty."),
    rows.length > MOST_ENTRIES ? note(`${rows.length - MOST_ENTRIES} more are not shown.`) : null,
  ].filter(Boolean);
}

// null: the place is empty and was so.
function mainRow({ frames, cursor, asked, at }) {
  const frame = frames[cursor];
  const entry = mainEntry(frame, at);
  const before = cursor > 0 ? mainEntry(frames[cursor - 1], at) : entry;
  const shown = entry ?? before;
  if (!shown) return null;
  const { way, place } = at;
  // What is looked at was read in the cycle before.
  const read = asked > 0 && frames[asked - 1].number(`main.read_${way}_place`) === place;
  const going = mainRemoved(frame).some((gone) => gone.way === way && gone.place === place);
  const hit = read && cursor === asked + 1 && frame.is(`main.c2_${way}_goes`);
  const mark = !entry ? "removed" : going ? "removed now" : hit ? "hit" : !before ? "new"
    : read ? "asked" : "";
  return {
    order: mark === "asked" || mark === "hit" ? 0 : mark ? 1 : 2,
    class: mark.split(" ")[0] || null,
    cells: [`${place}.${way}`, code(hex(shown.va)), sizeName(shown.span),
      shown.global ? "all" : String(shown.asid), code(hex(shown.pa)), code(rights(shown)), mark],
  };
}
