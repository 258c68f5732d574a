// In the worker of the MMU alone: what each message asks for.
"use strict";

let machine;

const CALLS = {
  async start({ program, registers }) {
    machine = await granule({ wasmBinary: await bytesOf(program), print() {} });
    return this.reset({ registers });
  },

  // One MMU for each set of registers; all of them forget everything.
  reset({ registers }) {
    machine._forget_machines();
    for (const r of registers) machine._create(...inOrder(r));
    return { names: JSON.parse(machine.UTF8ToString(machine._signal_names())) };
  },

  // Commands for one of the MMUs; the frames of all cycles that they take.
  run({ number, commands }) {
    for (const command of commands) perform(number, command);
    const count = machine._frame_count(number);
    const size = machine._frame_size(number);
    const at = machine._frame_words(number) / 8;
    const words = machine.HEAPU64.slice(at, at + count * size);
    machine._drop_frames(number);
    return { words, count, size };
  },
};

function inOrder({ tcr, ttbr0, ttbr1, mair, sctlr }) {
  return [tcr, ttbr0, ttbr1, mair, sctlr];
}

function perform(number, { write, registers, access, invalidate, pass }) {
  if (write) machine._write_descriptor(number, write.address, write.value);
  if (registers) machine._set_registers(number, ...inOrder(registers));
  if (pass) machine._pass(number, pass);
  let answered = true;
  if (access) answered = machine._translate(number, access.va, access.kind, access.el1);
  if (invalidate) {
    const { kind, lastLevelOnly, operand } = invalidate;
    answered = machine._invalidate(number, kind, lastLevelOnly, operand);
  }
  if (!answered) throw new Error("the hardware did not answer in 1000 cycles");
}
