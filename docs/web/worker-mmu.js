// In the worker of the MMU alone: what each message asks for.
"use strict";

let machine;
let mmus = []; // their addresses in its memory

const CALLS = {
  async start({ program, registers }) {
    machine = await granule({ wasmBinary: await bytesOf(program), print() {} });
    return this.reset({ registers });
  },

  // One MMU for each set of registers; all of them forget everything.
  reset({ registers }) {
    for (const mmu of mmus) machine._forget(mmu);
    mmus = registers.map((r) => machine._create(...inOrder(r)));
    return { names: JSON.parse(machine.UTF8ToString(machine._signal_names(mmus[0]))) };
  },

  // Commands for one of the MMUs; the frames of all cycles that they take.
  run({ number, commands }) {
    const mmu = mmus[number];
    for (const command of commands) perform(mmu, command);
    const count = machine._frame_count(mmu);
    const size = machine._frame_size(mmu);
    const at = machine._frame_words(mmu) / 8;
    const words = machine.HEAPU64.slice(at, at + count * size);
    machine._drop_frames(mmu);
    return { words, count, size };
  },
};

function inOrder({ tcr, ttbr0, ttbr1, mair, sctlr }) {
  return [tcr, ttbr0, ttbr1, mair, sctlr];
}

function perform(mmu, { write, registers, access, invalidate, pass }) {
  if (write) machine._write_descriptor(mmu, write.address, write.value);
  if (registers) machine._set_registers(mmu, ...inOrder(registers));
  if (pass) machine._pass(mmu, pass);
  let answered = true;
  if (access) answered = machine._translate(mmu, access.va, access.kind, access.el1);
  if (invalidate) {
    const { kind, lastLevelOnly, operand } = invalidate;
    answered = machine._invalidate(mmu, kind, lastLevelOnly, operand);
  }
  if (!answered) throw new Error("the hardware did not answer in 1000 cycles");
}
