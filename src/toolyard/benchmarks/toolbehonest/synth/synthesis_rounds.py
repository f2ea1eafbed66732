"""Rounds of synthesis: what was accepted serves as reference for what is asked for next (Section 3.4).

A row's `state` says how far it is: seed, request, draft, candidate, distinct, accepted.
"""

import functools
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, read_items
from toolyard.benchmarks.toolbehonest.synth.data_files import SOLVABLE_FIELDS, item_to_row
from toolyard.benchmarks.toolbehonest.synth.diversity import embed_rows, most_varied, near_copy_index
from toolyard.benchmarks.toolbehonest.synth.drafting import TEMPLATES, read_sample, sample_text
from toolyard.benchmarks.toolbehonest.synth.row_rules import shared_description, solvable_fault
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Decoding, Message, Record, derived_seed
from toolyard.synth.stages import Ask, Context, Each, Kept, Outcome, Rejected, Row, Rows, Whole
from toolyard.text.parsing import excerpt, strip_thinking
from toolyard.text.templates import render

FIELDS = (*SOLVABLE_FIELDS, "state", "asked", "topic", "reference")
SIZES = ("per-subtask", "target", "shortlist")
MOST_ROUNDS = 4
LABELS = ("clear", "unclear", "illogical", "poor_fit", "biased")
# With fewer answers than this that hold, asking for more would only cost more.
LEAST_SHARE_ACCEPTED = 0.2
_FOLDER = Path(__file__).parent
# Pairs of made-up tools, written by hand.
SEED_PAIRS = _FOLDER / "seed_pairs.json"


@dataclass(frozen=True, slots=True)
class Quota:
    """How many rows of a subtask are accepted, shortlisted and kept; the paper's are 300, 100 and 50."""

    target: int
    shortlist: int
    final: int


def subtask_quota(context: Context, subtask: str) -> Quota:
    """The quota of a subtask; the wanted number of rows, if given, is spread over the subtasks."""
    share, more = divmod(context.rows, len(SUBTASKS))
    final = (
        share + (SUBTASKS.index(subtask) < more) if context.rows else number_option(context, "per-subtask", 1)
    )
    shortlist = max(number_option(context, "shortlist") or 2 * final, final)
    return Quota(max(number_option(context, "target") or 6 * final, shortlist), shortlist, final)


def number_option(context: Context, option: str, least: int = 0) -> int:
    """The value of an option that counts."""
    value = context.options[option]
    if not value.isascii() or not value.isdigit() or len(value) > 6 or int(value) < least:
        raise UsageError(f"--{option} {value!r} is not a number from {least} up")
    return int(value)


@functools.cache
def seed_plan() -> Record:
    """Which pairs of made-up tools are seeds, and the fields of life that requests name."""
    plan: Record = json.loads((_FOLDER / "seeds.json").read_text(encoding="utf-8"))
    return plan


def seed_files(_context: Context) -> Iterator[Path]:
    """The files that seeds come from."""
    yield _FOLDER / "seeds.json"
    yield SEED_PAIRS


def seeds(_context: Context) -> Iterator[Row]:
    """Four samples of our own per subtask."""
    items = {item.cluster: item for item in read_items(SEED_PAIRS)}
    for subtask, names in seed_plan()["seeds"].items():
        for name in names:
            item = items.get(f"{subtask}/{name}")
            if item is None:
                raise DataError(
                    f"{SEED_PAIRS} has no item {subtask}/{name}, which seeds.json names; mend seeds.json"
                )
            row = item_to_row(item)
            sample = {field: row[field] for field in SOLVABLE_FIELDS}
            yield {"id": row["id"], **sample, "state": "seed", "asked": 0, "topic": "", "reference": ""}


def draw_requests(rows: Rows, context: Context, round_number: int) -> Iterator[Row]:
    """All rows, and requests for as many new ones as this round should bring."""
    pools: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        pools[row["subtask"]].append(row)
        yield row
    left = number_option(context, "rounds", 1) - round_number + 1
    for subtask in SUBTASKS:
        asked: int = max(row["asked"] for row in pools[subtask])
        total = asked + _count_requests(pools[subtask], subtask_quota(context, subtask).target, asked, left)
        for place in range(asked, total):
            rng = random.Random(derived_seed(context.seed, f"draw_{round_number}/{subtask}", place))
            name = f"{subtask}-{round_number}-{place:05}"
            yield _request_row(name, subtask, rng.choice(pools[subtask]), total, rng)


def _count_requests(pool: Sequence[Row], target: int, asked: int, left: int) -> int:
    """Requests of this round: an even part of what is missing, more of them the fewer held so far."""
    accepted: int = sum(row["state"] == "accepted" for row in pool)
    if left < 1 or accepted >= target:
        return 0
    share = max(accepted / asked, LEAST_SHARE_ACCEPTED) if asked else 1.0
    return ceil((target - accepted) / left / share)


def _request_row(name: str, subtask: str, reference: Row, asked: int, rng: random.Random) -> Row:
    topics = seed_plan()["topics"]
    return {
        "id": name,
        "subtask": subtask,
        "task": "",
        "tools": [],
        "plan": [],
        "state": "request",
        "asked": asked,
        "topic": rng.choice(topics.get(subtask, topics["everyday"])),
        "reference": sample_text(reference),
    }


def ask_for_draft(row: Row, _context: Context) -> tuple[Message, ...]:
    """The contract of the subtask with one reference."""
    fields = {
        "contract": TEMPLATES[f"draft_{row['subtask']}"],
        "topic": row["topic"],
        "reference": row["reference"],
    }
    return (Message("user", render(TEMPLATES["draft"], fields)),)


def take_draft(_row: Row, text: str, _context: Context) -> Outcome:
    """The sample in the answer."""
    read = read_sample(text)
    if not isinstance(read, Kept):
        return read
    return Kept({**read.fields, "state": "draft", "reference": ""}, read.repairs)


def check_rules(row: Row, _context: Context) -> Outcome:
    """The row, if it breaks none of the rules that code can decide."""
    return solvable_fault(row) or Kept({"state": "candidate"})


def distinct(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """All rows but those that nearly copy a seed or an earlier row, or confuse two tools of the subtask."""
    known = embed_rows(list(rows), context)
    either = context.options["similarity"] == "either"
    places: dict[str, list[int]] = defaultdict(list)
    names: dict[str, dict[str, str]] = defaultdict(dict)
    for place, row in enumerate(known.rows):
        others, is_new = places[row["subtask"]], row["state"] == "candidate"
        copied = near_copy_index(known, others, place, either) if is_new else None
        if copied is not None:
            yield Rejected("too_similar", str(known.rows[copied]["id"]), row["id"])
            continue
        fault = shared_description(row, names[row["subtask"]])
        if is_new and fault is not None:
            yield fault
            continue
        others.append(place)
        yield {**row, "state": "distinct"} if is_new else row


def ask_for_review(row: Row, _context: Context) -> tuple[Message, ...]:
    """The sample, to be given one label."""
    return (Message("user", render(TEMPLATES["review"], {"sample": sample_text(row)})),)


def take_review(_row: Row, text: str, _context: Context) -> Outcome:
    """Every label but `clear` is a reason to reject; the last line that is a label counts."""
    lines = (strip_thinking(text) or "").splitlines()
    said = [line.strip(" \t*`'\".").lower().removeprefix("label:").strip() for line in lines]
    labels = [line for line in said if line in LABELS]
    if not labels:
        return Rejected("review_unreadable", excerpt(text))
    return Kept({"state": "accepted"}) if labels[-1] == "clear" else Rejected(labels[-1])


def pool(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """The accepted rows up to the target of each subtask; seeds have served."""
    taken: dict[str, int] = defaultdict(int)
    for row in rows:
        taken[row["subtask"]] += row["state"] == "accepted"
        if row["state"] == "seed":
            yield Rejected("seed", row=row["id"])
        elif taken[row["subtask"]] > subtask_quota(context, row["subtask"]).target:
            yield Rejected("surplus", "the target is reached", row["id"])
        else:
            yield {"id": row["id"], **{field: row[field] for field in SOLVABLE_FIELDS}}


def most_varied_rows(rows: Rows, context: Context) -> Iterable[Row | Rejected]:
    """The most varied rows of each subtask (Section 3.4)."""
    return most_varied(rows, context, lambda subtask: subtask_quota(context, subtask).shortlist)


def choose(rows: Rows, context: Context) -> Iterable[Row | Rejected]:
    """The most varied pairs of each subtask."""
    return most_varied(rows, context, lambda subtask: subtask_quota(context, subtask).final)


def is_request(row: Row) -> bool:
    """Whether a sample is still to be written."""
    return bool(row["state"] == "request")


def is_draft(row: Row) -> bool:
    """Whether the rules are still to be checked."""
    return bool(row["state"] == "draft")


def is_distinct(row: Row) -> bool:
    """Whether the row is still to be reviewed."""
    return bool(row["state"] == "distinct")


def stages_of_round(round_number: int) -> tuple[Whole | Ask | Each, ...]:
    """The stages of one round."""
    drafted = ("task", "tools", "plan", "state", "reference")
    needs = (*SOLVABLE_FIELDS, "state")
    return (
        Whole(
            f"draw_{round_number}", 1, FIELDS, FIELDS,
            functools.partial(draw_requests, round_number=round_number), ("rounds", *SIZES),
        ),
        Ask(
            f"draft_{round_number}", 1, ("subtask", "topic", "reference", "state"), drafted,
            ask_for_draft, take_draft, Decoding(temperature=1.0, max_tokens=2048), 2, (), is_request,
        ),
        Each(f"check_{round_number}", 1, needs, ("state",), check_rules, (), is_draft),
        Whole(f"distinct_{round_number}", 1, FIELDS, ("state",), distinct, ("similarity",)),
        Ask(
            f"review_{round_number}", 1, needs, ("state",),
            ask_for_review, take_review, Decoding(), 1, (), is_distinct,
        ),
    )  # fmt: skip
