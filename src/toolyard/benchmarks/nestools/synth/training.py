"""The NesTools part of a mixture: goals and other flat requests in the default prompt, with the answer as its form asks.

Similar tools stand beside those of the request, as in the benchmark: five for each, fewer where the row gets too long.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks.nestools.data.distractors import PER_GOLD_TOOL, is_distinct_name
from toolyard.benchmarks.nestools.data.rows import TOOL_FIELDS, call_with_id, row_groups, with_id
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.baselines import oracle
from toolyard.benchmarks.nestools.scoring.parse import parse_paper
from toolyard.benchmarks.nestools.synth.record_documents import record_document
from toolyard.benchmarks.nestools.synth.similar_tools import names, nearest_neighbours, pool
from toolyard.benchmarks.nestools.task.prompt import prompt
from toolyard.core.nesting import label_of_number
from toolyard.core.types import Failure, JsonValue, Message, Options, Record, Sample, derived_seed
from toolyard.synth.chains.chain import Argument, ResultReference
from toolyard.synth.goals.goal_book import Filling
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.goal_requests import SOURCE, draft_filling, execution_failure, goal_drafts
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.nonsense import nonsense_words
from toolyard.synth.mixture.rows import TrainingRow, estimate_tokens
from toolyard.synth.mixture.seal_tools import SealRequest
from toolyard.synth.stages import Context, Rows

OPTIONS = Options(style="default")
NEAR = 3
HIGHEST_ID = 3000
SEAL_SHARE = 0.15
CALL_KEYS = ("parameters", "responses")


@dataclass(frozen=True, slots=True)
class FlatRequest:
    """A request with its calls in the form of the data, its tools, and others that may stand beside them."""

    id: str
    source: str
    query: str
    calls: tuple[Record, ...]
    tools: tuple[Record, ...]
    others: tuple[Record, ...]


def drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:  # noqa: ARG001
    """So many requests: goals, and some of Seal-Tools where that is there."""
    sources = context.folders.get("sources")
    known = seal_tools.seal_requests(sources) if sources is not None and seal_tools.is_here(sources) else ()
    several = [request for request in known if len(request.calling) > 1]
    rng = random.Random(derived_seed(context.seed, "nestools/seal", 0))
    taken = rng.sample(several, min(len(several), round(count * SEAL_SHARE)))
    for request in taken:
        others = rng.sample(
            sorted(seal_tools.seal_tools_by_name(sources or Path())), PER_GOLD_TOOL * len(request.tools)
        )
        yield {
            "id": request.id,
            "origin": request.id,
            "seal": _seal_fields(request, others, sources or Path()),
        }
    yield from goal_drafts(count - len(taken), context.seed)


def _seal_fields(request: SealRequest, others: Sequence[str], sources: Path) -> dict[str, JsonValue]:
    names = {tool["api_name"] for tool in request.tools}
    known = seal_tools.seal_tools_by_name(sources)
    calls = [{"api_name": call["api"], **{key: call[key] for key in CALL_KEYS}} for call in request.calling]
    return {
        "query": request.query,
        "calls": calls,
        "tools": [_shown_tool(tool) for tool in request.tools],
        "others": [_shown_tool(known[name]) for name in others if is_distinct_name(name, sorted(names))],
    }


def _shown_tool(tool: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {key: tool[key] for key in TOOL_FIELDS}


def rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:
    """The row of a draft, or why there is none."""
    rng = random.Random(derived_seed(settings.seed, f"nestools/{draft['id']}", 0))
    if "seal" in draft:
        parts = {key: draft["seal"][key] for key in ("query", "calls", "tools", "others")}
        request = FlatRequest(draft["id"], seal_tools.NAME, **parts)
    elif failed := execution_failure(draft):
        yield Failure(failed, draft["id"])
        return
    else:
        request = flat_request(draft["id"], draft_filling(draft), rng)
    yield training_row(request, settings.most_tokens, rng, renamed=rng.random() < settings.renamed)


def flat_request(name: str, filling: Filling, rng: random.Random) -> FlatRequest:
    """A goal with values in the form of the data."""
    tools = [step.tool for step in filling.plan]
    labels: list[dict[str, str]] = []
    calls = []
    given = 0
    for step in filling.plan:
        returned = list(record_document(step.tool)["responses"])
        labels.append({field: label_of_number(given + place) for place, field in enumerate(returned)})
        given += len(returned)
        parameters = {key: _value_with_labels(value, labels) for key, value in step.arguments.items()}
        calls.append(
            {"api_name": names()[step.tool], "parameters": parameters, "responses": list(labels[-1].values())}
        )
    return FlatRequest(
        name,
        SOURCE,
        filling.text,
        tuple(calls),
        tuple(record_document(tool) for tool in dict.fromkeys(tools)),
        tuple(record_document(tool) for tool in _draw_distractors(list(dict.fromkeys(tools)), rng)),
    )


def _value_with_labels(given: Argument, labels: Sequence[Mapping[str, str]]) -> object:
    if isinstance(given, list):
        return [_value_with_labels(each, labels) for each in given]
    if isinstance(given, ResultReference):
        return labels[given.step][given.field]
    return given


def _draw_distractors(gold: Sequence[str], rng: random.Random) -> list[str]:
    """Neighbours of every tool and some by chance, none with nearly the name of one that is wanted."""
    wanted = [names()[tool] for tool in gold]
    chosen: dict[str, None] = {}

    def fits(tool: str) -> bool:
        return tool not in gold and not is_held_out(tool) and is_distinct_name(names()[tool], wanted)

    for tool in gold:
        near = [other for other in nearest_neighbours(tool)[:12] if fits(other)]
        chosen |= dict.fromkeys(rng.sample(near, min(NEAR, len(near))))
    rest = rng.sample(pool(), 8 * len(gold))
    chosen |= dict.fromkeys(tool for tool in rest if fits(tool))
    return list(chosen)[: PER_GOLD_TOOL * len(gold)]


def training_row(
    request: FlatRequest, most_tokens: int, rng: random.Random, *, renamed: bool = False
) -> TrainingRow | Failure:
    """The row of one request, or why there is none."""
    if renamed:
        request = rename_to_nonsense(request, rng)
    ids = rng.sample(range(HIGHEST_ID), len(request.tools) + len(request.others))
    tools = [with_id(tool, number) for tool, number in zip(request.tools, ids, strict=False)]
    others = [with_id(tool, number) for tool, number in zip(request.others, ids[len(tools) :], strict=True)]
    known = {tool["api_name"]: tool["api_id"] for tool in tools}
    calls = [call_with_id(call, known[call["api_name"]]) for call in request.calls]
    sample: NestoolsSample = Sample(
        request.id, {"query": request.query, "tools": tools}, {"calls": calls}, groups=row_groups(calls, "")
    )
    answer = oracle(sample, (), rng)
    # Two estimates that were rounded may be one less than that of the whole.
    sample, messages = _fit_with_others(sample, others, most_tokens - estimate_tokens(len(answer)) - 1)
    if not messages:
        return Failure("too_long", request.id)
    if isinstance(parse_paper(answer), Failure):
        return Failure("unreadable_answer", request.id)
    group = f"nestools {len(calls)} calls"
    return TrainingRow(f"nestools/{request.id}", "nestools", group, request.source, messages, answer, renamed)


def _fit_with_others(
    sample: NestoolsSample, others: Sequence[object], room: int
) -> tuple[NestoolsSample, tuple[Message, ...]]:
    """The sample with as many others as there is room for; no message where there is none even without."""
    count = len(others)
    while count >= 0:
        offered = sample.with_input({"distractors": list(others[:count])})
        messages = prompt(offered, OPTIONS)
        over = estimate_tokens(sum(len(message.content) for message in messages)) - room
        if over <= 0:
            return offered, messages
        count -= max(1, over // 150)
    return sample, ()


def rename_to_nonsense(request: FlatRequest, rng: random.Random) -> FlatRequest:
    """The request with every tool and parameter under a word that means nothing."""
    words = nonsense_words(rng)
    tools: dict[str, str] = {}
    fields: dict[str, str] = {}
    for tool in (*request.tools, *request.others):
        tools[tool["api_name"]] = next(words)
        for name in (*tool["parameters"], *tool["responses"]):
            if name not in fields:
                fields[name] = next(words)

    def rename_tool(tool: Record) -> dict[str, JsonValue]:
        return {
            **tool,
            "api_name": tools[tool["api_name"]],
            "parameters": {fields[name]: entry for name, entry in tool["parameters"].items()},
            "required": [fields[name] for name in tool["required"] if name in fields],
            "responses": {fields[name]: entry for name, entry in tool["responses"].items()},
        }

    calls = tuple(
        {
            **call,
            "api_name": tools[call["api_name"]],
            "parameters": {fields[name]: value for name, value in call["parameters"].items()},
        }
        for call in request.calls
    )
    return FlatRequest(
        f"{request.id}#renamed",
        request.source,
        request.query,
        calls,
        tuple(map(rename_tool, request.tools)),
        tuple(map(rename_tool, request.others)),
    )
