// The virtual address, its bits grouped by field; the colour of a field is that of its level, and
// each has its name and a pattern of its own.
"use strict";

function addressPane(view) {
  const { va, frame, level } = view;
  if (va === null) return [note("No address is asked for.")];
  const fields = addressFields(va, regimeAt(frame, va)).map((field) => {
    const { name, high, low, value } = field;
    const width = high - low + 1;
    const kind = field.level ?? (low === 0 ? "offset" : "top");
    const now = field.level !== null && field.level === level;
    return element("li", { class: `field of-${kind}${now ? " chosen" : ""}` },
      element("span", { class: "name" }, name),
      element("span", { class: "bits" }, value.toString(2).padStart(width, "0")),
      element("span", { class: "range" },
        `${bitRange(field)} = ${low === 0 || high === 63 ? hex(value) : value}`));
  });
  return [code(hexLong(va)), element("ol", { class: "fields" }, ...fields)];
}
