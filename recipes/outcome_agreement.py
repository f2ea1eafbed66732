"""Do careful readers sign `outcome`? Real answers as a sheet without any score, and later labels beside the figures.

    python recipes/outcome_agreement.py export BENCH ANSWERS [ANSWERS ...] [--data PATH] --number 100 --seed 21 --out S.jsonl
    # a reader who sees nothing but the sheet writes, a line each:  {"id": "nestools-001", "label": "right", "why": "..."}
    python recipes/outcome_agreement.py compare S.key.jsonl LABELS [LABELS] --answers ANSWERS [ANSWERS ...] [--data PATH]

ANSWERS is a run directory, a file below `records/answers`, or saved predictions in the benchmark's official form; several
are sampled in equal shares. The sheet shows what was asked last, the tools, what is wanted (not with `--hide-gold`) and the
answer, in a seeded order over all settings or levels; nothing in it comes from a scorer or names a model. Which answer a
line is stands in `S.key.jsonl`, which no reader gets. Labels are `right`, `wrong` and `unsure`. `compare` prints,
for the strict figure of each profile and for `outcome`, the agreement with every reader, kappa and the four counts, then the
agreement among readers and every disagreement with the reasons that both sides gave. Unsure labels and answers without an
outcome are counted and left out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.types import Failure, Options, Sample, Score, Transcript
from toolyard.run.grade.grading import grade
from toolyard.run.plan.data_sources import load_samples, prepare_samples
from toolyard.run.store.packs import read_pack
from toolyard.run.store.records import read_transcript
from toolyard.run.store.run_directory import TRANSCRIPTS, RunStore
from toolyard.stats.agreement import cohen_kappa

LAST_TURNS = 6
LONGEST_OBSERVATION = 1_500
LABELS = {"right": True, "wrong": False, "unsure": None}
# The values that say, all together, that the printed definitions find nothing wrong with an answer.
STRICT = {
    "mtu": ("right",),
    "nestools": ("tree",),
    "toolbehonest": ("l1_em", "l2_pr", "l3_pr", "solvable_l1_em", "solvable_l2_pr", "solvable_l3_pr"),
    "tooleyes": ("answer_pass",),
}
ASKED = {"mtu": "user", "nestools": "query", "toolbehonest": "task", "tooleyes": "query"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, the sample that it answers, and where it was found."""

    source: str
    sample: Sample
    transcript: Transcript

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from all others."""
        return self.source, self.sample.id, self.transcript.trial


def answers(benchmark: Benchmark, paths: Sequence[Path], data: str) -> list[Answer]:
    """Every answered sample of all sources; an answer whose prompt asked something else than the data do is left out."""
    found: list[Answer] = []
    loaded: dict[str, tuple[Sample, ...]] = {}
    for path in paths:
        held = data or _data_of(path)
        samples = loaded[held] = loaded[held] if held in loaded else _samples(benchmark, held)
        by_id = {sample.id: sample for sample in samples}
        given = [each for each in _transcripts(benchmark, path, samples) if each.error is None]
        known = [
            each for each in given if each.sample in by_id and _asked(benchmark, by_id[each.sample], each)
        ]
        if len(known) < len(given):
            print(
                f"{path.name}: {len(given) - len(known)} answers are to other rows than those of {held}",
                file=sys.stderr,
            )
        found += [Answer(_name(path), by_id[each.sample], each) for each in known]
    return found


def _samples(benchmark: Benchmark, data: str) -> tuple[Sample, ...]:
    loaded = load_samples(benchmark, data, Options(benchmark.task.styles[0]))
    return prepare_samples(benchmark, data, loaded, "minilm", 0)


def _name(path: Path) -> str:
    return path.name.partition(".jsonl")[0]


def _data_of(path: Path) -> str:
    manifest = RunStore(path).manifest() if path.is_dir() and (path / TRANSCRIPTS).is_file() else None
    return str(manifest["data"]) if manifest else "starter"


def _transcripts(benchmark: Benchmark, path: Path, samples: tuple[Sample, ...]) -> Iterable[Transcript]:
    if path.is_dir() and (path / TRANSCRIPTS).is_file():
        return RunStore(path).transcripts().values()
    if path.suffix == ".xz":
        rows = list(map(json.loads, lzma.decompress(path.read_bytes()).splitlines()))
        if "form" in rows[0]:
            return map(read_transcript, read_pack(path).transcripts)
        return [Transcript.answered(row["id"], row["response"]) for row in rows]
    if benchmark.scoring.read_predictions is None:
        sys.exit(f"{path} is no run directory, and {benchmark.name} reads no saved predictions")
    return benchmark.scoring.read_predictions(path, samples)


def _asked(benchmark: Benchmark, sample: Sample, transcript: Transcript) -> bool:
    """Whether the prompt, where one is kept, holds what the sample asks."""
    wanted = " ".join(str(sample.input[ASKED[benchmark.name]]).split())
    seen = " ".join(" ".join(message.content for message in transcript.messages).split())
    prompted = any(message.role != "assistant" for message in transcript.messages)
    return not prompted or wanted in seen


def export(arguments: argparse.Namespace) -> None:
    """Write the sheet and its key: so many answers in a seeded order, without a score."""
    benchmark = load_benchmark(arguments.benchmark)
    left_out = set(arguments.without.read_text(encoding="utf-8").split()) if arguments.without else set()
    pool = [
        each
        for each in answers(benchmark, arguments.answers, arguments.data)
        if each.sample.id not in left_out
    ]
    chosen = _chosen(pool, arguments.number, random.Random(arguments.seed))
    lines, keys = [], []
    for number, answer in enumerate(chosen, 1):
        name = f"{benchmark.name}-{number:03}"
        shown = _shown(answer.sample, answer.transcript)
        if arguments.hide_gold:
            shown.pop("wanted")
        lines.append({"id": name, "benchmark": benchmark.name, **shown})
        keys.append(
            {
                "id": name,
                "source": answer.source,
                "sample": answer.sample.id,
                "trial": answer.transcript.trial,
            }
        )
    _write(arguments.out, lines)
    _write(_key_path(arguments.out), keys)
    print(f"{len(lines)} of {len(pool)} answers, seed {arguments.seed}: {arguments.out}")


def _chosen(pool: Sequence[Answer], number: int, rng: random.Random) -> list[Answer]:
    """An equal share of every source, no sample twice as long as there are others."""
    by_source: dict[str, list[Answer]] = {}
    for answer in pool:
        by_source.setdefault(answer.source, []).append(answer)
    for own in by_source.values():
        rng.shuffle(own)
    chosen: list[Answer] = []
    used: set[str] = set()
    while len(chosen) < number and any(by_source.values()):
        for own in by_source.values():
            if own and len(chosen) < number:
                fresh = next((each for each in own if each.sample.id not in used), own[0])
                own.remove(fresh)
                used.add(fresh.sample.id)
                chosen.append(fresh)
    rng.shuffle(chosen)
    return chosen


def _key_path(sheet: Path) -> Path:
    return sheet.with_name(f"{sheet.name.removesuffix('.jsonl')}.key.jsonl")


def _shown(sample: Sample, transcript: Transcript) -> dict[str, Any]:
    """What a reader needs to judge one answer."""
    if isinstance(sample.gold, QueryGold):
        return _shown_episode(sample, transcript)
    seen: Mapping[str, Any] = sample.input
    if "query" in seen:
        asked, tools = seen["query"], [*seen["tools"], *seen.get("distractors", ())]
    elif "task" in seen:
        asked, tools = f"(level {seen['level']}) {seen['task']}", seen["tools"]
    else:
        asked = {"prompt ends": seen["instructions"][-200:], "history": seen["history"][-LAST_TURNS:]}
        asked |= {"user": seen["user"], "after": seen["after"]}
        tools = seen["tools"]
    return {"asked": asked, "tools": tools, "wanted": _wanted(sample), "answer": _said(transcript)}


def _wanted(sample: Sample) -> Any:
    gold = sample.gold
    if isinstance(gold, Mapping):
        return {key: gold[key] for key in ("calls", "alternatives") if key in gold}
    others = [list(other.plan) for other in gold.others]
    return (
        {"verdict": gold.verdict} if sample.input["level"] == 1 else {"plan": list(gold.plan), "or": others}
    )


def _said(transcript: Transcript) -> Any:
    calls = [call for completion in transcript.completions for call in completion.tool_calls]
    return {"text": transcript.text, "calls": calls} if calls else transcript.text


def _shown_episode(sample: Sample, transcript: Transcript) -> dict[str, Any]:
    """A whole conversation with tools, what it changed, and what a right one came to."""
    reference = transcript.notes.get("reference") or {}
    observations = reference.get("observations", [])
    answer = sample.gold.right_answer(observations)
    plan = [{"tool": step.tool, "arguments": step.arguments} for step in sample.gold.plan]
    turns = transcript.notes.get("conversation", [])
    return {
        "asked": {"query": sample.input["query"], "the user also knows": sample.input.get("slots")},
        "tools": [
            {"name": each.get("name"), "description": each.get("description")}
            for each in sample.input.get("documents", ())
        ],
        "wanted": {
            "one right answer": sample.gold.answer if isinstance(answer, Failure) else answer,
            "one right plan": plan,
            "changes": reference.get("changes", {}),
        },
        "conversation": [{"from": turn["from"], "text": _cut(str(turn["value"]))} for turn in turns],
        "changes": transcript.notes.get("world"),
        "answer": transcript.text,
    }


def _cut(text: str) -> str:
    return (
        text
        if len(text) <= LONGEST_OBSERVATION
        else f"{text[:LONGEST_OBSERVATION]} ... ({len(text)} letters)"
    )


def compare(arguments: argparse.Namespace) -> None:
    """Print how far labels and figures agree, and every disagreement with `outcome`."""
    rows = _lines(arguments.key)
    keys = {row["id"]: (row["source"], row["sample"], row["trial"]) for row in rows}
    benchmark = load_benchmark(rows[0]["id"].partition("-")[0])
    found = {each.key: each for each in answers(benchmark, arguments.answers, arguments.data)}
    lost = sorted(name for name, key in keys.items() if key not in found)
    if lost:
        print(f"{len(lost)} answers of the sheet are not among those given: {', '.join(lost[:5])} ...")
    scores = {name: scores_of(benchmark, found[key]) for name, key in keys.items() if key in found}
    figures = figures_of(benchmark, scores)
    undecided = sorted(name for name in scores if name not in figures["outcome"])
    print(f"{len(undecided)} answers without an outcome: {', '.join(undecided) or 'none'}")
    readers = [labels_of(path) for path in arguments.labels]
    for path, labels in zip(arguments.labels, readers, strict=True):
        _print_reader(path.stem, labels, figures)
        for line in disagreements(labels, figures["outcome"], scores, keys):
            print(line)
    if len(readers) == 2:
        _print_agreement("the two readers", sure(readers[0]), sure(readers[1]))


def scores_of(benchmark: Benchmark, answer: Answer) -> dict[str, Score]:
    setup = RunSetup.default(benchmark)
    return {
        profile: grade(setup, answer.sample, answer.transcript, {}, profile).score
        for profile in benchmark.profiles
    }


def figures_of(benchmark: Benchmark, scores: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, bool]]:
    """Whether each answer is right, by the strict figures of each profile and by `outcome`; undecided ones are not there."""
    names = [*(f"{profile}, strict" for profile in benchmark.profiles), "outcome"]
    found: dict[str, dict[str, bool]] = {name: {} for name in names}
    for name, by_profile in scores.items():
        for profile, score in by_profile.items():
            known = [score.values[key] for key in STRICT[benchmark.name] if score.values.get(key) is not None]
            if known:
                found[f"{profile}, strict"][name] = all(value == 1 for value in known)
        outcome = by_profile["paper"].values.get("outcome")
        if outcome is not None:
            found["outcome"][name] = outcome == 1
    return found


def labels_of(path: Path) -> dict[str, dict[str, Any]]:
    rows = _lines(path)
    wrong = [row for row in rows if row.get("label") not in LABELS or "id" not in row]
    if wrong:
        sys.exit(f'{path}: found {wrong[0]}; wanted is {{"id", "label": right|wrong|unsure, "why"}} a line')
    return {row["id"]: row for row in rows}


def sure(labels: Mapping[str, Mapping[str, Any]]) -> dict[str, bool]:
    said = {name: LABELS[row["label"]] for name, row in labels.items()}
    return {name: label for name, label in said.items() if label is not None}


def _print_reader(
    name: str, labels: Mapping[str, Mapping[str, Any]], figures: Mapping[str, Mapping[str, bool]]
) -> None:
    said = Counter(row["label"] for row in labels.values())
    print(f"\n{name}: {', '.join(f'{said[label]} {label}' for label in LABELS)}")
    print(
        "| figure | agree | of | share | kappa | both right | both wrong | only the reader right | only the figure right |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    said_surely = sure(labels)
    for figure, values in figures.items():
        pairs = Counter((said_surely[item], values[item]) for item in said_surely if item in values)
        same, number = pairs[True, True] + pairs[False, False], pairs.total()
        kappa = cohen_kappa(
            [first for first, _ in pairs.elements()], [second for _, second in pairs.elements()]
        )
        cells = [same, number, f"{same / max(number, 1):.1%}", "-" if kappa is None else f"{kappa:.3f}"]
        cells += [pairs[True, True], pairs[False, False], pairs[True, False], pairs[False, True]]
        print(f"| {figure} | {' | '.join(map(str, cells))} |")


def disagreements(
    labels: Mapping[str, Mapping[str, Any]],
    outcome: Mapping[str, bool],
    scores: Mapping[str, Mapping[str, Score]],
    keys: Mapping[str, tuple[str, str, int]],
) -> Iterator[str]:
    for name, label in sorted(sure(labels).items()):
        if name in outcome and label != outcome[name]:
            source, sample, _ = keys[name]
            yield f"  {name} ({source}, {sample}): the reader says {labels[name]['label']}: {labels[name].get('why', '')}"
            said = "right" if outcome[name] else f"wrong: {_reason(scores[name]['paper'])}"
            yield f"    outcome says {said}"


def _reason(score: Score) -> str:
    said = score.graded.get("outcome") if isinstance(score.graded, Mapping) else None
    return str(said or "; ".join(score.reasons) or "nothing to object")


def _print_agreement(name: str, first: Mapping[str, bool], second: Mapping[str, bool]) -> None:
    both = [(first[item], second[item]) for item in sorted(first) if item in second]
    same = sum(one == other for one, other in both)
    kappa = cohen_kappa([one for one, _ in both], [other for _, other in both])
    shown = "-" if kappa is None else f"{kappa:.3f}"
    print(f"\n{name}: {same} of {len(both)} agree ({same / max(len(both), 1):.1%}), kappa {shown}")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows), encoding="utf-8"
    )


def main(given: Sequence[str] | None = None) -> None:
    """The two commands of the module's first lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    exporting = commands.add_parser("export")
    exporting.add_argument("benchmark", choices=sorted(STRICT))
    exporting.add_argument("answers", type=Path, nargs="+")
    exporting.add_argument("--number", type=int, default=100)
    exporting.add_argument("--seed", type=int, default=0)
    exporting.add_argument("--out", type=Path, required=True)
    exporting.add_argument("--hide-gold", action="store_true")
    exporting.add_argument("--without", type=Path, help="file with sample ids that are left out")
    exporting.set_defaults(work=export)
    comparing = commands.add_parser("compare")
    comparing.add_argument("key", type=Path)
    comparing.add_argument("labels", type=Path, nargs="+")
    comparing.add_argument("--answers", type=Path, nargs="+", required=True)
    comparing.set_defaults(work=compare)
    for command in (exporting, comparing):
        command.add_argument(
            "--data", default="", help="default: what the run was made on, else the starter set"
        )
    arguments = parser.parse_args(given)
    arguments.work(arguments)


if __name__ == "__main__":
    main()
