// The keyboard: what each key does, unless somebody types into a field.
"use strict";

function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input:not([type=radio]):not([type=range]), select, textarea")) return;
    const name = event.shiftKey ? `Shift+${event.key}` : event.key;
    const action = actions[name];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
