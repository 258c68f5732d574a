// One sentence for a cycle, in the words of the Arm ARM.
"use strict";

function narrate(frames, i) {
  const frame = frames[i];
  const before = frames[i - 1] ?? frame;
  const told = [
    ofInvalidation(frame), ...PORTS.map((port) => ofAnswer(frame, before, port)), ofWalk(frame),
    ...PORTS.map((port) => ofMiss(frame, port)),
    frame.reading.main ? ofMain(frame) : "", frame.reading.cache ? ofCache(frame) : "",
  ].filter(Boolean);
  if (told.length) return told.join(" ");
  return PORTS.some((port) => frame.is(`io_${port}_ahead_valid`))
    ? "The address is announced: the micro TLB compares all its keys with it at once."
    : "Nothing is asked of the MMU.";
}

function kindName(frame) {
  const kind = frame.number("io_invalidate_cmd_payload_kind");
  const last = frame.number("io_invalidate_cmd_payload_lastLevelOnly");
  const found = Object.values(TLBI).filter((t) => FORMATS.kinds[t.kind] === kind);
  return (found.find((t) => (t.lastLevelOnly ?? 0) === last) ?? found[0])?.name ?? "TLBI";
}

// What the port of invalidations is asked for, with its operand.
function tlbiTitle(frame) {
  const operand = frame.word("io_invalidate_cmd_payload_operand");
  const kind = frame.number("io_invalidate_cmd_payload_kind");
  const is = (...names) => names.some((name) => FORMATS.kinds[name] === kind);
  const field = (name) => bits(operand, ...FORMATS.tlbi[name]);
  const signed = (name, log2) =>
    wrap64(BigInt.asIntN(FORMATS.tlbi[name][1], field(name)) << BigInt(log2));
  const said = [kindName(frame)];
  if (is("VA", "VA_ALL_ASIDS")) said.push(hex(signed("va", 12)));
  if (is("RANGE", "RANGE_ALL_ASIDS")) {
    const tg = Number(field("tg"));
    const format = Object.values(FORMATS.granules).find(({ tgRange }) => tgRange === tg);
    const log2 = format?.log2 ?? 12;
    const pages = (field("num") + 1n) << (5n * field("scale") + 1n);
    said.push(`${pages} pages of ${sizeName(log2)} from ${hex(signed("base", log2))}`);
  }
  if (is("ASID", "VA", "RANGE")) said.push(`ASID ${field("asid")}`);
  return said.join(", ");
}

function ofInvalidation(frame) {
  const state = frame.state("sweep");
  const gone = removedIn(frame).map(entryName);
  const removed = gone.length ? `The invalidation covers ${gone.join(" and ")}: removed.` : "";
  if (frame.is("io_invalidate_done")) {
    const complete = "The invalidation is complete: no translation uses what it covered any more.";
    return `${complete} ${removed}`.trim();
  }
  if (EVENTS.invalidation(frame)) {
    return `${kindName(frame)} is accepted: no walk that it concerns may install anything now.`;
  }
  if (state === "idle") return "";
  if (removed) return removed;
  if (state === "widen") return "The operand says which addresses and which ASID are covered.";
  return "The sweep compares the entries of the TLBs and the walk cache with the operand.";
}

// What matches may be covered by an invalidation that is complete: it was not compared yet.
const isSuspect = (frame, port) => frame.is(`${port}.io_waits`);

function ofMiss(frame, port) {
  if (waits(frame, port) && isSuspect(frame, port)) {
    return `The invalidation may cover the entry of the ${UNITS[port]} that matches: the access ` +
      "waits until the sweep has compared it.";
  }
  return waits(frame, port) && frame.state("walker") === "idle"
    ? `No entry of the ${UNITS[port]} answers: a TLB miss. A translation table walk is needed.`
    : "";
}

function ofAnswer(frame, before, port) {
  if (!answers(frame, port)) return "";
  const pa = hex(frame.word(`io_${port}_rsp_pa`));
  if (frame.is(`io_${port}_cmd_payload_untranslated`)) {
    return `${port}: not translated, PA ${pa}.`;
  }
  if (frame.is(`io_${port}_rsp_fault`)) {
    const status = frame.number(`io_${port}_rsp_status`);
    const name = FORMATS.faults[status] ?? "fault";
    return `The access is refused: ${name} (fault status code 0x${status.toString(16)}).`;
  }
  const entry = frame.number(`${port}.c1_place`);
  if (waits(before, port) && isSuspect(before, port)) {
    return `The invalidation does not cover entry ${entry} of the ${UNITS[port]}: it answers, ` +
      `PA ${pa}.`;
  }
  return waits(before, port)
    ? `The access is answered by the new entry ${entry} of the ${UNITS[port]}: PA ${pa}.`
    : `A hit: entry ${entry} of the ${UNITS[port]} answers in the same cycle, PA ${pa}. ` +
      "No table is read.";
}

function ofWalk(frame) {
  const level = frame.number("walker.walk_level");
  switch (frame.state("walker")) {
    case "start":
      return `A translation table walk begins. ${tableBase(frame)} holds the address of the ` +
        "first table; the walk cache is asked for a table nearer to the page.";
    case "step":
      return ofStep(frame);
    case "waiting":
      return `The walker reads the level ${level} descriptor at ` +
        `${hex(frame.word("walker.entryAddress"))}.`;
    case "check":
      return "The access changes the descriptor: TCR_EL1.HA lets the hardware set the Access " +
        "flag, and HD the dirty state.";
    case "swapping":
      return "The walker writes the changed descriptor, if memory still holds what it read: " +
        "one atomic compare-and-swap.";
    case "leaf":
      return "The walk is over. The TLB takes the translation as an entry.";
    default:
      return "";
  }
}

const tableBase = (frame) => (frame.is("walker.walk_upper") ? "TTBR1_EL1" : "TTBR0_EL1");

// The walker stands before its first table, or at a descriptor.
function ofStep(frame) {
  const va = frame.word("walker.walk_request_va");
  const { granule, levels } = regimeAt(frame, va);
  const first = frame.is("walker.walk_first");
  const level = frame.number("walker.walk_level");
  const descriptor = frame.word("walker.walk_descriptor");
  const read = first ? null : decodeDescriptor(descriptor, level, granule);
  const said = read ? `The level ${level} descriptor is ${article(read.type)}.` : "";
  if (frame.is("walker.step_faults")) {
    const status = frame.number("walker.io_walk_fault_payload_status");
    return `${said} The walk ends: ${FORMATS.faults[status] ?? "fault"}.`.trim();
  }
  if (frame.is("walker.step_maps")) {
    return `${said} It maps ${sizeName(read.span)} to output address ${hex(read.address)}.`;
  }
  const next = Math.log2(frame.number("walker.next_level"));
  const field = levels.find((l) => l.level === next) ?? levelField(granule, next);
  const index = bits(va, field.low, field.high - field.low + 1);
  const chooses = `${bitRange(field)} = ${index} chooses the level ${next} descriptor.`;
  if (read) return `${said} It points to the next table, at ${hex(read.address)}. ${chooses}`;
  if (frame.is("walker.remembered")) {
    return `The walk cache knows the table of level ${next}: levels above it need not be read. ` +
      chooses;
  }
  return `The walk cache knows no table of this address: the walk begins at level ${next}. ` +
    chooses;
}

const article = (type) =>
  type === "invalid" ? "invalid" : `a ${type[0].toUpperCase()}${type.slice(1)} descriptor`;
