"""The tuned bundled model, its base and Qwen2.5-Coder-1.5B-Instruct on the official MTU-Bench turns, scored again.

    python recipes/mtu_tuned.py [FOLDER]       # FOLDER holds benchmark/; default ../shared/data/mtu

The answers are kept in recipes/answers (greedy, at most 320 tokens, default style, gold history). No model is asked.
The base and Qwen answered the turns of 150 items; the tuned model all but one of the 1,009 turns. Where two are
compared, both are scored on the turns that both answered.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Sequence
from pathlib import Path

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grading import grade_all
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.significance import holm, paired_test
from toolyard.stats.summary import Graded, rows_of, summarise

HERE = Path(__file__).resolve().parent
DEFAULT = HERE.parents[1] / "shared" / "data" / "mtu"
NAMES = {"base": "smollm2_base", "tuned": "smollm2_tuned", "qwen": "qwen_coder_1.5b"}
SETTINGS = ("S-S", "S-M", "M-S", "M-M", "OOD")
FIGURES = ("average", "outcome", "outcome_call", "outcome_no_call")


def answers(name: str) -> dict[str, str]:
    """The stored answers by sample."""
    lines = lzma.decompress((HERE / "answers" / f"mtu_{NAMES[name]}.jsonl.xz").read_bytes()).splitlines()
    return {row["id"]: row["response"] for row in map(json.loads, lines)}


def graded(samples: Sequence[Sample], given: dict[str, str]) -> list[Graded]:
    """The answers of these samples, graded as the paper defines it."""
    transcripts = [Transcript.answered(sample.id, given[sample.id]) for sample in samples]
    return grade_all(RunSetup.default(BENCHMARK), samples, transcripts, {}, "paper")


def shown(figure: Estimate) -> str:
    """Percent with the interval."""
    if figure.value is None:
        return "-"
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f}"
    return f"{100 * figure.value:.1f} [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"


def lines_of(title: str, samples: Sequence[Sample], given: dict[str, dict[str, str]]) -> list[str]:
    """A table: models against settings, then all turns with further figures."""
    parts = [*SETTINGS, "all turns", *FIGURES[1:]]
    counts = [sum(sample.input["setting"] == setting for sample in samples) for setting in SETTINGS]
    found = [f"### {title}", "", f"| | {' | '.join(parts)} |", f"|---|{'---:|' * len(parts)}"]
    found.append(f"| turns | {' | '.join(map(str, [*counts, *[len(samples)] * (len(parts) - 5)]))} |")
    for name, texts in given.items():
        summary = summarise(BENCHMARK, graded(samples, texts), "paper")
        by_setting = summary.groups["setting"]
        cells = [
            shown(by_setting[setting]["average"]) if setting in by_setting else "-" for setting in SETTINGS
        ]
        cells += [shown(summary.figures[figure]) for figure in FIGURES]
        found.append(f"| {name} | {' | '.join(cells)} |")
    return [*found, ""]


def paired_lines(samples: Sequence[Sample], given: dict[str, dict[str, str]]) -> list[str]:
    """Tuned minus each other model, by setting, p-values corrected over all lines."""
    cases = []
    for other in (name for name in given if name != "tuned"):
        for setting in (*SETTINGS, ""):
            part = [sample for sample in samples if setting in ("", sample.input["setting"])]
            ours, theirs = (rows_of(graded(part, given[name])) for name in ("tuned", other))
            cases.append(
                (
                    other,
                    setting or "all turns",
                    paired_test(BENCHMARK.scoring.metric("average"), ours, theirs),
                )
            )
    known = holm([test.p_value if test.p_value is not None else 1.0 for _, _, test in cases])
    found = [
        "### Tuned minus the other, paired",
        "",
        "| other | part | difference | p (Holm) |",
        "|---|---|---:|---:|",
    ]
    found += [
        f"| {other} | {part} | {shown(test.difference)} | {p:.4f} |"
        for (other, part, test), p in zip(cases, known, strict=True)
    ]
    return [*found, ""]


def main() -> None:
    """Prints the tables."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    samples = BENCHMARK.data.load(folder, Options("default"))
    given = {name: answers(name) for name in NAMES}
    shared = [sample for sample in samples if all(sample.id in texts for texts in given.values())]
    empty = {sample.id: "Thought: no call is needed." for sample in samples}
    whole = [sample for sample in samples if sample.id in given["tuned"]]
    told = lines_of("Turns that all answered", shared, {**given, "no call ever": empty})
    told += paired_lines(shared, {**given, "no call ever": empty})
    told += lines_of("All turns of the tuned model", whole, {"tuned": given["tuned"], "no call ever": empty})
    sys.stdout.write("\n".join(told) + "\n")


if __name__ == "__main__":
    main()
