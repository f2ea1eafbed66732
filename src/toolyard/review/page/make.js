// Elements from plain data. Text enters by textContent only: data are untrusted.

// Marks of direction, zero widths, control characters: what nobody sees is written out, as text/printable.py does.
const UNSEEN = new RegExp([
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f",
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}",
  "\\u{e0000}-\\u{e0fff}]|(?<![^\\u0000-\\u007f\\u200c\\u200d])[\\u200c\\u200d]",
  "|(?<![^\\u0000-\\u007f\\u200c\\u200d\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f](?!\\u20e3)|(?<=\\p{M}{4})\\p{M}",
].join(""), "gu");

export function visible(text) {
  return String(text).replace(/\r\n/g, "\n").replace(UNSEEN, (sign) => {
    const code = sign.codePointAt(0);
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  });
}

export function make(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = visible(value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(child => child !== null).map(child => (child instanceof Node ? child : visible(child))));
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
    node.append(visible(text.slice(last, match.index)), reference(match[0]));
    last = match.index + match[0].length;
  }
  node.append(visible(text.slice(last)));
  return node;
}

export const byId = id => document.getElementById(id);
