// The list of items: only the lines in sight exist, so that ten thousand stay smooth.
import { make, byId } from "/make.js";

const HEIGHT = 36;
const FILTERS = {
  all: ["All", () => true],
  open: ["Undecided", line => !line.state || line.state === "partly"],
  accept: ["Accepted", line => line.state === "accept"],
  reject: ["Rejected", line => line.state === "reject"],
  edit: ["Edited", line => line.state === "edit"],
  judged: ["Judged", line => line.state === "judged"],
  found: ["With findings", line => line.defects + line.notes > 0],
  defects: ["With defects", line => line.defects > 0],
};

export class List {
  constructor(mode, items, open) {
    Object.assign(this, { items, open, current: "", shown: items });
    this.box = byId("list");
    this.window = byId("window");
    const names = mode === "pairs" ? ["all", "open", "judged"] : ["all", "open", "accept", "reject", "edit", "found", "defects"];
    byId("filter").append(...names.map(name => make("option", { value: name, text: FILTERS[name][0] })));
    byId("filter").addEventListener("change", () => this.refresh());
    byId("search").addEventListener("input", () => this.refresh());
    this.box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.refresh();
  }

  refresh() {
    const keep = FILTERS[byId("filter").value][1];
    const wanted = byId("search").value.trim().toLowerCase();
    this.shown = this.items.filter(line => keep(line) && `${line.id} ${line.hint}`.toLowerCase().includes(wanted));
    this.draw();
  }

  draw() {
    this.window.style.height = `${this.shown.length * HEIGHT}px`;
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - 4);
    const last = Math.min(this.shown.length, first + Math.ceil(this.box.clientHeight / HEIGHT) + 9);
    const lines = this.shown.slice(first, last).map((line, offset) => this.line(line, first + offset));
    if (!this.shown.length) lines.push(make("p", { class: "none", text: "Nothing here. Choose another filter." }));
    this.window.replaceChildren(...lines);
  }

  line(line, index) {
    const count = line.defects + line.notes;
    const node = make("div", {
      class: "line", role: "option", "data-id": line.id, "aria-selected": line.id === this.current ? "true" : "false",
      title: line.state || "undecided", onclick: () => this.open(line.id),
    },
    make("span", { class: `state ${line.state}` }), make("span", { class: "name" }, `${line.id} `, make("span", { class: "hint", text: line.hint })),
    count ? make("span", { class: line.defects ? "flag defect" : "flag", text: String(count), title: "findings" }) : null);
    node.style.top = `${index * HEIGHT}px`;
    return node;
  }

  select(id) {
    this.current = id;
    const index = this.shown.findIndex(line => line.id === id);
    const top = index * HEIGHT;
    if (index >= 0 && (top < this.box.scrollTop || top + HEIGHT > this.box.scrollTop + this.box.clientHeight)) {
      this.box.scrollTop = top - this.box.clientHeight / 3;
    }
    this.draw();
  }

  update(line) {
    const index = this.items.findIndex(each => each.id === line.id);
    if (index >= 0) this.items[index] = line;
    // The filter is not applied again here: a row must not vanish under the hand that decides it.
    this.shown = this.shown.map(each => each.id === line.id ? line : each);
    this.draw();
  }

  neighbour(step) {
    const index = this.shown.findIndex(line => line.id === this.current);
    const next = this.shown[index < 0 ? 0 : Math.min(this.shown.length - 1, Math.max(0, index + step))];
    return next && next.id !== this.current ? next.id : null;
  }

  nextOpen() {
    const index = this.shown.findIndex(line => line.id === this.current);
    const order = [...this.shown.slice(index + 1), ...this.shown.slice(0, Math.max(0, index))];
    return order.find(FILTERS.open[1])?.id ?? null;
  }

  progress() {
    return { done: this.items.filter(line => !FILTERS.open[1](line)).length, total: this.items.length };
  }
}
