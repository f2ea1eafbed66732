// The page comes alive: filters, keyboard, and the open sample.

const byId = (id) => document.getElementById(id);

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
}

function counted(of, keys) {
  const counts = new Array(keys.length).fill(0);
  for (const place of of) if (place >= 0) counts[place] += 1;
  return keys.map((key, place) => [String(place), `${key || "(none)"} (${counts[place]})`]);
}

function fillFilters(index) {
  fill(byId("filter-score"), SCORES.filter(([name]) => index.official || name !== "differs"));
  fill(byId("order"), ORDERS);
  const labels = counted(index.errors.flat(), index.labels.map((label) => label.map(words).join(": ")));
  fill(byId("filter-error"), [["", "any"], ...labels]);
  byId("error-label").hidden = !index.labels.length;
  for (const [name, column] of Object.entries(index.groups)) {
    if (column.keys.length < 2) continue;
    const select = element("select", { "data-group": name });
    fill(select, [["", "any"], ...counted(column.of, column.keys)]);
    byId("group-filters").append(element("label", {}, `${words(name)} `, select));
  }
}

class Browser {
  constructor(index) {
    this.index = index;
    this.texts = null;
    this.only = null;
    this.opened = -1;
    this.list = new SampleList(byId("list"), index, (sample) => this.open(sample));
    fillFilters(index);
    for (const id of ["filters", "browser", "keys"]) byId(id).hidden = false;
    this.listen();
    this.filter();
  }

  listen() {
    const form = byId("filters");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => this.filter());
    form.addEventListener("reset", () => setTimeout(() => { this.only = null; this.filter(); }));
    byId("search").addEventListener("input", () => { this.only = null; this.filter(); });
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.searchEverything();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    byId("detail").addEventListener("click", (event) => {
      if (event.target.id === "previous") this.list.move(-1);
      if (event.target.id === "next") this.list.move(1);
      if (event.target.id === "close") this.close();
    });
  }

  wish() {
    const groups = {};
    for (const select of byId("group-filters").querySelectorAll("select")) groups[select.dataset.group] = select.value;
    return {
      text: byId("search").value.trim().toLowerCase(), score: byId("filter-score").value,
      error: byId("filter-error").value, order: byId("order").value, groups, only: this.only,
    };
  }

  filter() {
    const wish = this.wish();
    if (wish.text && !this.texts) this.texts = haystacks(this.index);
    const found = matching(this.index, this.texts, wish);
    this.list.show(found);
    const all = this.index.ids.length;
    byId("count").textContent = found.length === all ? `${all} samples` : `${found.length} of ${all} samples`;
  }

  // Full texts, a few at a time, so that the page answers while it searches.
  async searchEverything() {
    const text = byId("search").value.trim().toLowerCase();
    const all = this.index.ids.length;
    const found = new Set();
    for (let sample = 0; text && sample < all; sample += 1) {
      if (sample % 200 === 0) {
        byId("count").textContent = `searching, ${sample} of ${all}`;
        await new Promise((resume) => setTimeout(resume));
      }
      if (byId("search").value.trim().toLowerCase() !== text) return;
      if ((await fullText(this.index, sample)).includes(text)) found.add(sample);
    }
    this.only = text ? found : null;
    this.filter();
  }

  // The worst sample stands open from the start, below the list where there is no room beside it.
  openWorst() {
    const [worst] = matching(this.index, null, { groups: {}, text: "", score: "", error: "", order: "worst", only: null });
    if (worst === undefined) return;
    this.list.reach(this.list.shown.indexOf(worst));
    this.open(worst, false);
  }

  async open(sample, over = true) {
    this.opened = sample;
    const detail = await detailOf(this.index, sample);
    if (this.opened !== sample) return;
    const box = byId("detail");
    box.replaceChildren(...detailParts(this.index, sample, detail));
    box.classList.toggle("open", over);
    box.dataset.sample = this.index.ids[sample];
    box.scrollTop = 0;
  }

  close() {
    this.opened = -1;
    byId("detail").classList.remove("open");
    byId("detail").replaceChildren();
    this.list.place = -1;
    this.list.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (event.target.matches("input, select")) event.target.blur();
      else this.close();
      return;
    }
    if (event.target.matches("input, select, textarea")) return;
    const inList = event.target === byId("list");
    if (event.key === "j" || (inList && event.key === "ArrowDown")) this.list.move(1);
    else if (event.key === "k" || (inList && event.key === "ArrowUp")) this.list.move(-1);
    else if (event.key === "/") byId("search").focus();
    else return;
    event.preventDefault();
    if (event.key !== "/" && this.list.place === 0) byId("samples").scrollIntoView({ block: "nearest" });
  }
}

startTheme(byId("theme"));
addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll("#figures details")) box.open = true;
});
part("index").then((index) => {
  new Browser(index).openWorst();
  document.body.dataset.ready = "yes";
}, (error) => {
  byId("samples").append(element("p", { class: "note" }, `The samples in this file could not be read: ${error}`));
});
