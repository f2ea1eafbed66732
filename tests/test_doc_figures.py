"""Metrics in README and docs have counts and intervals, and are what their scripts make."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import probe_real
import pytest
import reader_agreement
import validity

from cases import cases
from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Options, Sample
from toolyard.world import library

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FIGURE = re.compile(r"(?<![\w.,])\d+\.\d+(?![\w.])|\d ?%")
INTERVAL = re.compile(r"\[[-−]?\d[^\]]*, ?[-−]?\d[^\]]*\]")
COUNTED = re.compile(r"\b(?:n|samples|number|clusters|rows|calls|answers|compared)\b|\d+ of \d+")
# Tables whose numbers are no shares of answers, by how their heads begin.
OTHER_NUMBERS = cases(__file__, "OTHER_NUMBERS")
# Where the figures of every other table come from: a file that has each of them, or the test or recipe that makes them.
SOURCES = cases(__file__, "SOURCES")
READMES = sorted((ROOT / "src" / "toolyard" / "benchmarks").glob("*/README.md"))
DECIMAL = re.compile(r"(?<![\w.,])\d[\d,]*\.\d+(?![\w.])")
# Lines that no model or reader wrote: scripts that answer the same every time.
SCRIPTED = re.compile(r"^\| scripted/|^\| [\w-]+ \| the other reader|\| gold-leak:")


def tables(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    code = False
    for line in [*text.splitlines(), ""]:
        code ^= line.startswith("```")
        if line.startswith("|") and not code:
            block.append(line)
        elif block:
            yield block
            block = []


def without_code(line: str) -> str:
    return re.sub(r"`[^`]*`", "", line).replace("\\", "")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_tables_of_figures_have_counts_and_intervals(path: Path) -> None:
    for table in tables(path.read_text(encoding="utf-8")):
        if any(table[0].startswith(head) for head in OTHER_NUMBERS.get(path.name, {})):
            continue
        lines = [without_code(line) for line in table[2:] if not SCRIPTED.search(line)]
        figures = [line for line in lines if FIGURE.search(line)]
        bare = [line for line in figures if not INTERVAL.search(line)]
        assert not bare, f"{path.name}: no interval in {bare[0][:120]}"
        counted = COUNTED.search(table[0]) or any(COUNTED.search(line) for line in lines)
        assert not figures or counted or "turns" in lines[0], f"{path.name}: on how many? {table[0][:120]}"


def test_every_excuse_is_still_needed() -> None:
    for name, heads in OTHER_NUMBERS.items():
        found = list(tables((ROOT / "docs" / name).read_text(encoding="utf-8")))
        for head in heads:
            assert any(table[0].startswith(head) for table in found), f"{name} has no table {head}"


def figures_in(line: str) -> str:
    """The cells of a line after the first, which names it."""
    return without_code(line).strip("| ").partition(" | ")[2]


def sourced_tables() -> Iterator[tuple[str, list[str]]]:
    """Every table with figures that is not excused, with the name of its page."""
    for path in [*PAGES, *READMES]:
        excused = () if path in READMES else OTHER_NUMBERS.get(path.name, {})
        name = path.name if path.parent == ROOT else f"{path.parent.name}/{path.name}"
        for table in tables(path.read_text(encoding="utf-8")):
            if DECIMAL.search(without_code(" ".join(table[2:]))) and not table[0].startswith(tuple(excused)):
                yield name, table


def test_every_table_of_figures_has_a_source_that_is_there() -> None:
    used = set()
    for name, table in sourced_tables():
        found = [head for head in SOURCES.get(name, {}) if table[0].startswith(head)]
        assert found, f"{name}: where do the figures come from? {table[0][:100]}"
        used.add((name, found[0]))
        assert (ROOT / SOURCES[name][found[0]]).is_file(), f"{name}: {SOURCES[name][found[0]]} is not there"
    assert used == {(name, head) for name, heads in SOURCES.items() for head in heads}, (
        "a source is not needed"
    )


def test_every_figure_with_a_file_of_measurements_stands_in_it() -> None:
    compared = 0
    for name, table in sourced_tables():
        source = next(file for head, file in SOURCES[name].items() if table[0].startswith(head))
        if source.endswith(".md"):
            measured = set(DECIMAL.findall((ROOT / source).read_text(encoding="utf-8")))
            told = {number for line in table[2:] for number in DECIMAL.findall(figures_in(line))}
            assert told <= measured, f"{name}, {table[0][:60]}: {source} has no {sorted(told - measured)}"
            compared += len(told)
    assert compared > 100


def test_the_counts_of_the_nestools_readme_are_those_of_its_data(shared: Path) -> None:
    from toolyard.benchmarks.nestools import BENCHMARK
    from toolyard.benchmarks.nestools.synth.domains import OUR_LIST
    from toolyard.core.types import Options

    text = " ".join((BENCHMARK.data.starter.parent / "README.md").read_text("utf-8").split())
    folder = shared / "data" / "nestools"
    records = BENCHMARK.data.load(folder, Options())
    assert BENCHMARK.data.audit is not None
    notes = BENCHMARK.data.audit(folder, records)
    starter = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    tools = {tool["api_id"] for sample in records for tool in sample.input["tools"]}
    nested = sum(sample.groups["depth"] != "1" for sample in records)
    errata = (BENCHMARK.data.starter.parent / "errata.jsonl").read_text("utf-8").splitlines()
    for sentence in (
        f"{len(records):,} queries, {len(tools):,} tools, {nested} queries with nested calls",
        f"{len(starter)} records of our own",
        f"| records | {len(starter)} | {len(records)} |",
        f"{len(errata)} official records whose gold",
        f"{len(notes)} of 5,540 plain values, in {len({note.where.split(' call')[0] for note in notes})} records",
        f"domains of our list ({len(OUR_LIST.read_text('utf-8').splitlines())}, or",
        f"({len({row.model for row in BENCHMARK.published})} models)",
    ):
        assert sentence in text, sentence


def test_the_page_about_the_papers_counts_the_turns_that_were_answered(shared: Path) -> None:
    from toolyard.benchmarks.mtu import BENCHMARK
    from toolyard.core.types import Options

    turns = BENCHMARK.data.load(shared / "data" / "mtu", Options())
    answered = sum(
        len(path.read_text("utf-8").splitlines())
        for path in (shared / "data" / "mtu" / "responses").glob("*_response.jsonl")
    )
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert f"{len(turns):,} turns each (GPT-4: {answered}," in page
    named = set(re.findall(r'"(Tables? [^"]*, pooled)"', page))
    assert named == {row.table for row in BENCHMARK.published if "pooled" in row.table}


def between(page: str, mark: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {mark}:start -->\n(.*?)<!-- {mark}:end -->", text, re.DOTALL)
    assert found is not None, f"{page} has no place for {mark}"
    return [line for line in found.group(1).splitlines() if line.startswith("|")]


def test_the_readers_table_is_what_the_labels_say() -> None:
    assert between("validity.md", "readers") == [*reader_agreement.table(), *reader_agreement.newest_means()]


@pytest.mark.parametrize(("mark", "recipe"), [("reward", "reward_report"), ("tuned", "mtu_tuned")])
def test_the_tables_of_trainings_are_what_the_records_say(mark: str, recipe: str, shared: Path) -> None:
    module = import_module(recipe)

    made = module.tables(shared / "data" if mark == "tuned" else module.RECORDS)
    assert between("training.md", mark) == [line for line in made.splitlines() if line.startswith("|")]


def test_every_record_has_the_hash_that_is_listed() -> None:
    folder = ROOT / "records"
    listed = dict(line.split("  ")[::-1] for line in (folder / "sha256.txt").read_text("utf-8").splitlines())
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    del files["sha256.txt"]
    assert {name: sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == listed


def test_the_table_of_content_counts_the_library() -> None:
    counts = Counter(tool.content for tool in library().values())
    page = (ROOT / "docs" / "world.md").read_text("utf-8")
    assert sum(counts.values()) == len(library())
    assert all(f"| {content} | {count} |" in page for content, count in counts.items()), counts


def test_the_probe_tables_are_what_was_found() -> None:
    made = probe_real.markdown(probe_real.stages(ROOT / "records" / "answers" / "probe"))
    assert between("own_tools.md", "probe") == [line for line in made if line]


def test_the_budget_tables_are_lines_of_the_measurement() -> None:
    measured = (ROOT / "bench" / "results" / "budget.md").read_text(encoding="utf-8").splitlines()
    shown = between("scale.md", "budget")
    assert len(shown) > 15
    assert [line for line in shown if line not in measured] == []


def starter_samples(name: str) -> tuple[Sample, ...]:
    """All samples of a benchmark's starter set."""
    benchmark = load_benchmark(name)
    return benchmark.data.load(benchmark.data.starter, Options(benchmark.task.styles[0]))


def test_tables_on_starter_sets_stand_on_the_rows_that_are_there() -> None:
    wanted = {name: str(len(starter_samples(name))) for name in validity.NAMES}
    for mark, place in (("shared-words", 3), ("attacks", 4)):
        found = [line.split(" | ") for line in between("validity.md", mark) if "| starter |" in line]
        told = {cells[0].strip("| "): cells[place - 1] for cells in found}
        assert told == wanted, f"{mark}: write it again with python recipes/validity.py"


def test_how_varied_rows_are_is_what_was_measured() -> None:
    def measured(name: str) -> dict[str, list[str]]:
        text = (ROOT / "bench" / "results" / name).read_text(encoding="utf-8")
        return {cells[0]: cells[1:] for cells in (one.strip("| ").split(" | ") for one in text.splitlines())}

    nested, others = measured("nestools_diversity.md"), measured("request_diversity.md")
    sets = {name: starter_samples(name) for name in ("nestools", "mtu", "toolbehonest")}
    assert nested["records"][0] == str(len(sets["nestools"])), "run bench/nestools_diversity.py again"
    clusters = [len({sample.cluster for sample in sets[name]}) for name in ("mtu", "toolbehonest")]
    assert [others["requests"][0], others["requests"][2]] == [*map(str, clusters)], (
        "run bench/request_diversity.py again"
    )
    page = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")
    (table,) = (each for each in tables(page) if each[0].startswith("| metric | nestools starter |"))
    told = {cells[0]: cells[1:] for cells in (line.strip("| ").split(" | ") for line in table[2:])}
    assert told["requests"] == [*nested["records"], *others["requests"][:3]]
    assert told["6-grams shared with another"] == [*nested["6-grams shared"], *others["6-grams shared"][:3]]
    assert told["a neighbour above 0.6"] == [*nested["near neighbours"], *others["near neighbours"][:3]]
    assert told["domains"][:2] == nested["domains"] and told["nesting structures"][:2] == nested["structures"]
    assert told["values not in the query"][:2] == nested["unsaid values"]
    assert told["parameters per call"][:2] == [f"{float(each):.1f}" for each in nested["parameters per call"]]


def test_the_readmes_two_sentences_are_what_was_measured() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    measured = (ROOT / "bench" / "results" / "whole_run.md").read_text(encoding="utf-8")
    part = measured.split("## nestools: 1000 samples")[1].split("## ")[0]
    ours, theirs = (
        float(re.search(rf"^\| {way} \| ([\d.]+) \|", part, re.M).group(1))  # type: ignore[union-attr]
        for way in ("toolyard run", "inspect eval")
    )
    assert f"`toolyard run` takes {ours:.1f} s and inspect-ai {theirs:.1f} s" in readme
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    told = {
        sentence: re.search(rf"^\| {sentence}.*\| ([\d,]+) of ([\d,]+) \|$", page, re.M)
        for sentence in ("every sample and trial occurs once", "the same command finishes the run")
    }
    assert all(held and held[1] == held[2] for held in told.values()), told
    assert all(held and f"In {held[2]} runs with killed processes" in readme for held in told.values())
