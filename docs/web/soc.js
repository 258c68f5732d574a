// The page of the whole machine: it runs in the worker; what is shown is a window of its cycles,
// which the worker runs again and records when somebody looks.
"use strict";

const BEFORE = 192; // cycles of a window before the one that is looked for
const WINDOW = 384;
const MASKS = { walk: 1, miss: 2, invalidation: 4, fault: 8 };

const shown = { granule: "4k", program: "console", cycle: 0 };
let machine, signals, recorded; // recorded: {history, first}
let began = { time: 0, cycle: 0 };
let busy = false;

async function boot() {
  const line = `pagesize=${shown.granule} run=${shown.program}`;
  const { names, ...state } = await machine.call("boot", { line });
  signals = new Signals(names);
  report(state);
  await look(0);
}

// Shows a cycle; the worker records those around it.
async function look(cycle) {
  const from = Math.max(0, cycle - BEFORE);
  const { first, ...window } = await machine.call("window", { from, count: WINDOW });
  const history = new History(shown.granule, signals, FORMATS.reading.soc);
  if (window.count > 0) history.add(null, window);
  recorded = { history, first };
  report(window);
  show(cycle);
}

const end = () => recorded.first + recorded.history.last();

function show(cycle) {
  shown.cycle = Math.max(recorded.first, Math.min(cycle, end()));
  draw();
  const { granule, program } = shown;
  const link = `#granule=${granule}&run=${program}&cycle=${shown.cycle}`;
  if (location.hash !== link) window.history.replaceState(null, "", link);
}

function draw() {
  const { history, first } = recorded;
  const { frames } = history;
  const cursor = shown.cycle - first;
  const frame = frames[cursor];
  byId("cycle").textContent = shown.cycle.toLocaleString("en");
  byId("back").disabled = shown.cycle === 0;
  if (!frame) return;
  byId("sentence").textContent = history.told[cursor];
  const walk = walkAt(frames, cursor);
  const walking = frame.state("walker") !== "idle";
  const port = PORTS.find((p) => waits(frame, p)) ?? PORTS.find((p) => answers(frame, p));
  const va = walking ? walk?.va ?? null : port ? frame.word(`io_${port}_cmd_payload_va`) : null;
  const level = levelNow(frame, walk);
  const view = { history, frames, frame, cursor, granule: shown.granule, walk, level, va };
  const panes = { address: addressPane(view), walk: walkPane(view), tlbs: tlbPane(view),
    tables: tablesPane(view), invalidations: invalidationsPane(view) };
  for (const [id, children] of Object.entries(panes)) byId(id).replaceChildren(...children);
}

function report({ console: text, finished, status, cycle }) {
  const at = byId("console");
  if (at.textContent !== text) {
    at.textContent = text;
    at.scrollTop = at.scrollHeight;
  }
  byId("step").textContent = finished
    ? `The program has ended with status ${status}.`
    : `${shown.program} with pages of ${shown.granule.toUpperCase()}`;
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
}

// The next cycle with another sentence, in as many windows as it takes.
async function next() {
  for (let from = shown.cycle; ;) {
    const { history, first } = recorded;
    const found = history.stops.find((stop) => stop > 0 && first + stop > from);
    if (found !== undefined) return show(first + found);
    from = end();
    await look(from + 1);
    if (end() <= from) return;
  }
}

async function back() {
  for (let before = shown.cycle; ;) {
    const { history, first } = recorded;
    const found = history.stops.findLast((stop) => stop > 0 && first + stop < before);
    if (found !== undefined) return show(first + found);
    if (first === 0) return show(0);
    before = first + 1;
    await look(first);
  }
}

async function move(cycles) {
  const cycle = shown.cycle + cycles;
  if (cycle >= recorded.first && cycle <= end()) return show(cycle);
  if (cycle >= 0) await look(cycle);
}

// One thing at a time; what goes wrong is shown.
function doing(action) {
  return async (event) => {
    event?.preventDefault?.();
    if (busy) return;
    busy = true;
    byId("error").textContent = "";
    try {
      await action(event);
    } catch (error) {
      byId("error").textContent = error.message;
    }
    busy = false;
    document.body.dataset.done = String(Number(document.body.dataset.done ?? 0) + 1);
  };
}

async function openLink() {
  const found = new URLSearchParams(location.hash.replace(/^#/, ""));
  shown.granule = found.get("granule") ?? "4k";
  shown.program = found.get("run") ?? "console";
  if (!(shown.granule in FORMATS.granules)) {
    throw new Error(`the link has granule ${shown.granule}; choose ` +
      Object.keys(FORMATS.granules).join(", "));
  }
  for (const radio of document.getElementsByName("granule")) {
    radio.checked = radio.value === shown.granule;
  }
  byId("program").value = shown.program;
  const cycle = Number(found.get("cycle") ?? 0);
  await boot();
  if (cycle > 0) await look(cycle);
}

async function bootChosen() {
  shown.granule = document.querySelector("[name=granule]:checked").value;
  shown.program = byId("program").value;
  await boot();
  await run();
}

function listen() {
  byId("boot").onclick = doing(bootChosen);
  byId("run").onclick = doing(() => run());
  byId("pause").onclick = () => machine.call("pause");
  byId("next").onclick = doing(next);
  byId("back").onclick = doing(back);
  byId("typing").onsubmit = (event) => {
    event.preventDefault();
    machine.call("type", { text: byId("line").value + "\r" });
    byId("line").value = "";
    if (!machine.running) doing(() => run())();
  };
  for (const button of document.querySelectorAll("[data-event]")) {
    button.onclick = doing(() => runTo(button.dataset.event));
  }
  window.onhashchange = doing(openLink);
  const choose = (granule) => () => document.querySelector(`[value="${granule}"]`).click();
  listenToKeys({
    ArrowRight: doing(next), ArrowLeft: doing(back),
    "Shift+ArrowRight": doing(() => move(1)), "Shift+ArrowLeft": doing(() => move(-1)),
    r: () => (machine.running ? machine.call("pause") : doing(() => run())()),
    w: doing(() => runTo("walk")), m: doing(() => runTo("miss")),
    i: doing(() => runTo("invalidation")), f: doing(() => runTo("fault")),
    1: choose("4k"), 2: choose("16k"), 3: choose("64k"),
  });
}

async function begin() {
  machine = new Machine("soc");
  machine.onevent = report;
  listen();
  await machine.start({ firmware: FIRMWARE });
  await doing(openLink)();
}

begin();
