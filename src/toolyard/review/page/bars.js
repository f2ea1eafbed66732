// The bar of decisions below an item: accept, reject, edit with a note; or one line per dimension.
import { make, byId } from "/make.js";

// One line per perspective with its reasons; what is marked says that the row is wrong in it, and why.
function perspectiveLines(perspectives, changed) {
  const marked = new Map(perspectives.map(({ name }) => [name, new Set()]));
  const chips = perspectives.flatMap(({ name, reasons }) => reasons.map(reason => ({ name, reason, node: make("button", {
    class: "reason", text: reason, "aria-pressed": "false", "data-perspective": name,
    onclick: () => { toggle(name, reason); changed(); },
  }) })));
  const lines = perspectives.map(({ name }) => make("div", { class: "perspective", role: "group", "aria-label": name },
    make("span", { class: "label", text: name }), make("div", { class: "reasons" }, ...chips.filter(chip => chip.name === name).map(chip => chip.node))));
  const draw = () => chips.forEach(({ name, reason, node }) => node.setAttribute("aria-pressed", String(marked.get(name).has(reason))));
  const toggle = (name, reason) => {
    const held = marked.get(name);
    if (!held.delete(reason)) held.add(reason);
    draw();
  };
  return {
    lines,
    show(flaws) {
      for (const [name, held] of marked) {
        held.clear();
        for (const reason of flaws[name] ?? []) held.add(reason);
      }
      draw();
    },
    flaws: () => Object.fromEntries([...marked].filter(([, held]) => held.size).map(([name, held]) => [name, [...held]])),
  };
}

export function rowBar({ accept, reject, edit, saveNote, perspectives }) {
  const button = (name, key, action) => make("button", { class: `choice ${name}`, id: name, onclick: action, "aria-pressed": "false" },
    make("span", { text: name[0].toUpperCase() + name.slice(1) }), make("kbd", { text: key }));
  const note = make("input", { id: "note", placeholder: "Note", "aria-label": "Note", maxlength: 4000, autocomplete: "off" });
  const drafts = new Map();
  let shown = "";
  note.addEventListener("input", () => drafts.set(shown, note.value));
  note.addEventListener("change", saveNote);
  const asked = perspectiveLines(perspectives, () => { flawDrafts.set(shown, asked.flaws()); saveNote(); });
  const flawDrafts = new Map();
  note.addEventListener("keydown", event => { if (event.key === "Enter") note.blur(); });
  const buttons = { accept: button("accept", "a", accept), reject: button("reject", "r", reject), edit: button("edit", "e", edit) };
  byId("decide").append(...asked.lines, note, ...Object.values(buttons));
  byId("decide").classList.toggle("perspectives", asked.lines.length > 0);
  return {
    flaws: asked.flaws,
    show(item) {
      if (item.decision) { drafts.delete(item.id); flawDrafts.delete(item.id); }
      asked.show(item.decision?.flaws ?? flawDrafts.get(item.id) ?? {});
      shown = item.id;
      note.value = item.decision?.note ?? drafts.get(item.id) ?? "";
      for (const [name, node] of Object.entries(buttons)) node.setAttribute("aria-pressed", String(item.decision?.verdict === name));
    },
  };
}

const WORDS = { left: "Left is better", tie: "Tie", right: "Right is better" };

export function pairBar(dimensions, vote, choose) {
  byId("decide").classList.add("pairs");
  const lines = dimensions.map((name, index) => {
    const buttons = Object.keys(WORDS).map(side => make("button", {
      "data-side": side, text: WORDS[side], "aria-pressed": "false",
      onclick: () => { choose(index); vote(side, name); },
    }));
    return make("div", { class: "dimension", "data-dimension": name, onclick: event => { if (event.target.tagName !== "BUTTON") choose(index); } },
      make("span", { class: "label", text: name.replaceAll("_", " ") }), make("div", { class: "sides" }, ...buttons));
  });
  byId("decide").append(...lines);
  return {
    show(item, active) {
      lines.forEach((line, index) => {
        line.classList.toggle("active", index === active);
        for (const node of line.querySelectorAll("button")) {
          node.setAttribute("aria-pressed", String(item.votes[dimensions[index]] === node.dataset.side));
        }
      });
    },
  };
}
