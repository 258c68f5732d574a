// The fields of a virtual address, as TCR_EL1 has them cut.
"use strict";

const VA_BITS = 64 - FORMATS.tnsz;

// How `va` is translated in this cycle: {granule, vaBits, levels}.
function regimeAt(frame, va) {
  const half = Number(bits(va, 55));
  const tcr = frame.word("io_context_tcr");
  const field = (name) => Number(bits(tcr, ...FORMATS.tcrHalves[name][half]));
  const of = (format) => (half ? format.tg1 : format.tg0);
  const known = Object.entries(FORMATS.granules).find(([, f]) => of(f) === field("tg"));
  const granule = known?.[0] ?? "4k"; // what the hardware takes a reserved code for
  const vaBits = 64 - field("tnsz");
  const levels = FORMATS.granules[granule].levels
    .filter(({ low }) => low < vaBits)
    .map((level) => ({ ...level, high: Math.min(level.high, vaBits - 1) }));
  return { granule, vaBits, levels };
}

// From the top: {name, high, low, value, level}; level is null for what chooses no entry.
function addressFields(va, { granule, vaBits, levels }) {
  const { log2 } = FORMATS.granules[granule];
  const field = (name, high, low, level = null) => ({
    name, high, low, level, value: bits(va, low, high - low + 1),
  });
  return [
    field(`chooses ${bits(va, 55) ? "TTBR1" : "TTBR0"}`, 63, vaBits),
    ...levels.map(({ level, high, low }) => field(`level ${level} index`, high, low, level)),
    field("page offset", log2 - 1, 0),
  ];
}

// Of a whole address space; `levels` of a regime are those of a smaller one.
function levelField(granule, level) {
  return FORMATS.granules[granule].levels.find((l) => l.level === level);
}

const bitRange = ({ high, low }) => (high === low ? `VA[${high}]` : `VA[${high}:${low}]`);
