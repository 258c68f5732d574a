// The main TLB in a cycle, where the MMU has one. Its last way has what is larger than a page.
"use strict";

// The places of all its ways: [{way, place, large}].
function mainPlaces(frame) {
  const { ways, key } = frame.reading.main;
  return Array.from({ length: ways }, (_, way) => way).flatMap((way) =>
    Array.from({ length: frame.length(`main.ways_${way}_keys`) / wordsOf(key) }, (_, place) =>
      ({ way, place, large: way === ways - 1 })));
}

// null: it is empty.
function mainEntry(frame, { way, place }) {
  const { key, mapped } = frame.reading.main;
  const of = frame.wide(key, `main.ways_${way}_keys`, place);
  if (!of("valid")) return null;
  const to = frame.wide(mapped, `main.ways_${way}_mappings`, place);
  const span = spanOf(to("mapping_span"), FORMATS.spans.tlb);
  return {
    ...frame.address(of("entry_firstPage"), span), span, asid: Number(of("entry_asid")),
    global: of("entry_global") !== 0n, pa: to("mapping_page") << 12n,
    may: (right) => to(`mapping_permissions_${right}`) !== 0n,
  };
}

// Places that an invalidation clears in this cycle and that had something.
function mainRemoved(frame) {
  const { ways } = frame.reading.main;
  const place = frame.number("main.sweep_s3_place_number");
  const large = frame.is("main.sweep_s3_place_large");
  return onesOf(frame.word("main.sweep_clears"))
    .map((lane) => ({ way: large ? ways - 1 : lane, place, large }))
    .filter((at) => mainEntry(frame, at));
}

function ofMain(frame) {
  if (frame.is("main.answers")) return "The main TLB knows the translation: no walk begins.";
  if (frame.is("main.io_walker_cmd_valid")) return "The main TLB does not know the translation.";
  return frame.is("main.fresh_valid") ? "The main TLB keeps the translation too." : "";
}
