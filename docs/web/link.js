// The address of the page carries what it shows: #granule=4k&steps=r0-7f1234567abc&cycle=12, and
// main=1 for the MMU with a main TLB.
"use strict";

function readLink(text) {
  const found = new URLSearchParams(text.replace(/^#/, ""));
  const granule = found.get("granule") ?? "4k";
  if (!(granule in FORMATS.granules)) {
    throw new Error(`the link has granule ${granule}; choose ${Object.keys(FORMATS.granules)}`);
  }
  const steps = (found.get("steps") ?? "").split("_").filter(Boolean).map(parseStep);
  const cycle = Number(found.get("cycle") ?? 0);
  if (!Number.isInteger(cycle) || cycle < 0) {
    throw new Error(`the link has cycle "${found.get("cycle")}"; it is a number from 0 up`);
  }
  return { granule, main: found.get("main") === "1", steps, cycle };
}

function writeLink({ granule, main, steps, cycle }) {
  const written = steps.map(writeStep).join("_");
  return `#granule=${granule}${main ? "&main=1" : ""}&steps=${written}&cycle=${cycle}`;
}
