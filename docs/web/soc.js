// The page of the whole machine: it runs in the worker, which runs the cycles of a window again and
// records them when somebody looks (window.js).
"use strict";

const MASKS = { walk: 1, miss: 2, invalidation: 4, fault: 8, move: 16 };
const SYSTEMS = { teaching: "soc", ulx3s: "soc-ulx3s" }; // by configuration

Object.assign(shown, { granule: "4k", program: "console", system: null });
let began = { time: 0, cycle: 0 };

// The machine of a configuration, instead of the one that there is.
async function useSystem(system) {
  if (system === shown.system) return;
  machine?.end();
  machine = await machineOf(SYSTEMS[system]);
  machine.onevent = report;
  reading = FORMATS.reading[machine.name];
  await machine.start({ firmware: FIRMWARE });
  shown.system = system;
}

async function boot() {
  const line = `pagesize=${shown.granule} run=${shown.program}`;
  const { names, ...state } = await machine.call("boot", { line });
  signals = new Signals(names);
  report(state);
  await look(0);
}

const linkTo = (cycle) => `#machine=${shown.system}&granule=${shown.granule}&` +
  `run=${shown.program}&cycle=${cycle}`;

// As the list has it; a link may have another one.
const programName = () =>
  [...byId("program").options].find(({ value }) => value === shown.program)?.text ?? shown.program;

function report({ console: text, finished, status, cycle }) {
  const at = byId("console");
  if (at.textContent !== text) {
    at.textContent = text;
    at.scrollTop = at.scrollHeight;
  }
  byId("step").textContent = finished
    ? `The program has ended with status ${status}.`
    : `${programName()}, with pages of ${shown.granule.toUpperCase()}`;
  const seconds = (performance.now() - began.time) / 1000;
  if (machine.running && seconds > 0.2) {
    const rate = (cycle - began.cycle) / seconds;
    byId("speed").textContent = `cycle ${cycle.toLocaleString("en")}, ` +
      `${Math.round(rate / 1000).toLocaleString("en")},000 cycles a second`;
    machine.rate = rate;
  }
}

// Runs on, and shows where it stopped.
async function run(argument = {}) {
  machine.running = true;
  byId("run").disabled = true;
  byId("pause").disabled = false;
  // It goes on behind the window; an event there would be missed.
  await machine.call("window", { from: shown.cycle + 1, count: 0 });
  began = { time: performance.now(), cycle: shown.cycle };
  const found = await machine.call("run", argument);
  report(found);
  machine.running = false;
  if (found.finished) machine.ended = found.cycle;
  byId("run").disabled = false;
  byId("pause").disabled = true;
  await look(Math.max(0, found.cycle - 1));
  return found;
}

async function runTo(event) {
  const { met } = await run({ events: MASKS[event] });
  if (!met) throw new Error(`the program ended, or was paused, without another ${event}`);
  // A walk is counted in the cycle before it begins.
  const { history, first } = recorded;
  const at = history.find(event, shown.cycle - first - 1);
  if (at !== null) show(first + at);
}

// What the address of the page says. What it does not have, or has wrong, is the first choice.
async function openLink() {
  const found = new URLSearchParams(location.hash.replace(/^#/, ""));
  const wrong = [];
  const choice = (name, choices) => {
    const asked = found.get(name) ?? choices[0];
    if (choices.includes(asked)) return asked;
    wrong.push(`the link has ${name} ${asked}; choose ${choices.join(", ")}`);
    return choices[0];
  };
  shown.granule = choice("granule", Object.keys(FORMATS.granules));
  shown.program = found.get("run") ?? "console";
  const system = choice("machine", Object.keys(SYSTEMS));
  for (const radio of document.getElementsByName("granule")) {
    radio.checked = radio.value === shown.granule;
  }
  byId("program").value = shown.program;
  byId("system").value = system;
  const cycle = Number(found.get("cycle") ?? 0);
  await useSystem(system);
  await boot();
  if (cycle > 0) await look(cycle);
  if (wrong.length) throw new Error(wrong.join("; "));
}

async function bootChosen() {
  shown.granule = document.querySelector("[name=granule]:checked").value;
  shown.program = byId("program").value;
  await useSystem(byId("system").value);
  await boot();
  await run();
}

function listen() {
  byId("boot").onclick = doing(bootChosen);
  byId("run").onclick = doing(() => run());
  byId("pause").onclick = () => machine.call("pause");
  byId("typing").onsubmit = (event) => {
    event.preventDefault();
    machine.call("type", { text: byId("line").value + "\r" });
    byId("line").value = "";
    if (!machine.running) doing(() => run())();
  };
  window.onhashchange = doing(openLink);
  const choose = (granule) => () => document.querySelector(`[value="${granule}"]`).click();
  listenToSteps(runTo);
  listenToKeys({
    r: () => (machine.running ? machine.call("pause") : doing(() => run())()),
    1: choose("4k"), 2: choose("16k"), 3: choose("64k"),
  });
}

async function begin() {
  listen();
  await doing(openLink)();
}

begin();
