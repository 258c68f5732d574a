// A run that was written down (granule-sim --trace-mmu): asked for its cycles as a machine is.
"use strict";

const KEY = 1024; // cycles between two copies of all words

class Trace {
  constructor(text) {
    const lines = text.split("\n");
    const head = JSON.parse(lines[0]);
    Object.assign(this, { machine: head.machine, names: head.names, reading: head.reading });
    this.places = new Map();
    for (const [name, words] of head.names) {
      for (let i = 0; i < words; i++) {
        this.places.set(words === 1 ? name : `${name}[${i}]`, this.places.size);
      }
    }
    this.changes = []; // of each cycle from the first on: [place, value, place, value ...]
    this.copies = []; // of all words, before every KEY-th cycle
    const words = new BigUint64Array(this.places.size);
    for (const line of lines.slice(1)) {
      if (line) this.read(JSON.parse(line), words);
    }
  }

  read({ cycle, set }, words) {
    this.first ??= cycle;
    while (this.changes.length <= cycle - this.first) {
      if (this.changes.length % KEY === 0) this.copies.push(words.slice());
      this.changes.push([]);
    }
    const changes = this.changes.at(-1);
    for (const [name, value] of Object.entries(set)) {
      changes.push(this.places.get(name), BigInt("0x" + value));
    }
    apply(changes, words);
  }

  get last() {
    return this.first + this.changes.length - 1;
  }

  async call(call, argument) {
    return this[call](argument);
  }

  window({ from, count }) {
    const first = Math.max(this.first, Math.min(from, this.last));
    const frames = Math.min(count, this.last + 1 - first);
    const size = this.places.size;
    const words = new BigUint64Array(frames * size);
    let i = 0;
    for (const now of this.from(first, frames)) words.set(now, size * i++);
    return { words, count: frames, size, first };
  }

  // All words in each of `count` cycles; the array is the same one every time.
  *from(cycle, count) {
    const at = cycle - this.first;
    const copy = Math.floor(at / KEY);
    const words = this.copies[copy].slice();
    for (let i = copy * KEY; i < at + count; i++) {
      apply(this.changes[i], words);
      if (i >= at) yield words;
    }
  }

  // The next cycle after `cycle` in which the event happens; null: none is left.
  find(event, cycle, signals) {
    let at = cycle + 1;
    for (const words of this.from(at, Math.max(0, this.last - cycle))) {
      if (event(new Frame(signals, words, this.reading))) return at;
      at++;
    }
    return null;
  }
}

function apply(changes, words) {
  for (let i = 0; i < changes.length; i += 2) words[changes[i]] = changes[i + 1];
}
