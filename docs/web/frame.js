// A cycle of the RTL: its named signals, as tb/tools/web/signals.py lists them.
"use strict";

class Signals {
  constructor(names) {
    this.places = new Map();
    this.lengths = new Map(names);
    this.size = 0;
    for (const [name, words] of names) {
      this.places.set(name, this.size);
      this.size += words;
    }
    this.events = names.map(([name]) => name).filter((name) => name.startsWith("io_events_"));
  }
}

class Frame {
  constructor(signals, words, reading) {
    this.signals = signals;
    this.words = words;
    this.reading = reading;
  }

  word(name, index = 0) {
    const at = this.signals.places.get(name);
    if (at === undefined) throw new Error(`the model has no signal ${name}`);
    return this.words[at + index];
  }

  number(name, index = 0) {
    return Number(this.word(name, index));
  }

  is(name, index = 0) {
    return this.word(name, index) !== 0n;
  }

  // Words of a memory.
  length(name) {
    return this.signals.lengths.get(name);
  }

  state(unit) {
    return this.reading.states[unit][this.number(`${unit}.state`)];
  }

  // Entries of the micro TLB of `unit`: data or fetch. Those that are not valid are null.
  tlb(unit) {
    return this.entries(unit, (i) => {
      const mapping = this.field("mapping", this.word(`${unit}.mappings`, i));
      const key = this.key(unit, i, FORMATS.spans.tlb);
      return {
        ...key,
        global: this.is(`${unit}.key_${i}_global`),
        clean: this.is(`${unit}.writableClean_${i}`),
        pa: mapping("page") << 12n,
        level: Number(mapping("level")),
        mair: Number(mapping("attributes_mair")),
        may: (right) => mapping(`permissions_${right}`) !== 0n,
      };
    });
  }

  // Table entries of the walk cache.
  tables() {
    return this.entries("tables", (i) => ({
      ...this.key("tables", i, FORMATS.spans.tables),
      pa: this.field("pointer", this.word("tables.pointers", i))("page") << 12n,
      level: Math.log2(this.number(`tables.kind_${i}_level`)),
    }));
  }

  entries(unit, read) {
    return Array.from({ length: this.reading.entries[unit] }, (_, i) =>
      this.is(`${unit}.valid_${i}`) ? read(i) : null,
    );
  }

  key(unit, i, sizes) {
    const tag = this.word(`${unit}.key_${i}_of_tag`);
    const span = spanOf(this.word(`${unit}.key_${i}_span`), sizes);
    return { ...this.address(tag, span), span, asid: this.number(`${unit}.key_${i}_of_asid`) };
  }

  // {va}: where what a tag and a size stand for begins.
  address(tag, span) {
    const low = (tag & mask(this.reading.spanCodes.tag - 1)) << 12n;
    const upper = bits(tag, this.reading.spanCodes.tag - 1) ? wrap64(~mask(VA_BITS)) : 0n;
    return { va: upper | (low & ~mask(span)) };
  }

  field(layout, word) {
    return (name) => bits(word, ...this.reading[layout][name]);
  }

  // Fields of an entry of a memory that may be wider than 64 bits.
  wide(layout, memory, index) {
    const words = wordsOf(layout);
    let entry = 0n;
    for (let i = words - 1; i >= 0; i--) {
      entry = (entry << 64n) | this.word(memory, index * words + i);
    }
    return (name) => bits(entry, ...layout[name]);
  }
}

const wordsOf = (layout) =>
  Math.ceil(Math.max(...Object.values(layout).map(([low, width]) => low + width)) / 64);
const spanOf = (code, sizes) => sizes[code.toString(2).replaceAll("0", "").length];

const PORTS = ["data", "fetch"];
const waits = (frame, port) =>
  frame.is(`io_${port}_cmd_valid`) && !frame.is(`io_${port}_cmd_ready`);
const answers = (frame, port) =>
  frame.is(`io_${port}_cmd_valid`) && frame.is(`io_${port}_cmd_ready`);

// What a run may stop at; each is true in one cycle of what it names.
const EVENTS = {
  walk: (frame) => frame.state("walker") === "start",
  miss: (frame) => frame.is("io_events_dtlbMiss") || frame.is("io_events_itlbMiss"),
  invalidation: (frame) =>
    frame.is("io_invalidate_cmd_valid") && frame.is("io_invalidate_cmd_ready"),
  fault: (frame) =>
    PORTS.some((port) => answers(frame, port) && frame.is(`io_${port}_rsp_fault`)),
  move: (frame) => frame.is("engine.io_events_aliasMove"),
};
