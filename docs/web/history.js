// What happened at one granule: every cycle, and which step of the person each belongs to.
"use strict";

class History {
  constructor(granule, signals, reading) {
    Object.assign(this, { granule, signals, reading });
    this.frames = [];
    this.steps = []; // {step, start, end}: cycles from start up to, not with, end
    this.told = [];
    this.stops = []; // cycles with a sentence that the one before did not have
    this.tallies = [];
  }

  add(step, { words, count, size }) {
    const start = this.frames.length;
    for (let i = 0; i < count; i++) {
      const frame = new Frame(this.signals, words.subarray(i * size, (i + 1) * size), this.reading);
      this.frames.push(frame);
    }
    this.steps.push({ step, start, end: this.frames.length });
    for (let i = start; i < this.frames.length; i++) this.tell(i);
  }

  tell(i) {
    this.told.push(narrate(this.frames, i));
    if (i === 0 || this.told[i] !== this.told[i - 1] || this.stepAt(i) !== this.stepAt(i - 1)) {
      this.stops.push(i);
    }
    const before = this.tallies[i - 1] ?? {};
    const tally = {};
    for (const name of this.signals.events) {
      tally[name] = (before[name] ?? 0) + this.frames[i].number(name);
    }
    this.tallies.push(tally);
  }

  stepAt(cursor) {
    return this.steps.findLast(({ start }) => start <= cursor);
  }

  next(cursor) {
    return this.stops.find((stop) => stop > cursor) ?? this.last();
  }

  back(cursor) {
    return this.stops.findLast((stop) => stop < cursor) ?? 0;
  }

  // The next cycle after `cursor` with the event; null: none is left.
  find(event, cursor) {
    const found = this.frames.findIndex((frame, i) => i > cursor && EVENTS[event](frame));
    return found < 0 ? null : found;
  }

  last() {
    return Math.max(0, this.frames.length - 1);
  }

  // Every invalidation that was accepted up to `cursor`: {title, removed}, as far as it is then.
  invalidations(cursor) {
    const found = [];
    for (const frame of this.frames.slice(0, cursor + 1)) {
      if (EVENTS.invalidation(frame)) found.push({ title: tlbiTitle(frame), removed: [] });
      else found.at(-1)?.removed.push(...removedIn(frame));
    }
    return found;
  }
}
