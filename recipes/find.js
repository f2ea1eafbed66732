// Full-text search without a server: PAGES is written in front of this file when the site is built.
"use strict";
const box = document.getElementById("find-words");
const list = document.getElementById("find-results");
const told = document.getElementById("find-count");

function hits(words) {
  return PAGES.map((page) => {
    const title = page.title.toLowerCase(), text = page.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return null;
    const score = words.reduce((sum, word) => sum + (title.includes(word) ? 20 : 0) + Math.min(9, text.split(word).length), 0);
    return { page, score, at: Math.max(0, text.indexOf(words[0]) - 60) };
  }).filter(Boolean).sort((a, b) => b.score - a.score);
}

function show() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? hits(words) : [];
  told.textContent = words.length ? `${found.length} places` : "";
  list.replaceChildren(...found.slice(0, 40).map(({ page, at }) => {
    const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
    link.href = page.location;
    link.textContent = page.title;
    text.textContent = page.text.slice(at, at + 200);
    item.append(link, text);
    return item;
  }));
}

box.addEventListener("input", show);
box.value = new URLSearchParams(location.search).get("q") || "";
show();
