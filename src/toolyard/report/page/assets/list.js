// A list of any length: only the rows in sight are elements.

const ROW_HEIGHT = 60;
const ROWS_AROUND = 6;

// Marks of direction, zero widths, control characters: what nobody sees is written out, as text/printable.py does.
const UNSEEN = new RegExp([
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f",
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}",
  "\\u{e0000}-\\u{e0fff}]|(?<![^\\u0000-\\u007f\\u200c\\u200d])[\\u200c\\u200d]",
  "|(?<![^\\u0000-\\u007f\\u200c\\u200d\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f](?!\\u20e3)|(?<=\\p{M}{4})\\p{M}",
].join(""), "gu");

function visible(text) {
  return String(text).replace(/\r\n/g, "\n").replace(UNSEEN, (sign) => {
    const code = sign.codePointAt(0);
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  });
}

// More than this is not laid out within a second or two.
const LONGEST = 100000;

function bounded(text) {
  const left = text.length - LONGEST;
  return left > 0 ? `${text.slice(0, LONGEST)}\n… ${left} more characters: transcripts.jsonl of this run has them` : text;
}

// Text goes in as text, always: nothing that a model wrote is ever parsed as markup.
function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "class") made.className = value;
    else made.setAttribute(name, value);
  }
  const shown = children.filter((child) => child !== null && child !== undefined);
  made.append(...shown.map((child) => (child instanceof Node ? child : visible(bounded(String(child))))));
  return made;
}

function scoreMark(score) {
  if (score === null || score === undefined) return element("span", { class: "score none" }, "–");
  const kind = score >= 1 ? "full" : score < 0.5 ? "low" : "";
  return element("span", { class: `score ${kind}` }, (100 * score).toFixed(1).replace(/\.0$/, ""));
}

function nameOf(index, sample) {
  return index.trials > 1 ? `${index.ids[sample]} · trial ${index.trial[sample] + 1}` : index.ids[sample];
}

class SampleList {
  constructor(box, index, open) {
    this.box = box;
    this.index = index;
    this.shown = [];
    this.place = -1;
    // Whether a person chose the marked row: then it stays in sight when the list changes.
    this.chosen = false;
    this.open = open;
    this.inside = element("div", {});
    this.inside.style.position = "relative";
    box.append(this.inside);
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    // By its height: a row that is drawn again between press and release is no longer the one that was pressed.
    box.addEventListener("click", (event) => {
      const { top } = this.inside.getBoundingClientRect();
      this.select(Math.floor((event.clientY - top) / ROW_HEIGHT));
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  show(samples) {
    const before = this.shown[this.place];
    this.shown = samples;
    this.place = samples.indexOf(before);
    this.inside.style.height = `${samples.length * ROW_HEIGHT}px`;
    this.box.scrollTop = this.chosen && this.place > 0 ? this.place * ROW_HEIGHT : 0;
    this.draw();
  }

  select(place) {
    if (place < 0 || place >= this.shown.length) return;
    this.chosen = true;
    this.reach(place);
    this.open(this.shown[place]);
  }

  // Marks a row and brings it into sight within the list.
  reach(place) {
    this.place = place;
    const top = place * ROW_HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    const below = top + ROW_HEIGHT - this.box.clientHeight;
    if (below > this.box.scrollTop) this.box.scrollTop = below;
    this.draw();
  }

  move(step) {
    this.select(this.place < 0 ? 0 : this.place + step);
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const many = Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 2 * ROWS_AROUND;
    const rows = this.shown.slice(first, first + many).map((sample, offset) => this.row(sample, first + offset));
    if (!this.shown.length) rows.push(element("p", { class: "nothing" }, "No sample fits these filters."));
    this.inside.replaceChildren(...rows);
    if (this.place >= 0) this.box.setAttribute("aria-activedescendant", `row-${this.place}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(sample, place) {
    const made = element(
      "div",
      {
        class: "row", role: "option", id: `row-${place}`, "data-place": place,
        "aria-selected": place === this.place, "aria-setsize": this.shown.length, "aria-posinset": place + 1,
      },
      element("b", {}, nameOf(this.index, sample)),
      scoreMark(this.index.scores[sample]),
      element("i", {}, this.index.titles[sample] || this.index.answers[sample]),
    );
    made.style.top = `${place * ROW_HEIGHT}px`;
    return made;
  }
}
