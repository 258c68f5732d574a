// A sheet of lab 0 and its answers: which sheet a name gets, which answers are right, and the file
// that is handed in. Sheets and right answers are Python's (tb/tools/web/lab0.py).
"use strict";

const LONGEST_NAME = 64;

// Spaces and capital letters do not matter.
function plainName(name) {
  const words = name.split(/\s+/).filter(Boolean).join(" ");
  if (!words || [...words].length > LONGEST_NAME) {
    throw new Error(`the name is "${words}": it must have 1 to ${LONGEST_NAME} letters`);
  }
  return words.toLowerCase();
}

// As tb/labs/lab0.py has it.
function sheetNumber(name, sheets) {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(plainName(name))) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  }
  return ((value ^ (value >>> 16)) >>> 0) % sheets;
}

const DIGITS = ["0x(_?[\\da-f])+", "0b(_?[01])+", "0o(_?[0-7])+", "[1-9](_?\\d)*", "0(_?0)*"];
const NUMBER = new RegExp(`^\\+?(${DIGITS.join("|")})$`, "i");

// A number as the grader reads it: 0x1f, 31, 0b11111, 1_000; null for anything else.
function parseNumber(text) {
  const digits = text.trim().replace(/[ ,]/g, "");
  return NUMBER.test(digits) ? BigInt(digits.replace(/[_+]/g, "")) : null;
}

const questionsOf = (sheet) =>
  [...sheet.predict, ...Object.values(sheet.walks).flatMap(({ parts }) => parts)];

// {right, says}; `says` is for the student. No answer: null.
function judge({ key, form, hint, choices }, given) {
  const text = given.trim().toLowerCase();
  if (!text) return null;
  if (choices) return { right: text === key, says: text === key ? "" : hint };
  const value = parseNumber(text);
  if (value === null) return { right: false, says: `This is not ${form}.` };
  const right = value === parseNumber(key);
  return { right, says: right ? "" : hint };
}

// The file that `make grade` reads; a string of JSON is one of TOML too.
function answersFile(name, number, sheet, answers) {
  const lines = [...questionsOf(sheet), ...sheet.explain].map(({ id }) =>
    `${id} = ${JSON.stringify(answers[id] ?? "")}`);
  return `# Lab 0: a walk by hand\n# for ${name}, sheet ${number}\n\n${lines.join("\n")}\n`;
}
