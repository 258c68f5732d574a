// A walk of the sheet on the RTL: its registers and its tables, and the access; then every cycle.
"use strict";

const running = { letter: null, history: null, cycle: 0 };
let machine, signals;

async function record(walk) {
  const registers = Object.fromEntries(
    Object.entries(walk.registers).map(([name, value]) => [name, BigInt(value)]));
  machine ??= await machineOf("mmu");
  const { names } = await machine.call(signals ? "reset" : "start",
    { registers: [registers], program: machine.program });
  signals = new Signals(names);
  const history = new History(walk.granule, signals, FORMATS.reading.mmu);
  const commands = walk.words.map(([address, value]) =>
    ({ write: { address: BigInt(address), value: BigInt(value) } }));
  history.add(null, await machine.call("run", { number: 0, commands }));
  const step = parseStep(`${walk.access}0-${BigInt(walk.va).toString(16)}`);
  const access = { va: step.va, kind: Object.keys(ACCESSES).indexOf(step.access), el1: 0 };
  history.add(step, await machine.call("run", { number: 0, commands: [{ access }] }));
  return history;
}

// In the section of its walk, from the first cycle of the access or from `cycle`.
async function runWalk(letter, walk, cycle = null) {
  const history = await record(walk);
  Object.assign(running, { letter, history });
  const panel = byId("hardware");
  byId(`walk-${letter}`).append(panel);
  panel.hidden = false;
  byId("step").textContent = `Walk ${letter}: ${stepTitle(history.steps[1].step, walk.granule)}`;
  showCycle(cycle ?? history.steps[1].start);
  panel.focus();
}

function showCycle(cycle) {
  const { history } = running;
  if (!history) return;
  const cursor = Math.min(Math.max(cycle, 0), history.last());
  running.cycle = cursor;
  const { frames } = history;
  const frame = frames[cursor];
  const walk = walkAt(frames, cursor);
  const va = history.stepAt(cursor).step?.va ?? null;
  const view = { history, frames, frame, cursor, walk, level: levelNow(frame, walk), va };
  byId("sentence").textContent = history.told[cursor];
  byId("cycle").textContent = `${cursor} of ${history.last()}`;
  Object.assign(byId("cursor"), { max: history.last() });
  byId("cursor").value = cursor;
  byId("back").disabled = cursor === 0;
  byId("next").disabled = cursor === history.last();
  byId("address").replaceChildren(...addressPane(view));
  byId("walk").replaceChildren(...walkPane(view));
  writeHash();
}

const step = (how) => () => running.history && showCycle(running.history[how](running.cycle));

function listenToRun() {
  byId("next").onclick = doing(step("next"));
  byId("back").onclick = doing(step("back"));
  byId("cursor").oninput = doing(() => showCycle(Number(byId("cursor").value)));
  listenToKeys({
    ArrowRight: doing(step("next")), ArrowLeft: doing(step("back")),
    "Shift+ArrowRight": doing(() => showCycle(running.cycle + 1)),
    "Shift+ArrowLeft": doing(() => showCycle(running.cycle - 1)),
    Home: doing(() => showCycle(0)), End: doing(() => showCycle(running.history?.last() ?? 0)),
  });
}
