"""A report in memory, with everything that a page can show: groups, errors, evidence, unscored, published rows."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cases import cases
from toolyard.core.benchmark import (
    About,
    Benchmark,
    Checks,
    Data,
    Deviation,
    Grouping,
    Paper,
    PublishedRow,
    Reference,
    SavedResults,
    Scoring,
    Size,
    Table,
    Task,
    one_shot,
)
from toolyard.core.metrics import average, f1, mean, precision, recall
from toolyard.core.types import (
    PROFILES,
    Completion,
    Counts,
    Decoding,
    Evidence,
    Failure,
    Message,
    Options,
    Profile,
    Sample,
    Score,
    Transcript,
    Usage,
)
from toolyard.report.content import Report
from toolyard.run.grade.baselines import play_baselines
from toolyard.run.grade.evidence import Instruments
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.summary import Graded, summarise

TOOLS = ("find_train", "book_seat", "send_note", "convert_sum")
SCENARIOS = ("travel", "office", "money")
ABILITIES = ("format", "order", "tone", "depth")
INSTRUCTION = "Answer with a JSON list of calls. Use only the tools below and name every parameter.\n"

# What a hostile model or data set may write; each must stay text wherever it is shown.
INJECTIONS = cases(__file__, "INJECTIONS")


def toy_samples(count: int) -> tuple[Sample, ...]:
    """Samples over three scenarios and three depths, each with its own tool to find."""
    return tuple(
        Sample(
            id=f"s{n}",
            input={"query": f"Case {n}: please handle request number {n} of the {SCENARIOS[n % 3]} desk."},
            gold=[{"tool": TOOLS[n % 4], "to": f"place {n % 7}"}],
            groups={"scenario": SCENARIOS[n % 3], "depth": ("1", "2", "3+")[n // 3 % 3]},
        )
        for n in range(count)
    )


def hostile_samples() -> tuple[Sample, ...]:
    """One sample per injection string, which stands in its query, its gold and its group."""
    return tuple(
        Sample(
            f"h{n} {text}",
            {"query": text},
            gold=[{"tool": text, "to": text}],
            groups={"scenario": text, "depth": "1"},
        )
        for n, text in enumerate(INJECTIONS)
    )


def load(path: Path, options: Options) -> tuple[Sample, ...]:
    """`hostile`, or a number of samples."""
    text = path.read_text()
    return hostile_samples() if text == "hostile" else toy_samples(int(text))


def prompt(sample: Sample, options: Options) -> tuple[Message, ...]:
    tools = [
        {"api_name": name, "description": f"A tool that can {name.replace('_', ' ')}." * 2} for name in TOOLS
    ]
    return (Message("user", f"{INSTRUCTION}Tools:\n{tools}\n\nTask:\n{sample.input['query']}"),)


def parse(sample: Sample, transcript: Transcript, profile: Profile) -> Any:
    try:
        return json.loads(transcript.text)
    except ValueError:
        return Failure("not_json", transcript.text[:80])


def score(sample: Sample, prediction: Any, evidence: Mapping[str, Evidence], profile: Profile) -> Score:
    if isinstance(prediction, Failure) or not isinstance(prediction, list) or not prediction:
        detail = prediction.detail if isinstance(prediction, Failure) else ""
        return Score(
            sample.id,
            values={**dict.fromkeys(ABILITIES, 0.0)},
            counts={"call": Counts(0, 0, 1)},
            errors={"answer": {"unreadable": 1}},
            graded=detail,
            reasons=(f"the answer is not a list of calls: {detail}",),
        )
    call = prediction[0] if isinstance(prediction[0], dict) else {}
    right_tool = call.get("tool") == sample.gold[0]["tool"]
    right_place = call.get("to") == sample.gold[0]["to"]
    loose = 1.0 if profile == "official" else float(right_place)
    reasons = (
        [] if right_tool else [f"the tool is {call.get('tool')!r}, wanted was {sample.gold[0]['tool']!r}"]
    )
    reasons += [] if right_place else [f"`to` is {call.get('to')!r}, wanted was {sample.gold[0]['to']!r}"]
    labels = {"wrong_tool": int(not right_tool), "wrong_place": int(not right_place)}
    return Score(
        sample.id,
        values={
            "format": 1.0,
            "order": float(right_tool),
            "tone": loose,
            "depth": (right_tool + right_place) / 2,
        },
        counts={"call": Counts(float(right_tool), len(prediction), 1)},
        errors={"answer": {label: count for label, count in labels.items() if count}},
        graded=prediction,
        reasons=tuple(reasons),
    )


def guess(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
    return json.dumps([{"tool": rng.choice(TOOLS), "to": f"place {rng.randrange(7)}"}])


def oracle(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
    return json.dumps(sample.gold)


PARTS = (*(mean(name) for name in ABILITIES), f1("call"))


def page_benchmark(starter: Path) -> Benchmark:
    """The toy; `starter` is a file that holds a number of samples."""
    return Benchmark(
        about=About(
            name="pagetoy",
            version="1.0.0",
            title="Page Toy",
            paper=Paper("Toys that call tools", "Toy Conference 2026", ""),
        ),
        data=Data(load=load, starter=starter),
        task=Task(
            prompt=prompt,
            episode=one_shot,
            decoding=Decoding(max_tokens=64),
            templates={"instruction": INSTRUCTION},
        ),
        scoring=Scoring(
            parse=parse,
            score=score,
            metrics=(average("average", PARTS), *PARTS, precision("call"), recall("call")),
            headline="average",
            breakdowns=(Grouping("scenario"), Grouping("depth", ("1", "2", "3+"))),
            errors={"answer": ("wrong_tool", "wrong_place", "unreadable", "never_seen")},
            saved=SavedResults(lambda path, samples: ()),
            analysis=lambda rows, profile: (
                Table("Levels", ("level", "n"), (("one", len(rows)),), "a note"),
            ),
        ),
        reference=Reference(
            published=(
                PublishedRow("Table 1", "Big-70B", {"average": 0.71, "call_f1": 0.8}, kind="open", size=70),
                PublishedRow("Table 1", "Closed-1", {"average": 0.84, "call_f1": None}, kind="closed"),
                PublishedRow("Table 2", "Big-70B", {"tone": 0.5, "depth": 0.4}, group="travel"),
                PublishedRow("Table 2", "Big-70B", {"tone": 0.6, "depth": 0.3}, group="office"),
            ),
            deviations=(Deviation("tone", "exact place", "any place", "up to 40 points"),),
        ),
        checks=Checks(oracle=oracle, baselines={"random": guess}),
    )


def answer_of(sample: Sample, rng: random.Random) -> str:
    """A model that knows half of the tools, and sometimes just talks."""
    if rng.random() < 0.1:
        return "I am not sure which tool fits."
    tool = sample.gold[0]["tool"] if rng.random() < 0.6 else rng.choice(TOOLS)
    place = sample.gold[0]["to"] if rng.random() < 0.7 else "nowhere"
    return json.dumps([{"tool": tool, "to": place}])


def transcripts_of(samples: Sequence[Sample], answers: Mapping[str, str]) -> list[Transcript]:
    """Seeded answers, those given instead where given; the fourth sample failed at the provider."""
    rng = random.Random(4)
    found = []
    for place, sample in enumerate(samples):
        text = answers.get(sample.id, answer_of(sample, rng))
        messages = prompt(sample, Options())
        if place == 3 and sample.id not in answers:
            found.append(
                Transcript(sample.id, messages=messages, error=Failure("timeout", "no answer in 120 s"))
            )
            continue
        completion = Completion(text, usage=Usage(100, 20), latency=0.25, reasoning="hm, " + text[:20])
        found.append(Transcript(sample.id, 0, (*messages, Message("assistant", text)), (completion,)))
    return found


def toy_report(
    folder: Path,
    data_text: str = "120",
    *,
    model: str = "openai/toy-model",
    answers: Mapping[str, str] | None = None,
    replies: Sequence[str] = ("Fine.",),
) -> Report:
    """A run of the toy, graded under both profiles, nothing on disk but the data file."""
    data = folder / "data.txt"
    data.write_text(data_text)
    benchmark = page_benchmark(data)
    plan = Run.plan(Settings("pagetoy", model, data=str(data), runs=folder), benchmark)
    transcripts = transcripts_of(plan.samples, answers or {})
    graded = {profile: _graded(benchmark, plan.samples, transcripts, profile) for profile in PROFILES}
    instruments = Instruments(embedder="none")
    evidence = {
        (plan.samples[0].id, 0, str(n)): Evidence(
            plan.samples[0].id, f"quality-{n}", reply=reply, model="judge/one", key=str(n)
        )
        for n, reply in enumerate(replies)
    }
    return Report(
        folder=plan.folder,
        manifest=_manifest(plan.config.digest()),
        run=plan,
        summaries={p: summarise(benchmark, items, p, resamples=50) for p, items in graded.items()},
        graded=graded,
        baselines=play_baselines(plan.setup, plan.samples, instruments),
        evidence=evidence,
    )


def hostile_report(folder: Path) -> Report:
    """A report in which every text that a stranger may write is an attack."""
    answers = {sample.id: json.dumps(sample.gold) + sample.input["query"] for sample in hostile_samples()}
    answers[list(answers)[1]] = json.dumps([{"tool": INJECTIONS[2], "to": INJECTIONS[0]}])
    return toy_report(folder, "hostile", model=f"openai/{INJECTIONS[1]}", answers=answers, replies=INJECTIONS)


def _graded(
    benchmark: Benchmark, samples: Sequence[Sample], transcripts: Sequence[Transcript], profile: Profile
) -> list[Graded]:
    found = []
    for sample, transcript in zip(samples, transcripts, strict=True):
        if transcript.error is not None:
            score_ = Score(sample.id, unscored=transcript.error.kind)
        else:
            score_ = benchmark.scoring.score(sample, parse(sample, transcript, profile), {}, profile)
        found.append(Graded(sample, transcript, replace(score_, sample=sample.id)))
    return found


def _manifest(digest: str) -> dict[str, Any]:
    return {
        "digest": digest, "judge": "", "similarity": "none", "package_version": "0.0.0",
        "started": "2026-01-02T03:04:05+00:00",
        "finished": "2026-01-02T03:05:05+00:00", "usage": {"prompt_tokens": 12000, "completion_tokens": 2400}, "cost": None,
        "engine": {"python": "3.11"},
    }  # fmt: skip


def with_sizes(report: Report) -> Report:
    """The report of a benchmark that knows how many calls and levels a sample has."""
    sizes = (
        Size("calls", lambda sample, score: str(int(sample.id[1:]) % 12), "tone"),
        Size("depth", lambda sample, score: sample.groups.get("depth")),
    )
    return with_benchmark(
        report,
        scoring=replace(report.benchmark.scoring, breakdowns=(*report.benchmark.scoring.groupings, *sizes)),
    )


def with_benchmark(report: Report, **parts: Any) -> Report:
    """The report as if its benchmark had these parts."""
    setup = replace(report.setup, benchmark=replace(report.benchmark, **parts))
    return replace(report, run=replace(report.run, setup=setup))
