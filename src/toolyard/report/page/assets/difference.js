// What differs between what was graded and the gold answer: lines first, then words inside changed lines.

const MOST_CELLS = 4000000;

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

function asText(value) {
  if (value === undefined || value === null) return "";
  return bounded(typeof value === "string" ? value : JSON.stringify(sorted(value), null, 2));
}

// Pairs of places of a longest common subsequence, or null where the table would be too large.
function common(left, right) {
  const width = right.length + 1;
  if ((left.length + 1) * width > MOST_CELLS) return null;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      lengths[a * width + b] = left[a] === right[b]
        ? lengths[(a + 1) * width + b + 1] + 1
        : Math.max(lengths[(a + 1) * width + b], lengths[a * width + b + 1]);
    }
  }
  const pairs = [];
  for (let a = 0, b = 0; a < left.length && b < right.length;) {
    if (left[a] === right[b]) pairs.push([a++, b++]);
    else if (lengths[(a + 1) * width + b] >= lengths[a * width + b + 1]) a += 1;
    else b += 1;
  }
  return pairs;
}

// Lines side by side: [left or null, right or null, same].
function aligned(left, right) {
  const pairs = common(left, right);
  if (pairs === null) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, place) => [
      left[place] ?? null, right[place] ?? null, left[place] === right[place],
    ]);
  }
  const rows = [];
  let a = 0;
  let b = 0;
  for (const [nextA, nextB] of [...pairs, [left.length, right.length]]) {
    const many = Math.max(nextA - a, nextB - b);
    for (let place = 0; place < many; place += 1) {
      rows.push([a + place < nextA ? left[a + place] : null, b + place < nextB ? right[b + place] : null, false]);
    }
    if (nextA < left.length) rows.push([left[nextA], right[nextB], true]);
    a = nextA + 1;
    b = nextB + 1;
  }
  return rows;
}

function wordsOf(line) {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || [];
}

function marked(words, same) {
  const parts = [];
  words.forEach((word, place) => {
    const plain = same.has(place) || /^\s+$/.test(word);
    const last = parts.at(-1);
    if (last && last.same === plain) last.text += word;
    else parts.push({ text: word, same: plain });
  });
  return parts.map((item) => (item.same ? item.text : element("mark", {}, item.text)));
}

function lineOf(text, kind, children) {
  return element("span", { class: text === null ? "line" : `line ${kind}` }, ...(children || [text ?? ""]));
}

function comparedLine([left, right, same]) {
  if (same) return [lineOf(left, ""), lineOf(right, "")];
  if (left === null || right === null) return [lineOf(left, "gone"), lineOf(right, "come")];
  const [a, b] = [wordsOf(left), wordsOf(right)];
  const pairs = common(a, b) || [];
  const shared = pairs.filter(([place]) => /[\p{L}\p{N}]/u.test(a[place])).length;
  if (!shared) return [lineOf(left, "gone"), lineOf(right, "come")];
  return [
    lineOf(left, "gone", marked(a, new Set(pairs.map((pair) => pair[0])))),
    lineOf(right, "come", marked(b, new Set(pairs.map((pair) => pair[1])))),
  ];
}

function difference(graded, gold) {
  const rows = aligned(asText(graded).split("\n"), asText(gold).split("\n")).map(comparedLine);
  return [rows.map((row) => row[0]), rows.map((row) => row[1])];
}
