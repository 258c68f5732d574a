// The page: what a person asks for goes to the MMUs of all granules; one cycle of one is shown.
"use strict";

const shown = { granule: "4k", main: false, cycle: 0 }; // main: with a main TLB
const asked = []; // steps, in order
let machine, signals, tables, histories;

const history_ = () => histories[shown.granule];
const asRegisters = (granule) => registersFor(granule, tables[granule].roots, DEFAULT_ASID);

async function useMachine() {
  const name = shown.main ? "mmu-main" : "mmu";
  if (machine?.name === name) return;
  machine?.end();
  machine = await machineOf(name);
  signals = null;
}

// New MMUs and new tables, with no step yet.
async function restart() {
  await useMachine();
  const granules = Object.keys(FORMATS.granules);
  tables = Object.fromEntries(granules.map((granule) => [granule, new PageTables(granule)]));
  const registers = granules.map(asRegisters);
  const { names } = await (signals ? machine.call("reset", { registers })
    : machine.start({ registers }));
  signals = new Signals(names);
  histories = Object.fromEntries(granules.map((granule) =>
    [granule, new History(granule, signals, FORMATS.reading[machine.name])]));
  asked.length = 0;
  await perform(null, (granule) => tables[granule].writes());
}

async function perform(step, commands) {
  for (const [number, [granule, history]] of Object.entries(histories).entries()) {
    const argument = { number, commands: commands(granule) };
    history.add(step, await machine.call("run", argument));
  }
}

// One more step at all granules; returns its number in the histories.
async function ask(step) {
  await perform(step, (granule) => commandsFor(step, granule, tables[granule]));
  asked.push(step);
  return asked.length;
}

async function askAll(steps) {
  await restart();
  for (const step of steps) await ask(step);
}

function show(cycle) {
  const history = history_();
  shown.cycle = Math.min(Math.max(cycle, 0), history.last());
  draw();
  const link = writeLink({ ...shown, steps: asked });
  if (location.hash !== link) window.history.replaceState(null, "", link);
}

function draw() {
  const history = history_();
  const { frames } = history;
  const { granule, cycle: cursor } = shown;
  const { step } = history.stepAt(cursor);
  const number = stepShown();
  const walk = walkAt(frames, cursor);
  const frame = frames[cursor];
  const level = levelNow(frame, walk);
  const view = { history, frames, frame, cursor, granule, walk, level, va: step?.va ?? null };
  byId("step").textContent = step
    ? `Step ${number} of ${asked.length}: ${stepTitle(step, granule)}`
    : "The MMU comes out of reset: its TLBs are empty. Choose an example, or an address.";
  byId("sentence").textContent = history.told[cursor];
  byId("cycle").textContent = `${cursor} of ${history.last()}`;
  Object.assign(byId("cursor"), { max: history.last(), hidden: false });
  byId("cursor").value = cursor;
  byId("back").disabled = cursor === 0;
  byId("next").disabled = cursor === history.last();
  const panes = {
    address: addressPane(view), walk: walkPane(view), tlbs: tlbPane(view),
    tables: tablesPane(view), main: shown.main && mainPane(view),
    invalidations: invalidationsPane(view),
    counters: countersPane(history.tallies[cursor]),
    cache: null, // the MMU alone has none
    compare: comparePane(histories, number, granule),
  };
  fillPanes(panes);
  byId("main-tlb").checked = shown.main;
  for (const radio of document.getElementsByName("granule")) {
    radio.checked = radio.value === granule;
  }
}

const stepShown = () => history_().steps.findLastIndex(({ start }) => start <= shown.cycle);

// Another granule at the same step.
function chooseGranule(granule) {
  const number = stepShown();
  shown.granule = granule;
  show(history_().steps[number].start);
}

// The same steps on an MMU with a main TLB, or without.
async function chooseMain(main) {
  const number = stepShown();
  shown.main = main;
  await askAll([...asked]);
  show(history_().steps[number].start);
}

const move = (how) => () => show(history_()[how](shown.cycle));

function runTo(event) {
  const found = history_().find(event, shown.cycle);
  if (found === null) {
    return complain(`no ${event} comes after this cycle; ask for another access`);
  }
  show(found);
}

async function askAndShow(step) {
  const number = await ask(step);
  show(history_().steps[number].start);
}

function fromForm() {
  const asid = Number(byId("asid").value);
  if (!Number.isInteger(asid) || asid < 0 || asid > 65535) {
    throw new Error(`ASID ${byId("asid").value} does not fit into 16 bits: use 0 to 65535`);
  }
  return { va: parseAddress(byId("va").value), asid };
}

async function showExample({ steps, show: at = 0, main = shown.main }) {
  shown.main = main;
  await askAll(steps.split("_").map(parseStep));
  const last = asked[at];
  byId("va").value = hex(last.va || asked[0].va);
  show(history_().steps[at + 1].start);
}

// What the address of the page says. Without one, or with a wrong one, the first example.
async function openLink() {
  if (!location.hash) return showExample(EXAMPLES[0]);
  let link;
  try {
    link = readLink(location.hash);
  } catch (error) {
    await showExample(EXAMPLES[0]);
    throw error;
  }
  const { granule, main, steps, cycle } = link;
  Object.assign(shown, { granule, main });
  await askAll(steps);
  show(cycle);
}

function listen() {
  byId("access").onsubmit = doing(() => askAndShow({
    ...fromForm(), access: byId("kind").value, el: Number(byId("el").value) }));
  byId("maintain").onsubmit = doing(() => {
    const operation = byId("operation").value;
    const kind = operation in TLBI ? "tlbi" : "change";
    return askAndShow({ ...fromForm(), [kind]: operation });
  });
  byId("restart").onclick = doing(async () => {
    await restart();
    show(0);
  });
  byId("next").onclick = doing(move("next"));
  byId("back").onclick = doing(move("back"));
  byId("cursor").oninput = doing(() => show(Number(byId("cursor").value)));
  for (const button of document.querySelectorAll("[data-event]")) {
    button.onclick = doing(() => runTo(button.dataset.event));
  }
  byId("main-tlb").onchange = doing(() => chooseMain(byId("main-tlb").checked));
  for (const radio of document.getElementsByName("granule")) {
    radio.onchange = doing(() => chooseGranule(radio.value));
  }
  window.onhashchange = doing(openLink);
  const granules = Object.keys(FORMATS.granules);
  listenToKeys({
    ArrowRight: doing(move("next")), ArrowLeft: doing(move("back")),
    "Shift+ArrowRight": doing(() => show(shown.cycle + 1)),
    "Shift+ArrowLeft": doing(() => show(shown.cycle - 1)),
    Home: doing(() => show(0)), End: doing(() => show(history_().last())),
    w: doing(() => runTo("walk")), m: doing(() => runTo("miss")),
    i: doing(() => runTo("invalidation")), f: doing(() => runTo("fault")),
    ...Object.fromEntries(granules.map((granule, i) =>
      [String(i + 1), doing(() => chooseGranule(granule))])),
  });
}

function fillIn() {
  byId("places").append(...Object.values(PLACES).map(({ va, says }) =>
    element("option", { value: hex(va) }, says)));
  byId("examples").append(...EXAMPLES.map((example) =>
    element("button", { type: "button", onclick: doing(() => showExample(example)) },
      example.name)));
}

async function begin() {
  if (matchMedia("(max-width: 760px)").matches) byId("examples").parentElement.open = false;
  fillIn();
  listen();
  await doing(openLink)();
}

begin();
