// Fields of 64-bit words, and how numbers are written.
"use strict";

const mask = (width) => (1n << BigInt(width)) - 1n;
const bits = (word, low, width = 1) => (word >> BigInt(low)) & mask(width);
const place = (value, [low, width]) => (BigInt(value) & mask(width)) << BigInt(low);
const hex = (word) => "0x" + BigInt(word).toString(16);
const hexLong = (word) => "0x" + BigInt(word).toString(16).padStart(16, "0");
const wrap64 = (word) => BigInt.asUintN(64, word);

// The places of its ones, from the lowest on.
const onesOf = (word) => [...word.toString(2)].reverse()
  .flatMap((bit, place) => (bit === "1" ? [place] : []));

// "4 KiB" for 12.
function sizeName(log2) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
  const unit = Math.min(Math.floor(log2 / 10), units.length - 1);
  return `${2 ** (log2 - 10 * unit)} ${units[unit]}`;
}

function count(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

// What a person typed: hexadecimal with or without 0x, with _ and spaces between digits.
function parseAddress(text) {
  const digits = text.trim().replace(/^0x/i, "").replace(/[_\s]/g, "");
  if (!/^[0-9a-f]{1,16}$/i.test(digits)) {
    throw new Error(`"${text}" is no address: use up to 16 hexadecimal digits, as in 7f1234567abc`);
  }
  return BigInt("0x" + digits);
}
