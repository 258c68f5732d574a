// What a handler does, one after the other; what it throws is shown. `done` counts them.
"use strict";

let last = Promise.resolve();

function complain(text) {
  byId("error").textContent = text;
}

function doing(action) {
  return (event) => {
    event?.preventDefault?.();
    last = last.then(async () => {
      complain("");
      try {
        await action(event);
      } catch (error) {
        complain(error.message);
      }
      document.body.dataset.done = String(Number(document.body.dataset.done ?? 0) + 1);
    });
    return last;
  };
}
