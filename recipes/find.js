// The search box in the header. It needs no server: the index is a script that is loaded at the first use.
"use strict";
(() => {
  const root = new URL(".", document.currentScript.src);
  const most = 30;
  let loading = null;

  function loadIndex() {
    loading ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = new URL("find_index.js", root);
      script.onload = done;
      script.onerror = failed;
      document.head.append(script);
    });
    return loading;
  }

  function count(text, word) {
    return Math.min(9, text.split(word).length - 1);
  }

  function hits(words) {
    return TOOLYARD_PAGES.map((page) => {
      const title = page.title.toLowerCase(), text = page.text.toLowerCase();
      if (!words.every((word) => title.includes(word) || text.includes(word))) return null;
      const score = words.reduce((sum, word) => sum + (title.includes(word) ? 20 : 0) + count(text, word), 0);
      return { page, score, at: Math.max(0, text.indexOf(words[0]) - 50) };
    }).filter(Boolean).sort((a, b) => b.score - a.score);
  }

  function item({ page, at }) {
    const line = document.createElement("li"), link = document.createElement("a"), text = document.createElement("span");
    const title = document.createElement("b");
    link.href = new URL(page.location, root);
    title.textContent = page.title;
    text.textContent = page.text.slice(at, at + 140).replace(at ? /^\S*\s/ : "", "");
    link.append(title, text);
    line.append(link);
    return line;
  }

  function setUp() {
    const box = document.getElementById("find-words"), list = document.getElementById("find-results");
    if (!box) return;
    const note = document.getElementById("find-count");
    async function show() {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      list.parentElement.hidden = !words.length;
      if (!words.length) return;
      await loadIndex();
      const found = hits(words);
      note.textContent = found.length === 1 ? "1 place" : `${found.length} places`;
      list.replaceChildren(...found.slice(0, most).map(item));
    }
    box.addEventListener("focus", loadIndex, { once: true });
    box.addEventListener("input", show);
    box.form.addEventListener("submit", (event) => {
      event.preventDefault();
      list.querySelector("a")?.click();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") list.parentElement.hidden = true;
      if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
        event.preventDefault();
        box.focus();
      }
    });
    document.addEventListener("click", (event) => {
      if (!event.target.closest(".find")) list.parentElement.hidden = true;
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", setUp);
  else setUp();
})();
