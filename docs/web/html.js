// Elements of the page.
"use strict";

const byId = (id) => document.getElementById(id);

// element("td", {class: "va"}, "text", other elements)
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// rows: [{class, cells: [text or element]}]
function table(heads, rows) {
  const line = (kind, cells) => cells.map((cell) => element(kind, {}, cell));
  return element("div", { class: "scroll" },
    element("table", {},
      element("thead", {}, element("tr", {}, ...line("th", heads))),
      element("tbody", {},
        ...rows.map((row) => element("tr", { class: row.class ?? null }, ...line("td", row.cells))),
      )));
}

const code = (text) => element("code", {}, text);
const note = (text) => element("p", { class: "note" }, text);

// By the id of what is filled. A pane of what the machine does not have is not there.
function fillPanes(panes) {
  for (const [id, children] of Object.entries(panes)) {
    byId(id).closest("section").hidden = !children;
    byId(id).replaceChildren(...(children || []));
  }
}
