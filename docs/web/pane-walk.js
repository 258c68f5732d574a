// The walk level by level, each descriptor decoded.
"use strict";

function walkPane({ walk, frame }) {
  if (!walk) return [note("No walk yet: the walker is idle.")];
  const { granule, levels } = regimeAt(frame, walk.va);
  const parts = [element("p", {}, "of ", code(hex(walk.va)), ", walker: ",
    element("b", { class: "state" }, frame.state("walker")))];
  if (walk.cached !== null) {
    parts.push(note(`It begins at the table that entry ${walk.cached} of the walk cache knows.`));
  }
  const items = levels.map((field) => levelItem(field, walk, granule));
  items.findLast((item) => item.querySelector("details"))
    ?.querySelector("details").setAttribute("open", "");
  return [...parts, element("ol", { class: "levels" }, ...items)];
}

function levelItem(field, walk, granule) {
  const { level, high, low } = field;
  const read = walk.reads.findLast((r) => r.level === level);
  const index = bits(walk.va, low, high - low + 1);
  const skipped = walk.reads.length > 0 && level < walk.reads[0].level;
  const head = [
    element("b", {}, `level ${level}`), ` ${bitRange(field)} = ${index}`,
  ];
  let body;
  if (!read) {
    body = [element("span", { class: "note" }, skipped ? "not read: walk cache" : "not read")];
  } else if (read.descriptor === null) {
    body = [" at ", code(hex(read.address)), element("i", {}, " reading …")];
  } else {
    body = [" at ", code(hex(read.address)), descriptorView(read.descriptor, level, granule)];
  }
  return element("li", { class: `of-${level}${read ? "" : " unread"}` }, ...head, " ", ...body);
}

function descriptorView(descriptor, level, granule) {
  const { type, fields } = decodeDescriptor(descriptor, level, granule);
  const rows = fields.map(({ name, high, low, value, meaning }) => ({
    class: value ? null : "zero",
    cells: [high === low ? `${high}` : `${high}:${low}`, element("b", {}, name),
      typeof value === "bigint" ? code(hex(value)) : String(value), meaning],
  }));
  return element("div", { class: "descriptor" },
    element("p", {}, code(hexLong(descriptor)), " ", element("b", { class: "type" }, type)),
    rows.length
      ? element("details", {}, element("summary", {}, "its fields"),
        table(["bits", "field", "value", "meaning"], rows))
      : null);
}
