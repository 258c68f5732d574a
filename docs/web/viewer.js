// The page of a trace: the same panes, and a slider over all of its cycles.
"use strict";

const linkTo = (cycle) => `#cycle=${cycle}`;

const report = () => {}; // a trace has no state of its own

async function runTo(event) {
  const found = machine.find(EVENTS[event], shown.cycle, signals);
  if (found === null) throw new Error(`the trace ends without another ${event}`);
  await look(found);
}

async function openLink() {
  const asked = new URLSearchParams(location.hash.replace(/^#/, "")).get("cycle");
  const cycle = Number(asked ?? machine.first);
  if (!(cycle >= machine.first && cycle <= machine.last)) {
    await look(machine.first);
    throw new Error(`the link has cycle ${asked}; the trace has ${machine.first} to ` +
      `${machine.last}`);
  }
  await look(cycle);
}

async function begin() {
  machine = new Trace(new TextDecoder().decode(await bytesOf(TRACE.packed)));
  signals = new Signals(machine.names);
  reading = machine.reading;
  shown.first = machine.first;
  Object.assign(byId("cursor"), { min: machine.first, max: machine.last, hidden: false });
  byId("cursor").onchange = doing(() => look(Number(byId("cursor").value)));
  const text = (cycle) => cycle.toLocaleString("en");
  byId("step").textContent = `${TRACE.name}: the MMU of ${machine.machine}, cycles ` +
    `${text(machine.first)} to ${text(machine.last)}`;
  listenToSteps(runTo);
  window.onhashchange = doing(openLink);
  await doing(openLink)();
}

begin();
