"""Models that need no model: the perfect answer, the trivial ones, and answers read from a file.

A file to replay is the transcripts.jsonl of a run, or has one answer a line; rows without a turn
are a sample's turns in order:

    {"id": "7", "trial": 0, "turn": 0, "response": "[...]"}
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.checks import scripted_reply
from toolyard.core.errors import DataError, ProviderError, UsageError, closest_word
from toolyard.core.types import Completion, JsonValue, Request, Sample, derived_seed
from toolyard.lines import text_lines
from toolyard.models.base import Model, Price, estimated_usage
from toolyard.models.cache.stored_completions import read_completion
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

if TYPE_CHECKING:
    from toolyard.core.benchmark import Answerer, Benchmark
    from toolyard.core.checks import NativeAnswerer

KIND = "scripted"
ORACLE, EMPTY, REPLAY = "oracle", "empty", "replay:"
SAMPLE_FIELDS = ("sample", "id", "test_id")
TEXT_FIELDS = ("response", "text")


def load_scripted(spec: ModelSpec, context: LoadContext) -> Model:
    """The model behind `scripted/SCRIPT`."""
    script, benchmark = spec.rest, context.benchmark
    if script == EMPTY:
        return ScriptedModel(script, _empty_answer, (), context.seed)
    if script.startswith(REPLAY):
        return ReplayModel(Path(script.removeprefix(REPLAY)))
    if benchmark is None:
        raise UsageError(
            f"scripted/{script} answers the samples of a benchmark and can do nothing else, such as judging; "
            f"scripted/{EMPTY} and scripted/{REPLAY}FILE can"
        )
    if missing := missing_script(spec, benchmark):
        raise UsageError(f"{benchmark.name} has {missing}")
    native = benchmark.checks.native_oracle(context.style) if script == ORACLE else None
    return ScriptedModel(
        script, _answerers_by_name(benchmark, context.style)[script], context.samples, context.seed, native
    )


def missing_script(spec: ModelSpec, benchmark: Benchmark) -> str:
    """That the benchmark has no such script, and which it has; empty where it has it, or another kind of model is meant."""
    script, known = spec.rest, script_names(benchmark)
    if spec.kind != KIND or script in known or script.startswith(REPLAY):
        return ""
    near = closest_word(script, known)
    meant = f"did you mean {KIND}/{near}? " if near else ""
    return f"no {KIND}/{script}; {meant}it has {', '.join((*known, f'{REPLAY}FILE'))}"


def script_names(benchmark: Benchmark | None) -> tuple[str, ...]:
    """Every script but those that read a file: of a benchmark, or those that every benchmark has."""
    return ((ORACLE,) if benchmark is None else (*sorted(_answerers_by_name(benchmark)),)) + (EMPTY,)


def _answerers_by_name(benchmark: Benchmark, style: str = "") -> dict[str, Answerer]:
    return {ORACLE: benchmark.checks.oracle_of(style), **benchmark.checks.baselines}


def _empty_answer(*_: object) -> str:
    return ""


class ScriptedModel:
    """A benchmark's baseline as a model: deterministic, free and immediate.

    The generator it draws from depends on (seed, sample, trial) alone. Tokens are estimated at four
    characters each. Where it knows how, it makes `native` calls of the tools that a request offers.
    """

    price: Price | None = Price(0.0, 0.0)

    def __init__(
        self,
        script: str,
        answerer: Answerer,
        samples: Sequence[Sample],
        seed: int,
        native: NativeAnswerer | None = None,
    ) -> None:
        self.name = f"scripted/{script}"
        self._answerer = answerer
        self._needs_sample = answerer is not _empty_answer
        self._samples = {sample.id: sample for sample in samples}
        self._seed = seed
        self._native = native

    async def generate(self, request: Request) -> Completion:
        """The script's answer for the request's sample."""
        sample = self._samples.get(request.sample)
        if sample is None:
            if self._needs_sample:
                raise ProviderError(
                    "unknown_sample", f"{self.name} was not told of sample {request.sample!r}"
                )
            sample = Sample(request.sample, {}, None)
        if request.tools and self._native is not None:
            reply = self._native(sample, request.messages)
        else:
            rng = random.Random(derived_seed(self._seed, request.sample, request.trial))
            reply = scripted_reply(self._answerer(sample, request.messages, rng))
        return replace(reply, usage=estimated_usage(request, reply.text), model=self.name)

    async def close(self) -> None:
        """Nothing to end."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a file holds for one (sample, trial): its completions by turn, or the failure."""

    completions: tuple[Completion, ...]
    failure: str = ""


class ReplayModel:
    """Answers read from a file instead of a model; a sample that is not in it stays unanswered."""

    name = "scripted/replay"
    price: Price | None = Price(0.0, 0.0)

    def __init__(self, path: Path) -> None:
        self._path = path
        self._recorded = read_recorded(path)
        self._first_turns: dict[tuple[str, int], int] = {}

    async def generate(self, request: Request) -> Completion:
        """The recorded completion of this sample, trial and turn."""
        key = (request.sample, request.trial)
        recorded = self._recorded.get(key) or self._recorded.get((request.sample, None))
        # Turns count through a dialogue, recorded completions start anew with each of its samples.
        turn = request.turn - self._first_turns.setdefault(key, request.turn)
        if recorded is None or (not recorded.failure and turn >= len(recorded.completions)):
            raise ProviderError(
                "missing_prediction",
                f"{self._path} has no answer for sample {request.sample!r}, trial {request.trial}, turn {turn}",
            )
        if recorded.failure:
            raise ProviderError(recorded.failure, f"{self._path} recorded a failure here")
        completion = recorded.completions[turn]
        if completion.usage.prompt_tokens or completion.usage.completion_tokens:
            return completion
        usage = estimated_usage(request, completion.text)
        return Completion(completion.text, completion.finish_reason, usage, model=completion.model)

    async def close(self) -> None:
        """Nothing to end."""


def read_recorded(path: Path) -> dict[tuple[str, int | None], Recorded]:
    """What a file has for each (sample, trial); trial None stands for every trial."""
    found: dict[tuple[str, int | None], Recorded] = {}
    turns: dict[tuple[str, int | None], dict[int, Completion]] = {}
    for where, row in _replay_rows(path):
        sample = next((str(row[name]) for name in SAMPLE_FIELDS if row.get(name) is not None), None)
        if sample is None:
            raise DataError(f"{where}: no {'|'.join(SAMPLE_FIELDS)}; wanted one answer of one sample a line")
        key = (sample, _optional_number(row, "trial", where))
        if "completions" in row:
            found[key] = _read_transcript(row, where)
            continue
        answers = turns.setdefault(key, {})
        turn = _optional_number(row, "turn", where)
        answers[len(answers) if turn is None else turn] = _read_answer(row, where)
    for key, answers in turns.items():
        found[key] = Recorded(tuple(answers[turn] for turn in sorted(answers)))
    return found


def _replay_rows(path: Path) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    for number, line in enumerate(text_lines(path, "scripted/replay:FILE wants a jsonl file"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            # A run that was killed may end in half a line; the run itself drops it, too.
            if not line.endswith("\n"):
                return
            raise DataError(
                f"{path}, line {number} is not JSON ({error}); wanted one object a line"
            ) from error
        if not isinstance(row, dict):
            raise DataError(f"{path}, line {number} is not an object; wanted {{'id': ..., 'response': ...}}")
        yield f"{path}, line {number}", row


def _optional_number(row: dict[str, JsonValue], name: str, where: str) -> int | None:
    value = row.get(name)
    if value is not None and (not isinstance(value, int) or value < 0):
        raise DataError(f"{where}: {name} is {str(value)[:40]!r}; wanted a number from 0 up")
    return value


def _read_answer(row: dict[str, JsonValue], where: str) -> Completion:
    text = next((found for name in TEXT_FIELDS if isinstance(found := row.get(name), str)), None)
    if text is None:
        raise DataError(f"{where}: no text in {'|'.join(TEXT_FIELDS)}")
    return Completion(text, model=ReplayModel.name)


def _read_transcript(row: dict[str, JsonValue], where: str) -> Recorded:
    error = row.get("error")
    if isinstance(error, dict):
        return Recorded((), str(error.get("kind") or "recorded_failure"))
    found = row["completions"] or []
    if not isinstance(found, list):
        raise DataError(f"{where}: completions is a {type(found).__name__}; wanted a list")
    completions = tuple(map(read_completion, found))
    whole = tuple(completion for completion in completions if completion is not None)
    if len(whole) < len(completions):
        raise DataError(f"{where}: completions hold something that is not a completion")
    return Recorded(whole)


def _price_of_nothing(spec: ModelSpec) -> Price | None:  # noqa: ARG001 - every script is free
    return Price(0.0, 0.0)


PROVIDER = Provider(
    "scripted/oracle|empty|random|no-call|first-tool|...|replay:FILE (all names: toolyard list --json)",
    load_scripted,
    _price_of_nothing,
    names=script_names,
    kept=False,
)
