"""What a probe shows of a model: tools confused, parameters invented, refusals missed, decay; each with its samples."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toolyard.core.metrics import Row, mean
from toolyard.core.types import JsonValue, Record, Score
from toolyard.owntools.probe.probe_run import ToolProbe
from toolyard.owntools.probe.sample_observations import Seen, observe_runs
from toolyard.run.grade.baselines import run_baselines
from toolyard.run.play.execute import RunResult
from toolyard.stats.bootstrap import Estimate, estimate

MOST_IDS = 5
# Tools that fewer samples want are not judged.
FEWEST = 3
_LABEL = re.compile(r"API_call_\d+|\w+\.\w+")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its interval, and the samples that are behind it."""

    name: str
    share: Estimate
    samples: int
    wrong: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """The rate as plain data."""
        return {
            "name": self.name, "value": self.share.value, "low": self.share.low, "high": self.share.high,
            "samples": self.samples, "wrong": list(self.wrong),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Headline:
    """A benchmark's metric for the model and for the best trivial baseline."""

    benchmark: str
    figure: str
    value: Estimate
    samples: int
    baseline: str
    baseline_value: float | None
    run: str


@dataclass(frozen=True, slots=True)
class Invented:
    """An invented parameter: one that the tool does not have, or a value that was never given."""

    tool: str
    parameter: str
    kind: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolProfile:
    """Everything that the page shows."""

    model: str
    source: str
    style: str
    tools: tuple[str, ...]
    seen: tuple[Seen, ...]
    headlines: tuple[Headline, ...]
    per_tool: tuple[Rate, ...]
    confusions: tuple[tuple[str, str, tuple[str, ...]], ...]
    invented: tuple[Invented, ...]
    refusals: tuple[Rate, ...]
    turns: tuple[Rate, ...]
    depths: tuple[Rate, ...]

    def to_json(self) -> Record:
        """What profile.json holds."""
        return {
            "model": self.model,
            "source": self.source,
            "style": self.style,
            "tools": list(self.tools),
            "headlines": [
                {
                    "benchmark": each.benchmark, "figure": each.figure, "value": each.value.value,
                    "low": each.value.low, "high": each.value.high, "samples": each.samples,
                    "best_baseline": each.baseline, "best_baseline_value": each.baseline_value, "run": each.run,
                }
                for each in self.headlines
            ],
            "tools_right": [rate.to_json() for rate in self.per_tool],
            "confused": [{"wanted": a, "called": b, "samples": list(ids)} for a, b, ids in self.confusions],
            "invented": [
                {"tool": each.tool, "parameter": each.parameter, "kind": each.kind, "samples": list(each.samples)}
                for each in self.invented
            ],
            "refusals": [rate.to_json() for rate in self.refusals],
            "over_turns": [rate.to_json() for rate in self.turns],
            "over_depth": [rate.to_json() for rate in self.depths],
            "samples": len(self.seen),
        }  # fmt: skip


def make_profile(probe: ToolProbe) -> ToolProfile:
    """The profile of a finished probe."""
    seen = observe_runs(probe.results)
    tools = tuple(tool.name for tool in probe.shop.mirror.source.tools)
    first = next(iter(probe.results.values()))
    return ToolProfile(
        model=first.run.config.model,
        source=probe.shop.mirror.source.name if probe.shop.mirror.about.get("name") is None
        else str(probe.shop.mirror.about["name"]),
        style=probe.settings.style,
        tools=tools,
        seen=seen,
        headlines=tuple(_suite_headline(result) for result in probe.results.values()),
        per_tool=tuple(_tool_choice_rates(seen, tools)),
        confusions=find_confusions(seen),
        invented=tuple(find_invented(seen, probe)),
        refusals=tuple(_refusal_rates(seen)),
        turns=tuple(_rates_by_level(seen, "mtu", "turn")),
        depths=tuple(_rates_by_level(seen, "nestools", "depth")),
    )  # fmt: skip


def key_of(each: Seen) -> str:
    """The name of a sample over all suites."""
    return f"{each.benchmark}/{each.id}"


def bootstrap_rate(name: str, flags: Sequence[tuple[Seen, bool]]) -> Rate:
    """The share of samples for which a flag holds, with a bootstrap interval over clusters."""
    rows = [
        Row(Score(key_of(each), values={"flag": float(flag)}), f"{each.benchmark}/{each.cluster}", {})
        for each, flag in flags
    ]
    share = estimate((mean("flag"),), rows)["flag"] if rows else Estimate(None, None, None)
    return Rate(name, share, len(rows), tuple(key_of(each) for each, flag in flags if not flag))


def _suite_headline(result: RunResult) -> Headline:
    run, summary = result.run, result.summaries["paper"]
    # The outcome is the figure that all four have, whatever a source's rows look like.
    figure = "outcome" if "outcome" in summary.figures else run.setup.headline
    found = run_baselines(run, run.instruments())["paper"]
    values = [(each.figures.get(figure), each.name) for each in found if each.figures.get(figure) is not None]
    best = max(values, default=(None, ""))
    return Headline(
        run.benchmark.name,
        figure,
        summary.figures[figure],
        summary.samples,
        str(best[1]),
        best[0],
        str(result.folder),
    )


def _tool_choice_rates(seen: Sequence[Seen], tools: Sequence[str]) -> Iterator[Rate]:
    """For each tool the share of samples that want it and get exactly that call's tool."""
    for tool in tools:
        flags = [
            (each, tool in [call.tool for call in each.called])
            for each in seen
            if tool in [call.tool for call in each.wanted]
        ]
        if flags:
            yield bootstrap_rate(tool, flags)


def find_confusions(seen: Sequence[Seen]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """(wanted, called, samples), the most frequent first."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in seen:
        for pair in each.confusions():
            found[pair].append(key_of(each))
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple((a, b, tuple(ids)) for (a, b), ids in ordered)


def find_invented(seen: Sequence[Seen], probe: ToolProbe) -> Iterator[Invented]:
    """Parameters that tools do not have, and values that occur nowhere in the prompt."""
    known = {
        name: {each.name: each for each in doc.parameters} for name, doc in probe.documents.known.items()
    }
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for each in seen:
        for call in each.called:
            if call.tool not in known or call.arguments is None:
                continue
            for name, value in call.arguments.items():
                kind = _kind_of_invention(name, value, known[call.tool], each)
                if kind:
                    found[call.tool, str(name)[:60], kind].append(key_of(each))
    for (tool, parameter, kind), ids in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        yield Invented(tool, parameter, kind, tuple(dict.fromkeys(ids)))


def _kind_of_invention(name: str, value: JsonValue, parameters: Record, each: Seen) -> str:
    if name not in parameters:
        return "parameter that the tool does not have"
    wanted = [call.arguments[name] for call in each.wanted if call.arguments and name in call.arguments]
    if value in wanted or each.benchmark == "tooleyes":  # there, what tools returned may be used as well
        return ""
    about = parameters[name]
    left_out = value is None and not about.required
    if left_out or value in about.choices or value == about.default or isinstance(value, bool):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if _LABEL.fullmatch(text) or text.casefold() in each.request.casefold():
        return ""
    return "value that nobody gave"


def _refusal_rates(seen: Sequence[Seen]) -> Iterator[Rate]:
    """Where the right answer is no: by verdict, by plan, and in dialogues; and how often it is said wrongly."""
    unsolvable = [each for each in seen if each.refuses and each.refused is not None]
    kinds: dict[str, Callable[[Seen], bool]] = {
        "says that a task cannot be done (verdict)": lambda s: (
            s.benchmark == "toolbehonest" and s.id.endswith("/1")
        ),
        "marks the step that cannot be done (plan)": lambda s: (
            s.benchmark == "toolbehonest" and not s.id.endswith("/1")
        ),
        "calls nothing in a turn that wants no call": lambda s: s.benchmark == "mtu",
    }
    for name, belongs in kinds.items():
        flags = [(each, bool(each.refused)) for each in unsolvable if belongs(each)]
        if flags:
            yield bootstrap_rate(name, flags)
    wanted = [(each, bool(each.called)) for each in seen if each.benchmark == "mtu" and not each.refuses]
    if wanted:
        yield bootstrap_rate("makes a call in a turn that wants one", wanted)


def _rates_by_level(seen: Sequence[Seen], benchmark: str, word: str) -> Iterator[Rate]:
    chosen = [each for each in seen if each.benchmark == benchmark and each.right is not None]
    for level, count in sorted(Counter(each.level for each in chosen).items()):
        if count:
            yield bootstrap_rate(
                f"{word} {level}", [(each, bool(each.right)) for each in chosen if each.level == level]
            )


def most_confused(profile: ToolProfile, number: int) -> list[str]:
    """The tools that are missed most often where they are wanted, as far as a few samples want them."""
    rates = [rate for rate in profile.per_tool if rate.samples >= FEWEST and rate.wrong]
    ranked = sorted(rates, key=lambda rate: (rate.share.value or 0.0, -rate.samples, rate.name))
    return [rate.name for rate in ranked[:number]]
