// Compressed parts of this file, inflated when they are needed and kept while they are likely to be needed again.

const KEPT_PARTS = 256;
const kept = new Map();

// Parts stand behind this script: those that the browser has not come to yet are waited for.
async function partElement(id) {
  const found = document.getElementById(id);
  // The element that follows tells that this one is there to its end.
  if (document.readyState !== "loading" || (found && found.nextElementSibling)) return found;
  await new Promise((resume) => document.addEventListener("DOMContentLoaded", resume, { once: true }));
  return document.getElementById(id);
}

async function inflate(id) {
  const source = atob((await partElement(id)).textContent);
  const bytes = new Uint8Array(source.length);
  for (let place = 0; place < source.length; place += 1) bytes[place] = source.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

function part(id) {
  const known = kept.get(id);
  if (known) {
    kept.delete(id);
    kept.set(id, known);
    return known;
  }
  const promise = inflate(id);
  kept.set(id, promise);
  if (kept.size > KEPT_PARTS) kept.delete(kept.keys().next().value);
  return promise;
}

// The block that holds a piece: the last one that starts at or before it.
function blockOf(starts, piece) {
  let low = 0;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= piece) low = middle;
    else high = middle;
  }
  return low;
}

async function textOf(index, message) {
  if (message.pieces === undefined) return message.text;
  const texts = await Promise.all(message.pieces.map(async (piece) => {
    const block = blockOf(index.starts, piece);
    return (await part(`text-${block}`))[piece - index.starts[block]];
  }));
  return texts.join("");
}

async function detailOf(index, sample) {
  const chunk = Math.floor(sample / index.chunk);
  const detail = (await part(`detail-${chunk}`))[sample - chunk * index.chunk];
  const texts = await Promise.all(detail.messages.map((message) => textOf(index, message)));
  return { ...detail, messages: detail.messages.map((message, place) => ({ ...message, text: texts[place] })) };
}

// Everything a reader can see of a sample, as one text for searching.
async function fullText(index, sample) {
  const { messages, completions, ...rest } = await detailOf(index, sample);
  const spoken = [...messages, ...completions].map((item) => item.text || "");
  return [...spoken, JSON.stringify(rest)].join("\n").toLowerCase();
}
