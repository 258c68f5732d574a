// What a person asks for, one after the other: accesses, invalidations, and what a kernel writes
// into its tables. A link carries them as text: r0-7f1234567abc is a read from EL0.
"use strict";

const ACCESSES = { r: "read", w: "write", x: "execute" };
const TLBI = {
  va: { kind: "VA", name: "TLBI VAE1" },
  vale: { kind: "VA", name: "TLBI VALE1", lastLevelOnly: 1 },
  vaa: { kind: "VA_ALL_ASIDS", name: "TLBI VAAE1" },
  asid: { kind: "ASID", name: "TLBI ASIDE1" },
  range: { kind: "RANGE", name: "TLBI RVAE1" },
  all: { kind: "ALL", name: "TLBI VMALLE1" },
};
const CHANGES = {
  unmap: "writes 0 into the descriptor of",
  protect: "sets AP[2], read-only, in the descriptor of",
  remap: "writes another output address into the descriptor of",
};
const DEFAULT_ASID = 1;
const STEP = /^([rwx])([01])-([0-9a-f]+)(?:\.(\d+))?$|^([a-z]+)(?:-([0-9a-f]+))?(?:\.(\d+))?$/;

function parseStep(text) {
  const found = STEP.exec(text);
  if (!found) throw new Error(`the link has "${text}", which is no step`);
  const [, access, el, va, asid, word, address = "0", ofAsid] = found;
  const number = Number(asid ?? ofAsid ?? DEFAULT_ASID);
  if (access) {
    return { access, el: Number(el), va: BigInt("0x" + va), asid: number };
  }
  const at = { va: BigInt("0x" + address), asid: number };
  if (word in TLBI) return { tlbi: word, ...at };
  if (word in CHANGES) return { change: word, ...at };
  throw new Error(`the link has "${text}"; steps are r w x, ${Object.keys(TLBI)}, ` +
    `${Object.keys(CHANGES)}`);
}

function writeStep({ access, el, tlbi, change, va, asid }) {
  const tail = asid === DEFAULT_ASID ? "" : `.${asid}`;
  return `${access ? access + el : tlbi ?? change}-${va.toString(16)}${tail}`;
}

function stepTitle({ access, el, tlbi, change, va, asid }, granule) {
  if (access) return `EL${el} ${ACCESSES[access]} ${hex(va)}`;
  if (change) return `The kernel ${CHANGES[change]} ${hex(va)}`;
  const { name } = TLBI[tlbi];
  if (tlbi === "all") return name;
  if (tlbi === "asid") return `${name}, ASID ${asid}`;
  const reach = tlbi === "range" ? `${RANGE_PAGES} pages of ${sizeName(
    FORMATS.granules[granule].log2)} from ` : "";
  return `${name}, ${reach}${hex(va)}, ASID ${asid}`;
}

const RANGE_PAGES = 32; // NUM 15, SCALE 0: (NUM + 1) * 2^(5 * SCALE + 1)

function operand({ tlbi, va, asid }, granule) {
  const f = FORMATS.tlbi;
  const { log2, tgRange } = FORMATS.granules[granule];
  if (tlbi === "all") return 0n;
  if (tlbi === "range") {
    return place(asid, f.asid) | place(tgRange, f.tg) | place(RANGE_PAGES / 2 - 1, f.num) |
      place(va >> BigInt(log2), f.base);
  }
  return place(asid, f.asid) | (tlbi === "asid" ? 0n : place(va >> 12n, f.va));
}

// The commands for the machine of a granule, whose tables are `tables`.
function commandsFor(step, granule, tables) {
  if (step.change) return [{ write: tables.change(step.va, step.change) }, { pass: 2 }];
  const registers = registersFor(granule, tables.roots, step.asid);
  if (step.access) {
    const kind = Object.keys(ACCESSES).indexOf(step.access);
    return [{ registers }, { access: { va: step.va, kind, el1: step.el } }];
  }
  const { kind, lastLevelOnly = 0 } = TLBI[step.tlbi];
  return [
    { registers },
    { invalidate: { kind: FORMATS.kinds[kind], lastLevelOnly, operand: operand(step, granule) } },
  ];
}
