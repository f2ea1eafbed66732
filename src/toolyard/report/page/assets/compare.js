// Filters over tables that stand in the page: rows are hidden, never built from text.

function matches(row, text, choices) {
  if (text && !row.dataset.text.includes(text)) return false;
  return choices.every(([name, value]) => !value || row.dataset[name] === value);
}

function startFilter(form) {
  const rows = [...document.querySelectorAll(`#${form.dataset.rows} tbody tr`)];
  const search = form.querySelector("input[type=search]");
  const selects = [...form.querySelectorAll("select")];
  const count = form.querySelector("output");
  const filter = () => {
    const text = search ? search.value.trim().toLowerCase() : "";
    const choices = selects.map((select) => [select.name, select.value]);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !matches(row, text, choices);
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;
  filter();
}

startTheme(document.getElementById("theme"));
for (const form of document.querySelectorAll("form.filter")) startFilter(form);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
  const search = document.querySelector("form.filter input[type=search]");
  if (!search) return;
  search.focus();
  event.preventDefault();
});
document.body.dataset.ready = "yes";
