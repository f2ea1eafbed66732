// What is shown of an item: sections, findings, decisions of others, answers side by side.
import { make, marked, reference, hue } from "/make.js";

export function rowContent(item, takeOther) {
  const decided = item.decision && item.decision.changes.length ? [changesSheet(item.decision.changes)] : [];
  return [
    heading(item.id, item.place),
    chips(item.facts),
    item.others.length ? others(item.others, takeOther) : null,
    findings(item.findings),
    ...decided,
    ...item.sections.map(section),
    sheet("as stored", make("pre", { text: item.row }), false),
  ].filter(Boolean);
}

export function pairContent(item) {
  const side = (name, turns) => make("section", { class: "sheet", "data-side": name },
    make("h3", { text: name }), make("div", { class: "body" }, ...turns.map(turn)));
  return [
    heading(item.id, "the same prompt, two answers; whose they are is hidden"),
    ...item.prompt.map(each => sheet(`prompt, ${each.role}`, marked("div", { class: "text" }, each.text), each.open)),
    make("div", { class: "two" }, side("left", item.left), side("right", item.right)),
  ];
}

function heading(id, place) {
  return make("div", { class: "title" }, make("h2", { text: id }), make("span", { class: "place", text: place }));
}

function chips(facts) {
  const all = Object.entries(facts).map(([name, value]) =>
    make("span", { class: "chip" }, `${name} `, make("b", { text: value })));
  return all.length ? make("div", { class: "chips" }, ...all) : null;
}

function findings(list) {
  const lines = list.map(finding => make("div", { class: `finding ${finding.severity}` },
    make("span", { text: finding.what }), make("small", { text: `${finding.severity}: ${finding.where}` })));
  if (!lines.length) lines.push(make("div", { class: "finding clean", text: "The audit finds nothing to remark." }));
  return make("section", { class: "findings", "aria-label": "The pipeline's own checks" }, ...lines);
}

function others(list, takeOther) {
  const cards = list.map(other => make("div", { class: "sheet other" },
    make("div", { class: "body" },
      make("div", { class: "head" },
        make("b", { text: other.name }),
        make("span", { class: `verdict ${other.verdict}`, text: other.verdict }),
        make("span", { class: "about", text: other.note }),
        make("button", { onclick: () => takeOther(other), text: "Take this" })),
      ...Object.entries(other.flaws).map(([name, reasons]) => make("div", { class: "about", text: `${name}: ${reasons.join(", ")}` })),
      ...other.changes.map(change))));
  return make("section", { class: "others", "aria-label": "What the annotators decided" }, ...cards);
}

function changesSheet(changes) {
  return sheet("your edit", make("div", {}, ...changes.map(change)), true);
}

function change(each) {
  return make("div", { class: "change" },
    make("span", { class: "path", text: each.path }),
    make("pre", { class: "before", text: each.before }), make("pre", { class: "after", text: each.after }));
}

function sheet(title, content, open) {
  return make("details", { class: "sheet", open },
    make("summary", { text: title.replaceAll("_", " ") }), make("div", { class: "body" }, content));
}

const BODIES = {
  text: part => marked("div", { class: "text" }, part.text),
  json: part => marked("pre", {}, part.text),
  calls: part => make("div", {}, ...part.calls.map(call)),
  tools: part => make("div", {}, ...part.tools.map(tool)),
  turns: part => make("div", {}, ...part.turns.flat().map(turn)),
};

function section(part) {
  return sheet(part.title, BODIES[part.kind](part), part.open);
}

function call(each, index) {
  return make("div", { class: "call", id: `call-${index}` },
    make("div", { class: "head" },
      make("span", { class: "number", text: `call ${index + 1}` }), make("code", { text: each.name })),
    ...each.arguments.map(argument),
    each.returns.length ? make("div", { class: "returns" }, ...each.returns.map(returned)) : null);
}

function argument(each) {
  const value = each.quoted && !each.sources.length ? JSON.stringify(each.value) : each.value;
  return make("div", { class: "argument" },
    make("div", {},
      make("div", {}, make("code", { class: "name", text: `${each.name} = ` }), marked("code", {}, value)),
      make("div", { class: "about", text: each.documented })),
    make("div", { class: "sources" }, ...each.sources.map(source)));
}

function source(each) {
  if (each.missing) return make("div", { class: "source missing", text: `${each.label}: ${each.text}` });
  const node = make("div", {
    class: `source ${hue(each.label)}`, "data-label": each.label,
    onclick: () => document.getElementById(`call-${each.call}`).scrollIntoView({ block: "center" }),
  });
  const from = each.name ? [make("code", { text: each.name }), " of "] : [];
  node.append("← ", ...from, make("code", { text: each.tool }), ` (call ${each.call + 1})`,
    make("div", { class: "about", text: each.text }));
  return node;
}

function returned(each) {
  return make("div", { class: "return" },
    reference(each.label, each.used ? "" : "unused"),
    make("code", { text: each.name }), make("span", { class: "about", text: each.text }));
}

function tool(each) {
  return make("div", { class: "tool" },
    make("code", { text: each.name }), make("p", { text: each.description }),
    ...each.parameters.map(field),
    ...each.returns.map(value => field({ ...value, returns: true })));
}

function field(each) {
  return make("div", { class: "field" },
    make("code", { text: `${each.returns ? "→ " : ""}${each.name}` }), make("span", { text: each.type }),
    make("span", { text: each.description }),
    each.required ? make("span", { class: "must", text: "required" }) : null);
}

function turn(each) {
  const kind = each.role === "tool" ? "tool-role" : each.role;
  const known = ["user", "assistant", "tool-role", "system"].includes(kind) ? kind : "";
  return make("div", { class: `turn ${known}` },
    make("div", { class: "role", text: each.role }), marked("pre", {}, each.text));
}

// A label lights up with all others of the same name.
export function lightUp(root) {
  const light = on => event => {
    const label = event.target.closest?.("[data-label]")?.dataset.label;
    for (const node of root.querySelectorAll("[data-label]")) node.classList.toggle("lit", on && node.dataset.label === label);
  };
  root.addEventListener("mouseover", light(true));
  root.addEventListener("mouseout", light(false));
}

const percent = value => value === null ? "–" : `${(100 * value).toFixed(1)} %`;
const number = value => value === null ? "–" : value.toFixed(3);

export function figuresContent(overview) {
  const figures = overview.figures;
  if (!figures) return [make("p", { text: "Preferences are counted when all have judged; see --summary on the command line." })];
  const people = table(["", "accept", "reject", "edit"], Object.entries(figures.annotators)
    .map(([name, counts]) => [name, counts.accept, counts.reject, counts.edit]));
  const share = figures.accuracy;
  const rows = [[`right as they stand (${share.hits} of ${share.total})`,
    share.value === null ? "–" : `${percent(share.value)} [${percent(share.low)}, ${percent(share.high)}]`]];
  if (figures.agreement) {
    const { raw, cohen_kappa: cohen, fleiss_kappa: fleiss, items, decisions_left_out: beside } = figures.agreement;
    rows.push([`raw agreement on ${items} rows`, percent(raw)]);
    if (beside) rows.push(["decisions on rows that not everybody decided", String(beside)]);
    for (const [pair, value] of Object.entries(cohen)) rows.push([`Cohen's κ ${pair}`, number(value)]);
    if (fleiss !== null) rows.push(["Fleiss' κ", number(fleiss)]);
    for (const [status, count] of Object.entries(figures.counts)) rows.push([status, count]);
  }
  const perspectives = Object.entries(figures.perspectives ?? {}).map(([name, found]) => [
    name, `${percent(found.right.value)} of ${found.right.total}`, percent(found.agreement.raw),
    Object.values(found.agreement.cohen_kappa).map(number).join(", ") || "–",
    Object.entries(found.reasons).filter(([, count]) => count).map(([reason, count]) => `${reason} ${count}`).join(", ") || "–",
  ]);
  const asked = perspectives.length ? [table(["perspective", "right", "raw agreement", "Cohen's κ", "reasons"], perspectives)] : [];
  const general = overview.general.map(text => make("div", { class: "finding", text }));
  return [people, table(["", ""], rows), ...asked, ...general];
}

function table(head, rows) {
  const row = (tag, cells) => make("tr", {}, ...cells.map(text => make(tag, { text: String(text) })));
  return make("table", {}, row("th", head), ...rows.map(cells => row("td", cells)));
}
