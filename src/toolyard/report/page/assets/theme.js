// Light or dark, as the reader last chose.

function startTheme(button) {
  const root = document.documentElement;
  let known = null;
  // A file opened from disk may have no storage; the page works without.
  try { known = localStorage.getItem("toolyard-theme"); } catch (refused) { known = null; }
  if (known === "light" || known === "dark") root.dataset.theme = known;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("toolyard-theme", root.dataset.theme); } catch (refused) { return; }
  });
}
