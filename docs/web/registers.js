// The registers that choose a translation: TCR_EL1, the TTBRs, MAIR_EL1 and SCTLR_EL1.
"use strict";

const PA_BITS = 48;

function registersFor(granule, roots, asid) {
  const { tcr, tcrHalves: half, granules } = FORMATS;
  const { tg0, tg1 } = granules[granule];
  const both = (field, lower, upper = lower) => place(lower, field[0]) | place(upper, field[1]);
  return {
    tcr:
      both(half.tnsz, FORMATS.tnsz) | both(half.tg, tg0, tg1) | both(half.sh, 3) |
      both(half.irgn, 1) | both(half.orgn, 1) | place(1, tcr.as) | place(1, tcr.ha) |
      place(1, tcr.hd) | place(FORMATS.ipsBits.indexOf(PA_BITS), tcr.ips),
    ttbr0: place(asid, FORMATS.ttbrAsid) | roots[0],
    ttbr1: roots[1],
    mair: BigInt(FORMATS.mairNormal),
    sctlr: place(1, FORMATS.sctlr.m) | place(1, FORMATS.sctlr.c),
  };
}
