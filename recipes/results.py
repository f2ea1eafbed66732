"""What real models score: docs/results.md and the README's table, rebuilt from stored answers.

    python recipes/results.py add RUN [RUN ...]      # keeps the answers of runs, or of files that pack made, and rebuilds
    python recipes/results.py pack RUN [RUN ...]     # keeps the answers of runs in records/answers/results (or --into DIR)
    python recipes/results.py unpack DIR             # run directories out of them, e.g. for: toolyard compare DIR/*
    python recipes/results.py                        # scores all of them again and writes the tables

No model is asked. `--official DIR` holds the official data, one folder per benchmark (default ../shared/data, else what
`toolyard fetch` has put into the cache); rows whose data are not there are named as left out. Names, kinds and sizes of
models stand in records/answers/models.toml. Scored runs are kept in build/results (`--work DIR`) until the packed file, the
scorer or the data change; `--jobs N` scores so many at a time.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import orjson
from results_across import results_document
from results_runs import FRESH, data_digest, place_of, score_packs, score_released, told
from results_summary import readme_table
from results_tables import Result, result_of, result_sets

from toolyard.core.errors import DataError, ToolyardError
from toolyard.lines import encode
from toolyard.run.plan.fresh_sets import is_fresh
from toolyard.run.store.packs import Pack, pack_folder, read_pack
from toolyard.run.store.run_directory import RunStore

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ANSWERS = HERE.parent / "records" / "answers" / "results"
INDEX = "index.json"
OFFICIAL = ROOT.parent / "shared" / "data"
PLACE = re.compile(r"(<!-- results:start -->\n).*?(<!-- results:end -->)", re.DOTALL)


def data_name(benchmark: str, data: str, official: Path) -> str:
    """What the data of a run are called anywhere."""
    if data in ("starter", "hard", "official") or is_fresh(data):
        return data
    if Path(data).parent.name == FRESH:
        return FRESH
    released, place = official / benchmark, place_of(benchmark, data, official)
    same = released.exists() and data_digest(place) == data_digest(str(released))
    return "official" if same else Path(data).name


def file_name(pack: Pack) -> str:
    """Benchmark, model, style, data and what else tells runs apart, as one file name."""
    identity = pack.manifest["identity"]
    model = str(identity["model"]).partition("?")[0].rpartition("/")[2]
    digest = hashlib.sha256(repr(told(pack)).encode()).hexdigest()[:6]
    parts = [pack.benchmark, model, str(identity["style"]), str(pack.manifest["data"]), digest]
    return "_".join(re.sub(r"[^A-Za-z0-9.-]+", "-", part).strip("-") for part in parts) + ".jsonl.xz"


def pack(sources: Iterable[Path], official: Path, into: Path, *, judged: bool = False) -> None:
    """Adds the answers of runs to the stored ones; an earlier run of the same kind is replaced.

    Of a judged run the answers are kept as if no judge had been asked, too, unless `judged` wants them with it alone.
    """
    into.mkdir(parents=True, exist_ok=True)
    index = read_index(into)
    known = {told(read_pack(into / name)): name for name in index}
    for source in sources:
        try:
            content = source.read_bytes() if source.is_file() else packed_run(source, official)
        except ToolyardError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        for part in dict.fromkeys([content] if judged else [content, unjudged(content)]):
            fresh = into / "new.jsonl.xz"
            fresh.write_bytes(part)
            new = read_pack(fresh)
            if old := known.pop(told(new), None):
                (into / old).unlink()
                del index[old]
            name = file_name(new)
            fresh.rename(into / name)
            known[told(new)], index[name] = name, hashlib.sha256(part).hexdigest()
            print(f"{name}: {len(part) / 1000:.0f} kB", flush=True)
            write_index(into, index)


def unjudged(content: bytes) -> bytes:
    """The same answers as if no judge had been asked: what rules see stands on all of them."""
    head, *lines = (orjson.loads(line) for line in lzma.decompress(content).splitlines())
    judge = head["manifest"]["judge"]
    if not judge:
        return content
    head["manifest"]["judge"] = ""
    kept = [line for line in lines if not line.get("evidence", {}).get("reply")]
    return lzma.compress(b"".join(map(encode, [head, *kept])), preset=9 | lzma.PRESET_EXTREME)


def packed_run(folder: Path, official: Path) -> bytes:
    """The answers of a run directory, its data found on this machine."""
    manifest = RunStore(folder).manifest()
    if manifest is None:
        sys.exit(f"{folder} holds no manifest.json; give run directories, or files that `pack` made")
    benchmark, data = str(manifest["identity"]["benchmark"]), str(manifest["data"])
    content = pack_folder(folder, data_name(benchmark, data, official), place_of(benchmark, data, official))
    if not manifest["finished"] and not all_answered(content):
        raise DataError(f"{folder} is not finished; the same command goes on with it")
    return content


def all_answered(content: bytes) -> bool:
    """Whether every sample has its answers: a run may have been stopped while its judge was still at work."""
    head, *lines = (orjson.loads(line) for line in lzma.decompress(content).splitlines())
    answers = sum("transcript" in line for line in lines)
    return answers == len(head["samples"]) * int(head["manifest"]["identity"]["trials"])


def read_index(folder: Path) -> dict[str, str]:
    """The hash of every stored file."""
    path = folder / INDEX
    found: dict[str, str] = orjson.loads(path.read_bytes()) if path.exists() else {}
    return found


def index_digest(folder: Path) -> str:
    """What tells these stored answers from others."""
    return hashlib.sha256((folder / INDEX).read_bytes()).hexdigest()[:16]


def write_index(folder: Path, index: dict[str, str]) -> None:
    """Writes the hash of every stored file."""
    content = orjson.dumps(dict(sorted(index.items())), option=orjson.OPT_INDENT_2)
    (folder / INDEX).write_bytes(content + b"\n")


def unpack(stored: Path, work: Path, official: Path, jobs: int | None) -> tuple[list[Result], list[str]]:
    """The stored runs that can be scored again here, and one line for each that cannot."""
    files = {stored / name: wanted for name, wanted in read_index(stored).items()}
    for path, wanted in files.items():
        if hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
            sys.exit(
                f"{path} is not what index.json says; take it from the repository again, or pack the run again"
            )
    scored, left_out = score_packs(files, work, official, jobs)
    scored += score_released(work, official)
    return [result_of(item) for item in scored], left_out


def outdated_sets(stored: Path) -> list[tuple[str, str]]:
    """Benchmark and data of the stored answers that were given in another world."""
    packs = (read_pack(stored / name) for name in read_index(stored))
    return sorted({(pack.benchmark, str(pack.manifest["data"])) for pack in packs if pack.out_of_date})


def rebuild(
    stored: Path, work: Path, official: Path, docs: Path, readme: Path, jobs: int | None = None
) -> None:
    """Writes the page and the README's table."""
    results, left_out = unpack(stored, work, official, jobs)
    sets = result_sets([result for result in results if not result.instruments], jobs or os.cpu_count() or 1)
    again = [result for result in results if result.instruments]
    outdated = outdated_sets(stored)
    docs.write_text(results_document(sets, left_out, again, index_digest(stored), outdated), encoding="utf-8")
    text = readme.read_text(encoding="utf-8")
    table = readme_table(sets, outdated)
    readme.write_text(
        PLACE.sub(lambda found: found.group(1) + table + found.group(2), text), encoding="utf-8"
    )
    print(f"wrote {docs} and the table of {readme}: {len(results)} runs, {len(left_out)} left out")


def main() -> None:
    """Packs, unpacks, or writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("add", "pack", "unpack", "build"), default="build")
    parser.add_argument("sources", type=Path, nargs="*")
    parser.add_argument("--official", type=Path, default=OFFICIAL)
    parser.add_argument("--into", type=Path, default=ANSWERS)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "results")
    parser.add_argument("--judged", action="store_true", help="pack judged runs with their judge alone")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--docs", type=Path, default=ROOT / "docs" / "results.md")
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md")
    given = parser.parse_args()
    if given.what in ("add", "pack"):
        pack(given.sources, given.official, given.into, judged=given.judged)
    if given.what == "unpack":
        _, left_out = unpack(given.into, given.sources[0], given.official, given.jobs)
        print("\n".join(left_out))
    elif given.what != "pack":
        rebuild(given.into, given.work, given.official, given.docs, given.readme, given.jobs)


if __name__ == "__main__":
    main()
