// One sample in full: what was lost and why, what was graded beside gold, the answer, the prompt, the evidence.

function words(name) {
  return name.replaceAll("_", " ");
}

function heading(text, note) {
  return element("h4", {}, text, note ? element("small", {}, ` ${note}`) : null);
}

function textBox(text) {
  if (!text) return element("pre", { class: "text empty" }, "empty");
  return element("pre", { class: "text" }, text);
}

function chips(index, sample) {
  const list = element("ul", { class: "chips" });
  for (const [name, column] of Object.entries(index.groups)) {
    const key = column.keys[column.of[sample]];
    if (key !== undefined && key !== "") list.append(element("li", {}, `${words(name)} ${key}`));
  }
  for (const label of index.errors[sample]) {
    list.append(element("li", { class: "error" }, index.labels[label].map(words).join(": ")));
  }
  return list;
}

function reasonList(score) {
  const list = element("ul", { class: "reasons" });
  for (const reason of score.reasons) list.append(element("li", {}, reason));
  for (const [figure, reason] of Object.entries(score.missing)) {
    list.append(element("li", {}, `${words(figure)} is not known: ${reason}`));
  }
  if (score.unscored) list.append(element("li", {}, `unscored: ${words(score.unscored)}`));
  if (!list.children.length) list.append(element("li", { class: "fine" }, "No point was lost."));
  return list;
}

function reasonParts(detail) {
  const parts = [heading("Why points were lost"), reasonList(detail.paper)];
  if (detail.official && JSON.stringify(detail.official.reasons) !== JSON.stringify(detail.paper.reasons)) {
    parts.push(heading("Under the official profile"), reasonList(detail.official));
  }
  return parts;
}

function percentText(value) {
  return value === null || value === undefined ? "–" : (100 * value).toFixed(1);
}

function figureTable(detail) {
  const rows = Object.entries(detail.figures).map(([name, values]) => element(
    "tr", {}, element("th", { scope: "row" }, words(name)),
    ...values.map((value) => element("td", {}, percentText(value))),
  ));
  const both = Object.values(detail.figures).some((values) => values.length > 1);
  const head = (both ? ["metric", "paper", "official"] : ["metric", "percent"]).map((name) => element("th", { scope: "col" }, name));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  const box = element("details", {}, element("summary", {}, "Metrics of this sample alone"), table);
  return rows.length ? [box] : [];
}

// What to lay side by side. A graded value that carries its own gold says what it was compared with; a list is
// compared with the list inside the gold record, so that the same things stand on the same lines.
function pairOf(detail) {
  const { graded } = detail.paper;
  const own = isRecord(graded) ? ["gold", "wanted"].find((name) => name in graded) : undefined;
  if (own !== undefined) {
    const others = Object.entries(graded).filter(([name]) => name !== own);
    const alike = others.find(([, value]) => Array.isArray(value) === Array.isArray(graded[own])) || others[0];
    return [alike ? alike[1] : null, graded[own]];
  }
  if (Array.isArray(graded) && isRecord(detail.gold)) {
    const inner = Object.values(detail.gold).find(Array.isArray);
    return [graded, inner ?? detail.gold];
  }
  return [graded, detail.gold];
}

function isRecord(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function whole(title, value) {
  return element("details", {}, element("summary", {}, title), textBox(asText(value)));
}

function comparison(detail) {
  const [graded, gold] = pairOf(detail);
  if (asText(gold) === "") return [heading("What was graded"), textBox(asText(graded))];
  const [left, right] = difference(graded, gold);
  const parts = [
    element("div", { class: "pair" },
      element("div", {}, heading("What was graded"), element("pre", { class: "text graded" }, ...left)),
      element("div", {}, heading("Gold"), element("pre", { class: "text gold" }, ...right))),
  ];
  if (graded !== detail.paper.graded) parts.push(whole("All that was graded", detail.paper.graded));
  if (gold !== detail.gold) parts.push(whole("The whole gold record", detail.gold));
  if (detail.official && asText(detail.official.graded) !== asText(detail.paper.graded)) {
    parts.push(whole("What the official profile graded", detail.official.graded));
  }
  return parts;
}

function answerFacts(completion) {
  const usage = completion.usage || {};
  return [
    completion.finish_reason,
    usage.prompt_tokens ? `${usage.prompt_tokens} tokens in` : "",
    usage.completion_tokens ? `${usage.completion_tokens} out` : "",
    completion.latency ? `${completion.latency.toFixed(2)} s` : "",
  ].filter(Boolean).join(" · ");
}

function answers(detail) {
  const parts = [heading(detail.completions.length > 1 ? "Answers" : "Answer", "as the model wrote it; unseen characters are written out")];
  if (detail.error) parts.push(textBox(`${words(detail.error[0])}: ${detail.error[1]}`));
  for (const completion of detail.completions) {
    const box = element("div", { class: "answer" }, element("span", {}, answerFacts(completion)));
    if (completion.reasoning) {
      box.append(element("details", {}, element("summary", {}, "Reasoning"), textBox(completion.reasoning)));
    }
    box.append(textBox(completion.text));
    if (completion.tool_calls) box.append(textBox(asText(completion.tool_calls)));
    parts.push(box);
  }
  return parts;
}

function prompt(detail) {
  if (!detail.messages.length) return [];
  const messages = detail.messages.map((message) => element(
    "div", { class: "message" },
    element("span", {}, message.name ? `${message.role} · ${message.name}` : message.role), textBox(message.text),
    message.tool_calls ? textBox(asText(message.tool_calls)) : null,
  ));
  return [heading(messages.length > 1 ? "Conversation" : "Prompt"), ...messages];
}

function evidenceText(item) {
  if (item.error) return `${item.error.kind}: ${item.error.detail}`;
  if (item.reply) return item.reply;
  const target = (item.target_similarity || 0).toFixed(3);
  const nearest = (item.nearest_similarity || 0).toFixed(3);
  return `similarity to the wanted candidate ${target}; nearest is number ${(item.nearest || 0) + 1} with ${nearest}`;
}

function evidence(detail) {
  if (!detail.evidence.length) return [];
  const items = detail.evidence.map((item) => element(
    "div", { class: "message" },
    element("span", {}, [item.question, item.model].filter(Boolean).join(" · ")), textBox(evidenceText(item)),
  ));
  return [heading("Evidence", "what judge or embedder said"), ...items];
}

function notes(detail) {
  if (!Object.keys(detail.notes).length) return [];
  return [element("details", {}, element("summary", {}, "Notes of the episode"), textBox(asText(detail.notes)))];
}

function task(detail) {
  return detail.task ? [heading("Task"), element("p", { class: "task" }, detail.task)] : [];
}

function detailParts(index, sample, detail) {
  const top = element("div", { class: "top" },
    element("h3", {}, nameOf(index, sample)), scoreMark(index.scores[sample]),
    element("div", { class: "move" },
      element("button", { type: "button", id: "previous" }, "Previous"),
      element("button", { type: "button", id: "next" }, "Next"),
      element("button", { type: "button", id: "close" }, "Close")));
  return [
    top, ...task(detail), chips(index, sample), ...reasonParts(detail), ...figureTable(detail), ...comparison(detail),
    ...answers(detail), ...prompt(detail), ...evidence(detail), ...notes(detail),
  ];
}
