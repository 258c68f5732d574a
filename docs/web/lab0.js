// The page of lab 0: a name, its questions, points and hints, the hardware, the file to hand in.
"use strict";

let lab0; // {know, sheets}
let student = null; // {name, number, sheet, answers}

// Answers are kept for each name. A browser may refuse to, and then a reload forgets them.
const keptAt = (name) => `granule-lab0-${plainName(name)}`;

function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(keptAt(name)) ?? "{}");
  } catch {
    return {};
  }
}

function keep({ name, answers }) {
  try {
    localStorage.setItem(keptAt(name), JSON.stringify(answers));
  } catch {
    byId("which").textContent = "This browser keeps nothing: save your answers before you leave.";
  }
}

function openSheet(name) {
  const number = sheetNumber(name, lab0.sheets.length);
  student = { name: name.trim(), number, sheet: lab0.sheets[number], answers: recall(name) };
  running.history = running.letter = null;
  document.body.append(byId("hardware"));
  byId("hardware").hidden = true;
  byId("name").value = student.name;
  drawSheet();
  writeHash();
}

function writeHash() {
  const run = running.history ? `&walk=${running.letter}&cycle=${running.cycle}` : "";
  const link = `#name=${encodeURIComponent(student.name)}${run}`;
  if (location.hash !== link) window.history.replaceState(null, "", link);
}

function drawSheet() {
  const { sheet, number } = student;
  byId("which").textContent = "Your questions stand below what you must know. Your sheet has " +
    `number ${number}; there are ${lab0.sheets.length}. What you type stays in this browser.`;
  byId("sheet").replaceChildren(
    section("predict", "Predict", note("Before you run anything."), sheet.predict),
    ...Object.entries(sheet.walks).map(([letter, walk]) => walkSection(letter, walk)),
    section("explain", "Explain", note("In your own words. A person reads these; they are saved " +
      "with your answers."), sheet.explain),
  );
  byId("bar").hidden = false;
  changed();
}

function section(id, title, given, parts) {
  return element("section", { class: "pane", id }, element("h2", {}, title), given,
    ...parts.map(questionView));
}

function walkSection(letter, walk) {
  const button = element("button", { type: "button", class: "main", "data-walk": letter,
    onclick: doing(() => runWalk(letter, walk)) }, "Run it on the hardware");
  const view = section(`walk-${letter}`, `Walk ${letter}`, givenView(walk), walk.parts);
  view.append(element("p", {}, button, " ", element("span", { class: "note" })));
  return view;
}

function givenView({ granule, tnsz, registers, access, va, words, note: said }) {
  const rows = words.map(([at, word]) => ({ cells: [code(at), code(word)] }));
  return element("div", { class: "given" },
    element("p", {}, "A program (EL0) ", element("b", {}, `${ACCESSES[access]}s `), code(va), "."),
    element("p", {}, `Granule ${sizeName(FORMATS.granules[granule].log2)}, T0SZ = ${tnsz} ` +
      `(addresses of ${64 - tnsz} bits), TTBR0 = `, code(registers.ttbr0), "."),
    said ? element("p", {}, said) : null,
    element("details", { open: "" },
      element("summary", {}, "Memory: words that are not listed are 0"),
      table(["address", "word"], rows)));
}

function questionView({ id, asks, points, form, choices }) {
  const value = student.answers[id] ?? "";
  const attributes = { id, name: id, oninput: () => answer(id), "aria-describedby": `says-${id}` };
  let field;
  if (choices) {
    field = element("select", attributes, ...["", ...choices].map((choice) =>
      element("option", { value: choice }, choice || "choose")));
  } else if (form) {
    field = element("input", { ...attributes, autocomplete: "off", spellcheck: "false" });
  } else {
    field = element("textarea", { ...attributes, rows: "4" });
  }
  field.value = value;
  const short = asks.replace(/^Walk .: (.)/, (_, first) => first.toUpperCase());
  return element("div", { class: form ? "question" : "question long" },
    element("label", { for: id }, short, " ",
      element("span", { class: "note" }, count(points, "point"))),
    field,
    element("p", { class: "says", id: `says-${id}`, role: "status" }));
}

function answer(id) {
  student.answers[id] = byId(id).value;
  keep(student);
  say(id, null);
  changed();
}

// Which walks may run: those whose questions have answers.
function changed() {
  for (const [letter, { parts }] of Object.entries(student.sheet.walks)) {
    const button = document.querySelector(`[data-walk="${letter}"]`);
    button.disabled = parts.some(({ id }) => !student.answers[id]?.trim());
    button.nextElementSibling.textContent =
      button.disabled ? "Answer the questions of this walk first." : "";
  }
  byId("points").textContent = "";
}

function say(id, verdict) {
  const line = byId(`says-${id}`);
  line.className = `says${verdict ? (verdict.right ? " right" : " wrong") : ""}`;
  line.textContent = verdict
    ? verdict.right ? "✓ right" : `✗ not right. ${verdict.says}` : "";
}

function check() {
  let [points, of, missing] = [0, 0, 0];
  const wrong = [];
  for (const part of questionsOf(student.sheet)) {
    const verdict = judge(part, student.answers[part.id] ?? "");
    say(part.id, verdict);
    of += part.points;
    if (verdict?.right) points += part.points;
    if (verdict && !verdict.right) wrong.push(part.id);
    if (!verdict) missing++;
  }
  byId("points").replaceChildren(`${points} of ${of} points` +
    (missing ? `, ${count(missing, "question")} without an answer` : ""));
  if (wrong.length) byId("points").append(", ", firstOf(wrong));
}

// Leads to the first answer that is not right.
function firstOf(wrong) {
  const onclick = () => byId(wrong[0]).focus();
  return element("button", { type: "button", onclick }, `${wrong.length} not right`);
}

function save() {
  const { name, number, sheet, answers } = student;
  const text = answersFile(name, number, sheet, answers);
  const url = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  element("a", { href: url, download: "answers.toml" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  byId("points").textContent = "answers.toml is saved: hand it in.";
}

async function openLink() {
  const found = new URLSearchParams(location.hash.replace(/^#/, ""));
  const name = found.get("name");
  if (!name) return;
  openSheet(name);
  const letter = found.get("walk");
  if (!letter) return;
  const walk = student.sheet.walks[letter];
  if (!walk) {
    throw new Error(`the link has walk ${letter}; there are ${Object.keys(student.sheet.walks)}`);
  }
  const cycle = found.get("cycle");
  await runWalk(letter, walk, cycle === null ? null : Number(cycle));
}

async function begin() {
  lab0 = JSON.parse(new TextDecoder().decode(await bytesOf(LAB0)));
  byId("know").innerHTML = lab0.know;
  byId("who").onsubmit = doing(() => openSheet(byId("name").value));
  byId("sheet").onsubmit = doing(check);
  byId("save").onclick = doing(save);
  window.onhashchange = doing(openLink);
  listenToRun();
  await doing(openLink)();
}

begin();
