// A descriptor of VMSAv8-64, field by field, as the formats of the RTL lay it out.
"use strict";

const SHAPE = FORMATS.fields.shape;

function descriptorType(descriptor, level, granule) {
  if (!bits(descriptor, ...SHAPE.valid)) return "invalid";
  const tableBit = bits(descriptor, ...SHAPE.table);
  if (level === 3) return tableBit ? "page" : "invalid";
  if (tableBit) return "table";
  return FORMATS.granules[granule].blocks.includes(level) ? "block" : "invalid";
}

// {type, address, span, fields: [{name, high, low, value, meaning}]}
function decodeDescriptor(descriptor, level, granule) {
  const type = descriptorType(descriptor, level, granule);
  if (type === "invalid") return { type, fields: [] };
  const { log2 } = FORMATS.granules[granule];
  const span = type === "table" ? log2 : levelField(granule, level).low;
  const address = descriptor & mask(VA_BITS) & ~mask(span);
  const layout = FORMATS.fields[type === "table" ? "table" : "leaf"];
  const fields = Object.entries(layout).map(([name, [low, width]]) => {
    const value = Number(bits(descriptor, low, width));
    return { name, high: low + width - 1, low, value, meaning: fieldMeaning(name, value) };
  });
  const name = type === "table" ? "next-level table" : "output address";
  fields.push({ name, high: VA_BITS - 1, low: span, value: address, meaning: "" });
  return { type, address, span, fields: fields.sort((a, b) => b.high - a.high) };
}

const MEANINGS = {
  "UXN": ["EL0 may execute", "EL0 may not execute"],
  "PXN": ["EL1 may execute", "EL1 may not execute"],
  "Contiguous": ["an entry of its own", "one of a contiguous group"],
  "DBM": ["", "a write may clear AP[2]"],
  "nG": ["global: any ASID", "of one ASID"],
  "AF": ["not accessed yet", "accessed"],
  "AP[2]": ["may be written", "read-only"],
  "AP[1]": ["EL1 only", "EL0 too"],
  "SH": ["Non-shareable", "", "Outer Shareable", "Inner Shareable"],
  "APTable[1]": ["", "no writes below"],
  "APTable[0]": ["", "EL1 only below"],
  "UXNTable": ["", "EL0 may not execute below"],
  "PXNTable": ["", "EL1 may not execute below"],
};

function fieldMeaning(name, value) {
  if (name === "AttrIndx") return `memory type: Attr${value} of MAIR`;
  return MEANINGS[name]?.[value] ?? "";
}
