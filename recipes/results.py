"""What real models score: docs/results.md and the README's table, rebuilt from stored answers.

    python recipes/results.py pack RUN [RUN ...]     # keeps the answers of runs in recipes/answers/results
    python recipes/results.py unpack DIR             # run directories out of them, e.g. for: toolyard compare DIR/*
    python recipes/results.py [--official DIR]       # scores all of them again and writes the tables

No model is asked. DIR holds the official data, one folder per benchmark (default ../shared/data, else what
`toolyard fetch` has put into the cache); rows whose data are not there are named as left out. Names, kinds and sizes of
models stand in recipes/answers/models.toml.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import orjson
from results_tables import Result, result_of, results_document, summary_table

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import ToolyardError
from toolyard.report.compare.verdict import is_official
from toolyard.run.fresh import is_fresh, make_fresh
from toolyard.run.packs import Pack, packed, read_pack, unpacked
from toolyard.run.prediction_runs import run_of_predictions
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ANSWERS = HERE / "answers" / "results"
INDEX = ANSWERS / "index.json"
OFFICIAL = ROOT.parent / "shared" / "data"
PLACE = re.compile(r"(<!-- results:start -->\n).*?(<!-- results:end -->)", re.DOTALL)


def data_name(run: Run) -> str:
    """What the data of a run are called anywhere."""
    data = run.config.data
    if data in ("starter", "official") or is_fresh(data):
        return data
    return "official" if is_official(run.benchmark, run.config) else Path(data).name


def file_name(run: Run, data: str) -> str:
    """Benchmark, model, style, data and what else tells runs apart, as one file name."""
    model = run.config.model.partition("?")[0].rpartition("/")[2]
    parts = [run.benchmark.name, model, run.config.style or "", data, run.config.digest()[:6]]
    return "_".join(re.sub(r"[^A-Za-z0-9.-]+", "-", part).strip("-") for part in parts) + ".jsonl.xz"


def pack(folders: Iterable[Path]) -> None:
    """Adds the answers of runs to the stored ones; a run that is there already is replaced."""
    ANSWERS.mkdir(parents=True, exist_ok=True)
    index = read_index()
    for folder in folders:
        run = Run.open(folder)
        data = data_name(run)
        content, name = packed(folder, data), file_name(run, data)
        (ANSWERS / name).write_bytes(content)
        index[name] = hashlib.sha256(content).hexdigest()
        print(f"{name}: {len(content) / 1000:.0f} kB")
    INDEX.write_bytes(orjson.dumps(dict(sorted(index.items())), option=orjson.OPT_INDENT_2) + b"\n")


def read_index() -> dict[str, str]:
    """The hash of every stored file."""
    found: dict[str, str] = orjson.loads(INDEX.read_bytes()) if INDEX.exists() else {}
    return found


def data_of(pack: Pack, official: Path) -> str | None:
    """Where the data of packed answers are on this machine; None where their name says it."""
    name = str(pack.manifest["data"])
    if is_fresh(name):
        return make_fresh(load_benchmark(pack.benchmark), int(name.partition(":")[2]))
    folder = official / pack.benchmark
    return str(folder) if name == "official" and folder.is_dir() else None


def unpack(target: Path, official: Path) -> tuple[list[Result], list[str]]:
    """The stored runs that can be scored again here, and one line for each that cannot."""
    results, left_out = [], []
    for name, wanted in read_index().items():
        path = ANSWERS / name
        if hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
            sys.exit(
                f"{path} is not what index.json says; take it from the repository again, or pack the run again"
            )
        stored = read_pack(path)
        folder = target / name.removesuffix(".jsonl.xz")
        try:
            scored = unpacked(stored, folder, data_of(stored, official))
        except ToolyardError as error:
            left_out.append(f"{name}: {error}")
            continue
        print(f"scored {name}", file=sys.stderr)
        results.append(result_of(scored.folder, stored.manifest["data"], len(stored.samples)))
    return results, left_out


def released(target: Path, official: Path) -> list[Result]:
    """GPT-4's answers to MTU-Bench, which its authors released."""
    folder = official / "mtu"
    answers = folder / "responses"
    if not answers.is_dir():
        return []
    settings = ScoreSettings(
        "mtu", data=str(folder), predictions=answers, runs=target, name="GPT-4 (released answers)"
    )
    run = run_of_predictions(settings).run
    return [result_of(run.folder, "official", len(run.samples))]


def rebuild(target: Path, official: Path, docs: Path, readme: Path) -> None:
    """Writes the page and the README's table."""
    results, left_out = unpack(target, official)
    results += released(target, official)
    docs.write_text(results_document(results, left_out), encoding="utf-8")
    text = readme.read_text(encoding="utf-8")
    table = summary_table(results)
    readme.write_text(
        PLACE.sub(lambda found: found.group(1) + table + found.group(2), text), encoding="utf-8"
    )
    print(f"wrote {docs} and the table of {readme}: {len(results)} runs, {len(left_out)} left out")


def main() -> None:
    """Packs, unpacks, or writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("pack", "unpack"))
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--official", type=Path, default=OFFICIAL)
    parser.add_argument("--docs", type=Path, default=ROOT / "docs" / "results.md")
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md")
    arguments = parser.parse_args()
    if arguments.what == "pack":
        pack(arguments.folders)
    elif arguments.what == "unpack":
        _, left_out = unpack(arguments.folders[0], arguments.official)
        print("\n".join(left_out))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            rebuild(Path(scratch), arguments.official, arguments.docs, arguments.readme)


if __name__ == "__main__":
    main()
