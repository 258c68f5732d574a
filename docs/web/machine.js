// The page's end of a machine: a worker made from the text in machine-NAME.js, as a page that was
// opened from a file cannot load one.
"use strict";

class Machine {
  constructor(name) {
    this.name = name;
    const { code, program } = globalThis.MACHINES[name];
    this.program = program;
    this.waiting = new Map();
    this.next = 0;
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.onmessage = ({ data }) => this.answered(data);
  }

  end() {
    this.worker.terminate();
  }

  start(argument) {
    return this.call("start", { ...argument, program: this.program });
  }

  call(call, argument) {
    const id = this.next++;
    this.worker.postMessage({ id, call, argument });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  answered({ id, answer, error, event }) {
    if (event) return this.onevent?.(event);
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(answer);
  }
}

// The machine of a script that is loaded when it is first asked for.
async function machineOf(name) {
  if (!globalThis.MACHINES?.[name]) await load(`machine-${name}.js`);
  return new Machine(name);
}

function load(src) {
  return new Promise((onload, reject) => {
    const onerror = () => reject(new Error(`${src} is missing beside this page`));
    document.head.append(element("script", { src, onload, onerror }));
  });
}
