"""Dialogues derived from one or joined from several, for settings that the corpora lack.

    cut        its first turn alone, if that is a call whose values all stand in the turn (S-S)
    merged     two turns that call, at most two apart, as one; what the second takes from the result of the first
               becomes a reference (M-M)
    pair       the same, if it begins the dialogue, alone (S-M)
    joined     two to six single turns of one corpus that call different tools, as one turn (S-M)

Joined requests are about one subject: a name that every call is given and every user says ("Seattle").
Only rows of the same corpus come together, of the same side of the out-of-domain split, all for training or all for
evaluation. Sentences are joined, and answers to questions that nobody asked are taken out.
"""

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from pathlib import Path

import orjson

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    Document,
    StandardRow,
    Values,
    dialogue_setting,
    is_evaluation,
    item_to_json,
    items_to_json,
    read_turns,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import (
    PHRASES,
    Turns,
    heard_before,
    keep_sound_turns,
    refer_to_results,
    ungrounded_parameters,
)
from toolyard.core.types import derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows
from toolyard.text.names import capitalise

PATTERNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in tomllib.loads(
        Path(__file__).with_name("request_patterns.toml").read_text("utf-8")
    ).items()
}
_WORD = re.compile(r"[\w']+")
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")


def answer_as_request(text: str) -> str | None:
    """What is left of an answer as a request of its own; nothing where it only agrees, None where it cannot stand.

    It cannot stand where it asks about, refuses or chooses from something that the assistant said, nor where it
    begins without a verb ("San Francisco.", "For two.").
    """
    kept: list[str] = []
    for sentence in PATTERNS["sentence"].split(straight_quotes(text)):
        if not sentence or _only_agrees(sentence):
            continue
        sentence = PATTERNS["head"].sub("", sentence)
        if _only_agrees(sentence):
            continue
        asks = sentence.endswith("?") or PATTERNS["question"].match(sentence)
        if PATTERNS["leaning"].search(sentence) or (asks and not PATTERNS["request"].match(sentence)):
            return None
        if not kept and not is_complete_request(sentence):
            return None
        kept.append(capitalise(sentence))
    return " ".join(kept)


def straight_quotes(text: str) -> str:
    """The text with straight quotes, in which alone the words here are written, and without blanks around it."""
    return text.translate(_STRAIGHT).strip()


def is_complete_request(text: str) -> bool:
    """Whether a text can follow another request: it asks, orders or states something with a verb."""
    opened = _strip_opening(text)
    return any(PATTERNS[name].match(opened) for name in ("asks_for", "question", "states"))


def _strip_opening(text: str) -> str:
    """The text without a greeting, and without words that lead on from something."""
    text = straight_quotes(text)
    for name in ("greeting", "head", "lead"):
        text = PATTERNS[name].sub("", text)
    return text


def join_replies(first: str, second: str) -> str:
    """Two replies as one; what the first asks is never answered, so it is left out."""
    sentences = [
        sentence
        for sentence in PATTERNS["sentence"].split(first.strip())
        if sentence and not sentence.endswith("?")
    ]
    if sentences and second and not sentences[-1].endswith((".", "!")):
        sentences[-1] += "."
    return " ".join([*sentences, second]).strip()


def join_requests(pieces: Sequence[str], rng: random.Random) -> str:
    """All pieces as one text, each after a word or two that lead on to it."""
    text = straight_quotes(pieces[0])
    for piece in pieces[1:]:
        text = _append_request(text, _strip_opening(piece) or straight_quotes(piece), rng)
    return text if text.endswith((".", "!", "?")) else f"{text}{_end_mark(straight_quotes(pieces[-1]))}"


def _append_request(text: str, piece: str, rng: random.Random) -> str:
    asks = PATTERNS["question"].match(piece) is not None and not PATTERNS["request"].match(piece)
    plain = (
        PATTERNS["imperative"].match(piece)
        and not text.endswith(("?", "!"))
        and not PATTERNS["sentence"].search(text)
    )
    if plain and rng.random() < 0.5:
        return text.rstrip(" .,;") + str(rng.choice(PHRASES["within"])).format(_lower_first_letter(piece))
    ended = text if text.endswith((".", "!", "?")) else f"{text.rstrip(' ,;')}{_end_mark(text)}"
    states = not PATTERNS["asks_for"].match(piece) and PATTERNS["states"].match(piece)
    leads = PHRASES["apart_question" if asks else "apart_stated" if states else "apart"]
    fresh = [lead for lead in leads if lead.format("") not in text] or leads
    return f"{ended} {rng.choice(fresh).format(_lower_first_letter(piece))}"


def _end_mark(text: str) -> str:
    last = PATTERNS["sentence"].split(text.strip())[-1]
    return "?" if PATTERNS["question"].match(last) and not last.startswith(("Will i", "will i")) else "."


def _lower_first_letter(text: str) -> str:
    """The text as a continuation of a sentence: lower-case first letter, except for `I` and words in capitals."""
    first = text.split(" ", 1)[0]
    ordinary = any(PATTERNS[name].match(text) for name in ("imperative", "question", "request", "small"))
    if not ordinary or first.rstrip(",.'") == "I" or first.startswith("I'") or first[1:2].isupper():
        return text
    return text[:1].lower() + text[1:]


def _only_agrees(sentence: str) -> bool:
    return all(PATTERNS["assent"].fullmatch(word) for word in _WORD.findall(sentence))


FARTHEST = 2


def add_setting_and_variants(row: Row, context: Context) -> Outcome:
    """The row with its setting, and the dialogues derived from it."""
    # An answer holds one call of a tool: it is an object of tool names.
    found = keep_sound_turns(
        read_turns(row), lambda turn, _: "" if _is_distinct(turn.calls) else "repeated_tool_in_turn"
    )
    if isinstance(found, Rejected):
        return found
    sound, repairs = found
    rng = random.Random(derived_seed(context.seed, f"merge/{row['id']}", 0))
    others = variants(sound, row["documents"], rng)
    return [
        Kept(_variant_fields("", sound), repairs),
        *(Kept({"id": f"{row['id']}#{kind}", **_variant_fields(kind, made)}) for kind, made in others),
    ]


def variants(turns: Turns, documents: Sequence[Document], rng: random.Random) -> Iterator[tuple[str, Turns]]:
    """The other dialogues that a dialogue of several turns gives, each with its kind."""
    if len(turns) < 2:
        return
    if stands_alone(turns[0], documents):
        yield "cut", turns[:1]
    candidates = [merged for pair in _pairs(turns) if (merged := merge(turns, *pair, documents, rng))]
    if not candidates:
        return
    if len(candidates[0]) > 1:
        yield "merged", candidates[rng.randrange(len(candidates))]
    first = candidates[0][0]
    if len(first.calls) > 1 and first.user.startswith(straight_quotes(turns[0].user)[:-1]):
        yield "pair", (first,)


def stands_alone(turn: DialogueTurn, documents: Sequence[Document]) -> bool:
    """Whether a turn is one call that nothing but its own words is needed for."""
    return len(turn.calls) == 1 and not any(ungrounded_parameters(turn, (), documents))


def merge(turns: Turns, first: int, second: int, documents: Sequence[Document], rng: random.Random) -> Turns:
    """The turns with two of them as one, or none where words or values forbid it."""
    text = _join_user_turns(turns[first : second + 1], rng)
    if not text:
        return ()
    merged = join_two_turns(turns[first], turns[second], text)
    ground = heard_before(merged, turns[:first])
    calls = refer_to_results(turns[first].calls, turns[second].calls, ground, merged.known)
    merged = replace(merged, label=turns[second].label, calls=calls)
    changed = (*turns[:first], merged, *turns[second + 1 :])
    later = range(first, len(changed))
    if any(any(ungrounded_parameters(changed[place], changed[:place], documents)) for place in later):
        return ()
    return changed


def join_two_turns(turn: DialogueTurn, other: DialogueTurn, text: str) -> DialogueTurn:
    """A turn in which the user also asks for what another asks for, in these words; calls and replies of both."""
    return replace(
        turn,
        user=text,
        assistant=join_replies(turn.assistant, other.assistant),
        wants=list(dict.fromkeys([*turn.wants, *other.wants])),
        known=join_known_values(turn.known, other.known),
        calls=(*turn.calls, *other.calls),
    )


def join_known_values(first: Mapping[str, Values], second: Mapping[str, Values]) -> dict[str, Values]:
    """What is known after both, tool by tool."""
    names = dict.fromkeys([*first, *second])
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in names}


def _join_user_turns(turns: Turns, rng: random.Random) -> str:
    """What the user says in all these turns in one breath, without answers to an assistant who never spoke."""
    first, *rest = turns
    values = (value for call in first.calls for result in call.results or () for value in result.values())
    texts = {value.lower() for value in values if isinstance(value, str) and len(value) > 3}
    learned = {text for text in texts if text not in first.user.lower()}
    pieces = []
    for turn in rest:
        piece = answer_as_request(turn.user)
        if piece is None or any(value in piece.lower() for value in learned):
            return ""
        pieces += [piece] if piece else []
    return join_requests([first.user, *pieces], rng) if pieces else ""


def _pairs(turns: Turns) -> Iterator[tuple[int, int]]:
    """Neighbouring turns that call different tools with success, near enough to each other."""
    calling = [place for place, turn in enumerate(turns) if turn.calls]
    for first, second in pairwise(calling):
        found = all(call.results and not call.failed for call in turns[first].calls)
        near = second - first <= FARTHEST
        if near and found and _is_distinct([*turns[first].calls, *turns[second].calls]):
            yield first, second


def _variant_fields(kind: str, turns: Turns) -> dict[str, object]:
    return {"turns": items_to_json(turns), "setting": dialogue_setting(turns), "composed": kind}


def _is_distinct(calls: Sequence[DialogueCall]) -> bool:
    return len({call.name for call in calls}) == len(calls)


# How many single turns are joined, as often as a number stands here; five and six are the type `interaction`.
SIZES = (2,) * 9 + (3,) * 6 + (4,) * 3 + (5, 6)
MOST_WORDS = 60
TRIES = 8
MOST_OTHERS = 4
_NAME = re.compile(r"[^\W\d_a-z][^\d]{2,}")

# Single turns with one call that name a subject: by the subject, then by tool.
Pool = Mapping[str, Mapping[str, Sequence[StandardRow]]]
# By source, split and side.
Side = tuple[str, str, bool]
Pools = Mapping[Side, Pool]


def compose_dialogues(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """All rows, then those made of several of them."""
    pools: dict[Side, dict[str, dict[str, list[StandardRow]]]] = {}
    documents: dict[bytes, Document] = {}
    for row in rows:
        yield row
        if len(row["turns"]) == 1 and len(calls := row["turns"][0]["calls"]) == 1:
            # Rows are held; equal documents are held once.
            held = [documents.setdefault(orjson.dumps(each), each) for each in row["documents"]]
            donor = replace(standard_row(row), documents=held)
            side = (donor.source, donor.split, is_evaluation(donor.origins))
            for subject in named_subjects(donor):
                pool = pools.setdefault(side, {}).setdefault(subject, {})
                pool.setdefault(calls[0]["name"], []).append(donor)
    yield from map(item_to_json, joined_rows(pools, float(context.options["joined"]), context.seed))


def named_subjects(row: StandardRow) -> set[str]:
    """The names that the calls of a row are given and its user says, with their capital."""
    said = " ".join(turn.user for turn in row.turns)
    values = (value for turn in row.turns for call in turn.calls for value in call.arguments.values())
    return {value for value in values if isinstance(value, str) and _NAME.fullmatch(value) and value in said}


def joined_rows(pools: Pools, share: float, seed: int) -> Iterator[StandardRow]:
    """For every corpus this share of its single turns as often a new turn of several of them, on one subject."""
    for (source, split, test), pool in pools.items():
        shared = {subject: tools for subject, tools in pool.items() if len(tools) > 1}
        count = round(share * sum(len(rows) for tools in shared.values() for rows in tools.values()))
        subjects = sorted(shared)
        made: set[tuple[str, ...]] = set()
        for number in range(count):
            rng = random.Random(derived_seed(seed, f"join/{source}/{split}/{test}", number))
            parts = _draw_parts(shared[rng.choice(subjects)], rng)
            origins = tuple(sorted(part.id for part in parts))
            if parts and origins not in made:
                made.add(origins)
                yield join(parts, f"{source}/{split}/joined/{'test/' if test else ''}{number}", rng)


def _draw_parts(pool: Mapping[str, Sequence[StandardRow]], rng: random.Random) -> list[StandardRow]:
    """Single turns of different tools that go together, not of too many words; none where none were found."""
    tools = list(pool)
    size = min(rng.choice(SIZES), len(tools))
    for _ in range(TRIES):
        parts = [rng.choice(pool[name]) for name in rng.sample(tools, size)]
        # Only the first can do without a verb.
        parts.sort(key=lambda part: is_complete_request(part.turns[0].user))
        if sum(len(part.turns[0].user.split()) for part in parts) <= MOST_WORDS and go_together(parts):
            return parts
    return []


def go_together(parts: Sequence[StandardRow]) -> bool:
    """Whether the parts can be asked for in one turn.

    All but the first can follow another request; no two tools have the same name in the corpus; and where there
    are replies, each is about another topic: two on one topic may say the opposite ("no mocha", "latte, mocha").
    """
    originals = {name: words for part in parts for name, words in part.originals.items()}
    words = [word for name in documents_of_parts(parts) for word in originals[name]]
    if not all(is_complete_request(part.turns[0].user) for part in parts[1:]) or len(set(words)) < len(words):
        return False
    topics = [topic for part in parts for topic in part.topics]
    return len(set(topics)) == len(topics) or not any(part.turns[0].assistant for part in parts)


def join(parts: Sequence[StandardRow], name: str, rng: random.Random) -> StandardRow:
    """One row of one turn that asks for everything that the parts ask for."""
    turns = [part.turns[0] for part in parts]
    text = join_requests([turn.user for turn in turns], rng)
    whole = reduce(lambda turn, other: join_two_turns(turn, other, text), turns)
    return compose_row(parts, name, (replace(whole, label="call"),), "joined")


def compose_row(
    parts: Sequence[StandardRow], name: str, turns: tuple[DialogueTurn, ...], kind: str
) -> StandardRow:
    """A row of these turns with all that its parts list."""
    documents = documents_of_parts(parts)
    originals = {tool: words for part in parts for tool, words in part.originals.items()}
    own = {word for tool in documents for word in originals.get(tool, ())}
    others = sorted({other for part in parts for other in part.others} - documents.keys())
    others = [other for other in others if own.isdisjoint(originals.get(other, ()))][:MOST_OTHERS]
    return replace(
        parts[0],
        id=name,
        composed=kind,
        setting=dialogue_setting(turns),
        topics=sorted({topic for part in parts for topic in part.topics}),
        origins=[origin for part in parts for origin in part.origins],
        turns=turns,
        documents=[*documents.values()],
        others=others,
        originals={tool: originals[tool] for tool in (*documents, *others) if tool in originals},
    )


def documents_of_parts(parts: Sequence[StandardRow]) -> dict[str, Document]:
    """The documents of all parts by name: where two have one of a tool, that of the part that calls it."""
    called: dict[str, Document] = {}
    documents: dict[str, Document] = {}
    for part in parts:
        names = {call.name for turn in part.turns for call in turn.calls}
        for document in part.documents:
            documents.setdefault(document["name"], document)
            if document["name"] in names:
                called.setdefault(document["name"], document)
    return documents | called
