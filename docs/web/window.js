// What is shown of a long run: a window of its cycles, which the machine gives again when somebody
// looks there. The page has `report`, which is told of the machine's state, and `linkTo`.
"use strict";

const BEFORE = 192; // cycles of a window before the one that is looked for
const WINDOW = 384;

const shown = { cycle: 0, first: 0 }; // first: of the run
let machine, signals, reading, recorded; // recorded: {history, first}

// Shows a cycle; the machine gives those around it.
async function look(cycle) {
  const from = Math.max(shown.first, cycle - BEFORE);
  const { first, ...window } = await machine.call("window", { from, count: WINDOW });
  const history = new History(null, signals, reading);
  if (window.count > 0) history.add(null, window);
  recorded = { history, first };
  report(window);
  show(cycle);
}

const end = () => recorded.first + recorded.history.last();

function show(cycle) {
  shown.cycle = Math.max(recorded.first, Math.min(cycle, end()));
  draw();
  const link = linkTo(shown.cycle);
  if (location.hash !== link) window.history.replaceState(null, "", link);
}

function draw() {
  const { history, first } = recorded;
  const { frames } = history;
  const cursor = shown.cycle - first;
  const frame = frames[cursor];
  byId("cycle").textContent = shown.cycle.toLocaleString("en");
  byId("back").disabled = shown.cycle === shown.first;
  document.querySelector("[data-event=move]").hidden = !reading.cache;
  byId("cursor").value = shown.cycle; // hidden where a run has no end yet
  if (!frame) return;
  byId("sentence").textContent = history.told[cursor];
  const walk = walkAt(frames, cursor);
  const walking = frame.state("walker") !== "idle";
  const port = PORTS.find((p) => waits(frame, p)) ?? PORTS.find((p) => answers(frame, p));
  const va = walking ? walk?.va ?? null : port ? frame.word(`io_${port}_cmd_payload_va`) : null;
  const level = levelNow(frame, walk);
  const view = { history, frames, frame, cursor, walk, level, va };
  const panes = { address: addressPane(view), walk: walkPane(view), tlbs: tlbPane(view),
    tables: tablesPane(view), invalidations: invalidationsPane(view),
    main: reading.main && mainPane(view), cache: reading.cache && cachePane(view),
    counters: reading.counters && machineCountersPane(frame) };
  fillPanes(panes);
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
    if (first === shown.first) return show(first);
    before = first + 1;
    await look(first);
  }
}

async function move(cycles) {
  const cycle = shown.cycle + cycles;
  if (cycle >= recorded.first && cycle <= end()) return show(cycle);
  if (cycle >= shown.first) await look(cycle);
}

// One thing at a time; what goes wrong is shown.
let busy = false;
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

// Keys and buttons of the steps; `runTo` goes to an event.
function listenToSteps(run) {
  const runTo = (event) => {
    if (event === "move" && !reading.cache?.colourBits) {
      throw new Error("the data cache of this machine has one colour: nothing moves in it");
    }
    return run(event);
  };
  byId("next").onclick = doing(next);
  byId("back").onclick = doing(back);
  for (const button of document.querySelectorAll("[data-event]")) {
    button.onclick = doing(() => runTo(button.dataset.event));
  }
  listenToKeys({
    ArrowRight: doing(next), ArrowLeft: doing(back),
    "Shift+ArrowRight": doing(() => move(1)), "Shift+ArrowLeft": doing(() => move(-1)),
    w: doing(() => runTo("walk")), m: doing(() => runTo("miss")),
    i: doing(() => runTo("invalidation")), f: doing(() => runTo("fault")),
    c: doing(() => runTo("move")),
  });
}
