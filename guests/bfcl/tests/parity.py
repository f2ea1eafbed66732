"""Compares every verdict and every prompt with bfcl-eval's own, and writes parity.json.

pip install -e '.[java]' && pip install --no-deps bfcl-eval==2026.3.23 && python tests/parity.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from toolyard import Options

HERE = Path(__file__).parent
GUEST = HERE.parent
sys.path[:0] = [str(GUEST), str(HERE)]

from damage import RIGHT, results  # noqa: E402
from toolyard_bfcl import BENCHMARK  # noqa: E402
from toolyard_bfcl.rows import LEFT_OUT, PREFIX, RowSample  # noqa: E402
from toolyard_bfcl.task import STYLES, offered_functions, prompt  # noqa: E402
from toolyard_bfcl.wheel import VERSION, call_parser  # noqa: E402


def write_results(samples: tuple[RowSample, ...], folder: Path) -> None:
    """One folder of BFCL's result files for every style and kind of answer."""
    lines: dict[Path, list[str]] = defaultdict(list)
    for style in STYLES:
        for sample in samples:
            name = f"{PREFIX}{sample.input['category']}_result.json"
            for kind, result in results(sample, native=style == "native").items():
                lines[folder / style / kind / name].append(json.dumps({"id": sample.id, "result": result}))
    for path, content in lines.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(content) + "\n", encoding="utf-8")


def own_verdicts(samples: tuple[RowSample, ...], folder: Path) -> dict[str, dict[str, bool]]:
    """Our verdicts on the same files, by file and row."""
    known, scoring = {sample.id: sample for sample in samples}, BENCHMARK.scoring
    read = scoring.read_predictions
    assert read is not None
    found: dict[str, dict[str, bool]] = {}
    for file in sorted(folder.rglob("*_result.json")):
        rows = {}
        for each in read(file, samples):
            sample = known[each.sample]
            score = scoring.score(sample, scoring.parse(sample, each, "paper"), {}, "paper")
            rows[sample.id] = score.values["accuracy"] == 1.0
        found[str(file.relative_to(folder))] = rows
    return found


def compare_prompts(samples: tuple[RowSample, ...], shown: dict[str, list[Any]]) -> dict[str, int]:
    """How many rows show the same messages and functions."""
    same: Counter[str] = Counter({"rows": len(samples)})
    for sample in samples:
        plain, tools, text = shown[sample.id]
        for style, wanted in (("native", plain), ("text", text)):
            found = [{"role": each.role, "content": each.content} for each in prompt(sample, Options(style))]
            same[f"{style} messages equal"] += found == wanted
        offered = offered_functions(sample.input["functions"])
        same["native functions equal"] += json.loads(json.dumps(offered)) == tools
    return dict(same)


def compare(samples: tuple[RowSample, ...], folder: Path) -> dict[str, Any]:
    """What parity.json says."""
    write_results(samples, folder)
    child = [sys.executable, str(HERE / "wheel_verdicts.py"), str(folder)]
    running = subprocess.Popen(child)
    own = own_verdicts(samples, folder)
    if running.wait():
        raise SystemExit("the wheel's own checker did not run")
    wheel = json.loads((folder / "wheel.json").read_text(encoding="utf-8"))
    categories: dict[str, Counter[str]] = defaultdict(Counter)
    differences, fails, trips = [], [], Counter[str]()
    for file, rows in sorted(own.items()):
        style, kind, name = Path(file).parts
        category = name.removeprefix(PREFIX).removesuffix("_result.json")
        for row, ours in rows.items():
            theirs = wheel["verdicts"][file][row]
            trips[str(theirs).split(":")[0]] += isinstance(theirs, str)
            categories[category].update({"answers": 1, "equal": ours == (theirs is True), "right": ours})
            if ours != (theirs is True):
                differences.append({"id": row, "style": style, "answer": kind, "ours": ours, "wheel": theirs})
            if kind == RIGHT:
                categories[category][f"oracle {style}"] += ours
                fails += [] if ours else [f"{row} ({style})"]
    rows_of = Counter(sample.input["category"] for sample in samples)
    return {
        "guest": f"bfcl {BENCHMARK.version}",
        "compared with": f"bfcl-eval {VERSION}: eval_runner, OpenAICompletionsHandler, ast_checker, multi_turn_checker",
        "packages": {
            name: version(name)
            for name in ("mpmath", "tree-sitter", "tree-sitter-java", "tree-sitter-javascript")
        },
        "rows": len(samples),
        "answers": sum(each["answers"] for each in categories.values()),
        "equal verdicts": sum(each["equal"] for each in categories.values()),
        "categories": {name: {"rows": rows_of[name], **each} for name, each in categories.items()},
        "prompts": compare_prompts(samples, wheel["shown"]),
        "differences": differences,
        "the wheel raises on": {name: number for name, number in trips.items() if number},
        "oracle fails on": fails,
        "left out": list(LEFT_OUT),
    }


def main() -> None:
    """Compares all rows, or those of the categories that are named."""
    call_parser("java")
    chosen = ",".join(sys.argv[1:]) or "all"
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"categories": chosen}))
    with tempfile.TemporaryDirectory() as folder:
        found = compare(samples, Path(folder))
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if chosen == "all":
        (GUEST / "parity.json").write_text(text, encoding="utf-8")
    print(f"{found['equal verdicts']:,} of {found['answers']:,} verdicts equal on {found['rows']:,} rows")
    for each in found["differences"][:20]:
        print(each)


if __name__ == "__main__":
    main()
