// The index of runs: rows in the order of a column, and the ticked runs as an address.

function sortKey(row, place) {
  const cell = row.cells[place];
  return cell.dataset.key === undefined ? cell.textContent.trim().toLowerCase() : cell.dataset.key;
}

function compareKeys(first, second) {
  const [a, b] = [Number(first), Number(second)];
  const numbers = first !== "" && second !== "" && !Number.isNaN(a) && !Number.isNaN(b);
  return numbers ? a - b : first.localeCompare(second);
}

// Rows without a value come last, whichever way the others go.
function sortRows(table, place, direction) {
  const rows = [...table.tBodies[0].rows].map((row) => [sortKey(row, place), row]);
  rows.sort(([a], [b]) => (a === "") - (b === "") || direction * compareKeys(a, b));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

function startSorting(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (head.dataset.sort === undefined) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = head.dataset.sort === "down" ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const now = before === first ? other : first;
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", now);
      sortRows(table, place, now === "ascending" ? 1 : -1);
    });
  });
}

function startChoice(link, boxes) {
  const show = () => {
    const names = boxes.filter((box) => box.checked).map((box) => box.value);
    const enough = names.length > 1;
    link.textContent = enough ? `Compare ${names.length} runs` : "Tick two runs or more to compare them";
    if (enough) link.href = `/compare?${names.map((name) => `run=${encodeURIComponent(name)}`).join("&")}`;
    else link.removeAttribute("href");
  };
  for (const box of boxes) box.addEventListener("change", show);
  show();
}

// Rows that hold every word stay, and benchmarks with such a row.
function startFilter(input, sections, nothing) {
  const show = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const section of sections) {
      const title = section.querySelector("h3").textContent;
      let shown = 0;
      for (const row of section.querySelectorAll("tbody tr")) {
        const text = `${title} ${[...row.cells].map((cell) => cell.textContent).join(" ")}`.toLowerCase();
        row.hidden = !wanted.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      section.hidden = !shown;
    }
    nothing.hidden = sections.some((section) => !section.hidden);
  };
  input.addEventListener("input", show);
}

for (const table of document.querySelectorAll("table")) startSorting(table);
for (const part of document.querySelectorAll(".choice")) part.hidden = false;
startChoice(document.getElementById("compare"), [...document.querySelectorAll("input[name=run]")]);
startFilter(
  document.getElementById("filter"), [...document.querySelectorAll("section.runs")], document.getElementById("nothing"),
);
