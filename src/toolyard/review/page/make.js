// Elements from plain data. Text enters by textContent only: data are untrusted.

export function make(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(child => child !== null));
  return node;
}

const LABEL = /API_call_([0-9]{1,9})/g;

export function hue(label) {
  const found = /([0-9]{1,9})$/.exec(label);
  return found ? `hue-${Number(found[1]) % 6}` : "";
}

export function reference(label, extra = "") {
  return make("span", { class: `ref ${hue(label)} ${extra}`, "data-label": label, text: label });
}

// The text with every API_call_k as a mark of its own colour.
export function marked(tag, options, text) {
  const node = make(tag, options);
  let last = 0;
  for (const match of text.matchAll(LABEL)) {
    node.append(text.slice(last, match.index), reference(match[0]));
    last = match.index + match[0].length;
  }
  node.append(text.slice(last));
  return node;
}

export const byId = id => document.getElementById(id);
