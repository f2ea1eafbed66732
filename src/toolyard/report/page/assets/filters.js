// Which samples are shown and in which order; plain arrays over the index, no page elements.

const SCORES = [
  ["", "any"],
  ["full", "full marks"],
  ["lost", "lost points"],
  ["zero", "zero"],
  ["low", "below 50"],
  ["unscored", "unscored"],
  ["differs", "profiles differ"],
];
const ORDERS = [
  ["data", "as in the data"],
  ["worst", "lowest score first"],
  ["best", "highest score first"],
  ["reasons", "most reasons first"],
];

function scoreFits(index, sample, wanted) {
  const score = index.scores[sample];
  if (wanted === "unscored") return index.unscored[sample] !== null || score === null;
  if (wanted === "differs") return score !== index.official[sample];
  if (score === null) return false;
  if (wanted === "full") return score >= 1;
  if (wanted === "lost") return score < 1;
  if (wanted === "zero") return score <= 0;
  return score < 0.5;
}

// One lower-case text per sample, made once: ten thousand joins cost more than ten thousand searches.
function haystacks(index) {
  return index.ids.map((id, sample) => `${id}\n${index.titles[sample]}\n${index.answers[sample]}`.toLowerCase());
}

function matching(index, texts, wish) {
  const found = [];
  const groups = Object.entries(wish.groups).filter(([, key]) => key !== "");
  for (let sample = 0; sample < index.ids.length; sample += 1) {
    if (wish.only && !wish.only.has(sample)) continue;
    if (!wish.only && wish.text && !texts[sample].includes(wish.text)) continue;
    if (wish.score && !scoreFits(index, sample, wish.score)) continue;
    if (wish.error !== "" && !index.errors[sample].includes(Number(wish.error))) continue;
    if (!groups.every(([name, key]) => index.groups[name].of[sample] === Number(key))) continue;
    found.push(sample);
  }
  return ordered(index, found, wish.order);
}

function ordered(index, found, order) {
  const missing = order === "worst" ? 2 : -1;
  const score = (sample) => index.scores[sample] ?? missing;
  if (order === "worst") found.sort((a, b) => score(a) - score(b) || a - b);
  if (order === "best") found.sort((a, b) => score(b) - score(a) || a - b);
  if (order === "reasons") found.sort((a, b) => index.reasons[b] - index.reasons[a] || a - b);
  return found;
}
