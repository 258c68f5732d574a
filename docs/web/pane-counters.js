// The performance counters of the whole machine, as their registers are.
"use strict";

function machineCountersPane(frame) {
  const items = frame.reading.counters.flatMap((counter) => {
    const { name, says } = counted(frame, counter);
    const value = frame.word(counter.signal);
    const attributes = { class: value ? null : "zero" };
    return [element("dt", { ...attributes, title: name }, says),
      element("dd", attributes, value.toLocaleString("en"))];
  });
  return [element("dl", { class: "counters" }, ...items)];
}

// What mhpmevent says: the event of the counter, or the second one.
function counted(frame, { event, name, says, second }) {
  if (!second || !bits(frame.word("csr.event_second"), event)) return { name, says };
  return { name: second[0], says: second[1] };
}
