// Examples: steps that show one thing each, and where to begin to look.
"use strict";

const EXAMPLES = [
  { name: "A walk, level by level", steps: "r0-7f1234567abc" },
  { name: "Again: a TLB hit", steps: "r0-7f1234567abc_r0-7f1234567abc", show: 1 },
  { name: "A neighbour: the walk cache", steps: "r0-7f1234567abc_r0-7f1234577abc", show: 1 },
  { name: "A block", steps: "r0-4012345678" },
  { name: "A contiguous group", steps: "r0-8000012345_r0-8000013345", show: 0 },
  { name: "A write to a read-only page", steps: "w0-c000000040" },
  { name: "EL0 at a page of the kernel", steps: "r0-10000000080" },
  { name: "Not mapped", steps: "r0-1c000000000" },
  { name: "The Access flag", steps: "r0-14000000100" },
  { name: "The dirty state", steps: "r0-18000000140_w0-18000000140", show: 1 },
  { name: "Kernel addresses: TTBR1", steps: "r1-ffff800012345678" },
  {
    name: "A stale entry: the missing TLBI",
    steps: "r0-7f1234567abc_remap-7f1234567abc_r0-7f1234567abc_va-7f1234567abc_r0-7f1234567abc",
    show: 2,
  },
  {
    name: "Invalidate one address",
    steps: "r0-7f1234567abc_r0-7f1234577abc_va-7f1234567abc", show: 2,
  },
  {
    name: "Invalidate a range",
    steps: "r0-7f1234567abc_r0-7f1234577abc_r0-4012345678_range-7f1234560000", show: 3,
  },
  {
    name: "Invalidate an ASID",
    steps: "r0-7f1234567abc_r0-7f1234567abc.2_r1-ffff800012345678_asid-0.2", show: 3,
  },
  {
    name: "The main TLB answers", main: true, show: 17, // the micro TLB has 16 entries
    steps: ["r0-7f1234567abc", ...Array.from({ length: 16 }, (_, i) => `r0-7f1234577abc.${i + 1}`),
      "r0-7f1234567abc"].join("_"),
  },
  { name: "Execute never", steps: "x1-7f1234567abc" },
];
