// Translation tables as the page's own kernel makes them: written for one granule, the same
// addresses for all. What is mapped where: PLACES.
"use strict";

const TABLES_AT = 0x40000000n;

// Addresses that are worth a look. `leaf`: at which level, or `group` for a contiguous group.
const PLACES = {
  page: { va: 0x7f1234567abcn, pa: 0xb4567000n, says: "a page, EL0 may read and write" },
  neighbour: { va: 0x7f1234577abcn, pa: 0xb4577000n, says: "64 KiB further: the same tables" },
  block: { va: 0x4012345678n, pa: 0x92345000n, leaf: "block", says: "a block of level 2" },
  group: { va: 0x8000012345n, pa: 0xa0012000n, leaf: "group", says: "a contiguous group of pages" },
  readOnly: { va: 0xc000000040n, pa: 0xb0000000n, ro: 1, says: "a page that is read-only" },
  kernelOnly: { va: 0x10000000080n, pa: 0xb0010000n, el1: 1, says: "a page for EL1 only" },
  untouched: { va: 0x14000000100n, pa: 0xb0020000n, af: 0, says: "a page with AF = 0" },
  clean: { va: 0x18000000140n, pa: 0xb0030000n, ro: 1, dbm: 1, says: "writable-clean: DBM, AP[2]" },
  missing: { va: 0x1c000000000n, says: "not mapped" },
  kernel: {
    va: 0xffff800012345678n, pa: 0xb0045000n, el1: 1, global: 1,
    says: "upper half: TTBR1, global",
  },
};

class PageTables {
  constructor(granule) {
    this.granule = granule;
    this.format = FORMATS.granules[granule];
    this.words = new Map();
    this.free = TABLES_AT;
    this.roots = [this.newTable(), this.newTable()];
    for (const place of Object.values(PLACES)) if (place.pa !== undefined) this.map(place);
  }

  newTable() {
    const table = this.free;
    this.free += 1n << BigInt(this.format.log2);
    return table;
  }

  // The address of the descriptor of `va` at `level`; tables above it are made where missing.
  slot(va, level, make = true) {
    let table = this.roots[Number(bits(va, 55))];
    for (const { level: at, high, low } of this.format.levels) {
      const slot = table + bits(va, low, high - low + 1) * 8n;
      if (at === level) return slot;
      const descriptor = this.words.get(slot) ?? 0n;
      if (descriptorType(descriptor, at, this.granule) !== "table") {
        if (!make) return null;
        table = this.newTable();
        this.words.set(slot, table | this.typeBits(true));
      } else {
        table = decodeDescriptor(descriptor, at, this.granule).address;
      }
    }
  }

  typeBits(table) {
    return place(1, SHAPE.valid) | place(table ? 1 : 0, SHAPE.table);
  }

  leaf(pa, level, { ro = 0, dbm = 0, el1 = 0, af = 1, global = 0, contiguous = 0 }) {
    const f = FORMATS.fields.leaf;
    return (
      pa | this.typeBits(level === 3) | place(ro, f["AP[2]"]) | place(dbm, f.DBM) |
      place(el1 ? 0 : 1, f["AP[1]"]) | place(af, f.AF) | place(global ? 0 : 1, f.nG) |
      place(3, f.SH) | place(contiguous, f.Contiguous) | place(el1, f.UXN) |
      place(el1 ? 0 : 1, f.PXN)
    );
  }

  map(place) {
    const { va, pa, leaf } = place;
    const level = leaf === "block" ? 2 : 3;
    const { low } = levelField(this.granule, level);
    const group = leaf === "group" ? 2 ** this.format.groups[3] : 1;
    const size = 1n << BigInt(low);
    const first = va & ~(size * BigInt(group) - 1n);
    for (let i = 0n; i < group; i++) {
      const target = (pa & ~(size * BigInt(group) - 1n)) + i * size;
      const options = { ...place, contiguous: group > 1 ? 1 : 0 };
      this.words.set(this.slot(first + i * size, level), this.leaf(target, level, options));
    }
  }

  // Where the leaf of `va` is now: {address, descriptor, level}, or null.
  find(va) {
    for (const { level } of this.format.levels) {
      const address = this.slot(va, level, false);
      if (address === null) return null;
      const descriptor = this.words.get(address) ?? 0n;
      if (descriptorType(descriptor, level, this.granule) !== "table") {
        return { address, descriptor, level };
      }
    }
    return null;
  }

  // What a kernel does to a mapping: the descriptor that is written, and where.
  change(va, how) {
    const leaf = this.find(va);
    if (!leaf) throw new Error(`${hex(va)} has no table that could map it`);
    const f = FORMATS.fields.leaf;
    const span = levelField(this.granule, leaf.level).low;
    const to = {
      unmap: () => 0n,
      protect: (d) => d | place(1, f["AP[2]"]),
        remap: (d) => d ^ (1n << 29n),
    }[how];
    const value = to(leaf.descriptor);
    this.words.set(leaf.address, value);
    return { address: leaf.address, value };
  }

  writes() {
    return [...this.words].map(([address, value]) => ({ write: { address, value } }));
  }
}
