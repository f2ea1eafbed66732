// The review: load, show, decide. Every decision is on the server's disk before the page moves on.
import { make, byId, visible } from "/make.js";
import { rowContent, pairContent, figuresContent, lightUp } from "/content.js";
import { List } from "/list.js";
import { Editor } from "/editor.js";
import { rowBar, pairBar } from "/bars.js";

const state = { overview: null, list: null, item: null, busy: false, dimension: 0, bar: null, savingNote: null };

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The review has stopped: nothing new is saved. Start the command again and open the address it prints.");
  }
  if (response.status === 403) throw new Error("This page belongs to an earlier start. Open the address that the command printed last.");
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error), { refused: true });
  return answer;
}

function alarm(message) {
  byId("alarm").textContent = visible(message);
  byId("alarm").hidden = !message;
}

let fading = 0;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").classList.add("on");
  clearTimeout(fading);
  fading = setTimeout(() => byId("toast").classList.remove("on"), 1200);
}

async function open(id) {
  byId("side").classList.remove("on");
  state.list.select(id);
  let item;
  try {
    item = await ask(`/api/item?id=${encodeURIComponent(id)}`);
  } catch (error) {
    return alarm(error.message);
  }
  if (state.list.current !== id) return undefined;
  alarm("");
  state.item = item;
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  const pairs = state.overview.mode === "pairs";
  const content = pairs ? pairContent(item) : rowContent(item, other => decide({ verdict: other.verdict, row: other.row ?? undefined }));
  byId("item").classList.toggle("wide", pairs);
  byId("item").replaceChildren(...content);
  byId("item").scrollTop = 0;
  if (pairs) state.dimension = firstOpenDimension();
  state.bar.show(item, state.dimension);
  return undefined;
}

function firstOpenDimension() {
  const index = state.overview.dimensions.findIndex(name => !(name in state.item.votes));
  return index < 0 ? 0 : index;
}

// Sends one decision; moves on only when it is saved. A second key before that is not taken.
async function send(body, moveOn) {
  if (state.busy || !state.item) return false;
  state.busy = true;
  const id = state.item.id;
  try {
    const saved = await ask("/api/decision", { item: id, ...body });
    alarm("");
    state.list.update(saved.line);
    showProgress();
    toast("saved");
    const next = moveOn(saved.line);
    await open(next ?? id);
    if (!next && moveOn !== stay && state.list.nextOpen() === null) toast("saved; nothing is left undecided here");
    return true;
  } catch (error) {
    if (error.refused && state.editor?.visible) state.editor.complain(error.message);
    else alarm(`Not saved. ${error.message}`);
    return false;
  } finally {
    state.busy = false;
  }
}

const stay = () => null;
const nextOpen = () => state.list.nextOpen();

async function decide({ verdict, row }) {
  const note = byId("note").value;
  // A click on a button first ends the note's own saving.
  await state.savingNote;
  return send({ verdict, row, note, flaws: state.bar.flaws() }, verdict === null ? stay : nextOpen);
}

function saveNote() {
  const held = state.item?.decision;
  const flaws = state.bar.flaws();
  // A decision that holds is not taken back by unmarking its last reason; the next one says what is wrong.
  if (!held || (held.verdict !== "accept" && state.overview.perspectives.length && !Object.keys(flaws).length)) return;
  if (byId("note").value === held.note && JSON.stringify(flaws) === JSON.stringify(held.flaws)) return;
  state.savingNote = send({ verdict: held.verdict, row: held.row ?? undefined, note: byId("note").value, flaws }, stay);
}

function vote(side, dimension = state.overview.dimensions[state.dimension]) {
  return send({ dimension, side }, line => line.state === "judged" && side !== null ? state.list.nextOpen() : null);
}

function showProgress() {
  const { done, total } = state.list.progress();
  byId("bar").max = Math.max(1, total);
  byId("bar").value = done;
  byId("count").textContent = `${done} of ${total}`;
}

async function showFigures() {
  try {
    byId("figures-body").replaceChildren(...figuresContent(await ask("/api/overview")));
    byId("figures").showModal();
  } catch (error) {
    alarm(error.message);
  }
}

function move(step) {
  const id = state.list.neighbour(step);
  if (id !== null) open(id);
}

const scroll = step => byId("item").scrollBy({ top: step * byId("item").clientHeight * 0.8 });

const SHARED_KEYS = {
  j: ["next item", () => move(1)],
  k: ["previous item", () => move(-1)],
  o: ["next undecided item", () => { const id = state.list.nextOpen(); if (id !== null) open(id); }],
  " ": ["scroll down", () => scroll(1)],
  f: ["figures", showFigures],
  "/": ["find by id or text", () => byId("search").focus()],
  "?": ["these keys", () => byId("help").showModal()],
};
const ROW_KEYS = {
  a: ["accept", () => decide({ verdict: "accept" })],
  r: ["reject", () => decide({ verdict: "reject" })],
  e: ["edit", () => state.editor.open(state.item)],
  u: ["take the decision back", () => decide({ verdict: null })],
  n: ["write a note", () => byId("note").focus()],
};
const PAIR_KEYS = {
  1: ["left is better", () => vote("left")],
  2: ["tie", () => vote("tie")],
  3: ["right is better", () => vote("right")],
  d: ["next dimension", () => chooseDimension((state.dimension + 1) % state.overview.dimensions.length)],
  u: ["take the vote back", () => vote(null)],
};

function chooseDimension(index) {
  state.dimension = index;
  state.bar.show(state.item, index);
}

function listen(keys) {
  byId("keys").append(...Object.entries(keys).flatMap(([key, [words]]) =>
    [make("dt", {}, make("kbd", { text: key === " " ? "space" : key })), make("dd", { text: words })]));
  document.addEventListener("keydown", event => {
    // Right after a dialog has closed, its field may still have the focus.
    const typing = !event.target.closest("dialog:not([open])") && event.target.closest("input, textarea, select, dialog");
    if (event.key === "Escape" && typing && !event.target.closest("dialog")) return event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return undefined;
    const action = Object.hasOwn(keys, event.key) ? keys[event.key][1] : null;
    if (!action || (event.key === " " && event.target.closest("button, summary"))) return undefined;
    event.preventDefault();
    action();
    return undefined;
  });
}

function describe(overview) {
  const [drawn, all] = overview.drawn;
  const role = overview.mode === "adjudicate" ? "adjudicates disputes in" : "reviews";
  const share = drawn < all ? `, a sample of ${drawn} out of ${all}` : "";
  byId("title").textContent = visible(overview.title);
  byId("subtitle").textContent = visible(`${overview.person} ${role} ${overview.data}${share}`);
  document.title = `Review: ${overview.person}`;
}

async function start() {
  let overview;
  try {
    overview = await ask("/api/overview");
  } catch (error) {
    return alarm(error.message);
  }
  state.overview = overview;
  describe(overview);
  const pairs = overview.mode === "pairs";
  state.bar = pairs ? pairBar(overview.dimensions, vote, chooseDimension)
    : rowBar({ accept: ROW_KEYS.a[1], reject: ROW_KEYS.r[1], edit: ROW_KEYS.e[1], saveNote, perspectives: overview.perspectives });
  state.editor = new Editor(row => decide({ verdict: "edit", row }));
  state.list = new List(overview.mode, overview.items, open);
  listen({ ...(pairs ? PAIR_KEYS : ROW_KEYS), ...SHARED_KEYS });
  byId("figures-button").addEventListener("click", showFigures);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("menu").addEventListener("click", () => byId("side").classList.toggle("on"));
  byId("item").addEventListener("click", () => byId("side").classList.remove("on"));
  lightUp(byId("item"));
  showProgress();
  const asked = decodeURIComponent(location.hash.slice(1));
  const first = overview.items.find(line => line.id === asked)?.id ?? state.list.nextOpen() ?? overview.items[0]?.id;
  return first === undefined ? alarm("There is nothing to review.") : open(first);
}

start();
