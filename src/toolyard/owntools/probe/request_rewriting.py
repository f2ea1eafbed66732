"""Requests in a model's words: the drawn ones rewritten, each kept only where it still says every value."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import Decoding, JsonValue, Message, Record, Request
from toolyard.lines import encode, read_lines, write_whole
from toolyard.models.loading import load_model
from toolyard.owntools.probe.probe_suites import NestedRow, Suites, TwinRow
from toolyard.owntools.probe.probe_wording import value_text

FILE = "requests.jsonl"
AT_ONCE = 4
ASKING = """Rewrite a request to an assistant so that it reads as a person would write it who wants this done.
Keep every name, number and id exactly as it stands. Add no wish and no value. Name no tool. One to three sentences.
Answer with the request alone.

Request:
{request}
"""


def write_requests(suites: Suites, tools: Sequence[str], writer: str, folder: Path) -> Suites:
    """The suites with requests written by a model; its texts are stored in the folder and reused."""
    drawn = dict(_drawn_requests(suites))
    known = {
        str(row["drawn"]): str(row["written"]) for row in read_lines(folder / FILE) if isinstance(row, dict)
    }
    missing = [text for text in drawn if text not in known]
    if missing:
        known |= run_async(_ask_writer(missing, writer))
        rows = ({"drawn": text, "written": written} for text, written in known.items())
        write_whole(folder / FILE, b"".join(encode(row) for row in rows))
    good = {text: known[text] for text in drawn if is_faithful(text, known.get(text, ""), drawn[text], tools)}
    if not good:
        raise UsageError(
            f"--writer {writer} wrote no request that says all its values; choose another model, or leave it out"
        )
    return _replace_requests(suites, lambda text: good.get(text, text))


def is_faithful(drawn: str, written: str, values: Sequence[JsonValue], tools: Sequence[str]) -> bool:
    """Whether a rewritten request says every value that the drawn one says, and gives no tool away."""
    said = [str(value) if isinstance(value, str) else value_text(value) for value in values]
    kept = all(value in written for value in said if value in drawn)
    given_away = any("_" in name and name in written for name in tools)
    fitting_length = len(drawn) / 3 <= len(written) <= 2 * len(drawn) + 200
    return bool(written) and kept and not given_away and fitting_length


async def _ask_writer(texts: Sequence[str], writer: str) -> dict[str, str]:
    model, places = load_model(writer), asyncio.Semaphore(AT_ONCE)

    async def write(text: str) -> str:
        asked = Request((Message("user", ASKING.format(request=text)),), Decoding(max_tokens=200))
        async with places:
            try:
                return " ".join((await model.generate(asked)).text.split()).strip('"')
            except ProviderError:
                return ""

    try:
        answers = await asyncio.gather(*(write(text) for text in texts))
    finally:
        await model.close()
    return {text: answer for text, answer in zip(texts, answers, strict=True) if answer}


def _drawn_requests(suites: Suites) -> Iterator[tuple[str, list[JsonValue]]]:
    """Every request with the values of its row."""
    rows: list[NestedRow | TwinRow] = [*suites.nested, *suites.twins]
    for row in rows:
        yield row.request, [value for step in row.chain.steps for value in step.arguments.values()]
    for goal in suites.goals:
        yield goal.query, [value for step in goal.plan for value in _arguments_of_step(step).values()]
    for dialogue in suites.dialogues:
        steps = [step for turn in dialogue.turns for step in turn.calls]
        yield dialogue.turns[0].user, [value for step in steps for value in step.arguments.values()]


def _arguments_of_step(step: Record) -> Record:
    found: Record = step["arguments"]
    return found


def _replace_requests(suites: Suites, worded: Callable[[str], str]) -> Suites:
    return Suites(
        tuple(replace(row, request=worded(row.request)) for row in suites.nested),
        tuple(
            replace(row, turns=(replace(row.turns[0], user=worded(row.turns[0].user)), *row.turns[1:]))
            for row in suites.dialogues
        ),
        tuple(replace(row, request=worded(row.request)) for row in suites.twins),
        tuple(replace(row, query=worded(row.query)) for row in suites.goals),
    )
