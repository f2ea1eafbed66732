"""What `make run` shows: stored answers that cover their sets, and a script that ends in one table and one page."""

import re
import subprocess
from pathlib import Path

import first_look
import pytest
from first_look import stored_sets

from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.packs import answered_samples, pack_folder, read_pack

ROOT = Path(__file__).parents[1]
LIST = ROOT / "records" / "answers" / "first_look.toml"


@pytest.mark.parametrize("benchmark", ["mtu", "nestools", "toolbehonest", "tooleyes"])
def test_every_stored_model_answers_the_whole_starter_set(benchmark: str, tmp_path: Path) -> None:
    (found,) = (each for each in stored_sets(LIST) if each.benchmark == benchmark)
    if found.out_of_date:
        pytest.skip(found.out_of_date)
    whole = Run.plan(Settings(benchmark, "scripted/empty", runs=tmp_path))
    names = {sample.id for sample in whole.samples}
    assert found.packs
    missing = [names.difference(answered_samples(whole, read_pack(path))) for path in found.packs]
    assert len(set().union(*missing)) == found.changed


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Stored answers of two scripted models to a few samples of two benchmarks."""
    folder = tmp_path / "answers" / "results"
    folder.mkdir(parents=True)
    rows = []
    for benchmark, limit in (("mtu", 8), ("nestools", 4)):
        names = []
        for model in ("first-tool", "word-overlap"):
            run = evaluate(benchmark, f"scripted/{model}", limit=limit, runs=tmp_path / "made")
            names.append(f"{benchmark}_{model}.jsonl.xz")
            (folder / names[-1]).write_bytes(pack_folder(run.folder, "starter"))
        rows.append(f'[[benchmark]]\nname = "{benchmark}"\npacks = {names}\nchanged = 1\n'.replace("'", '"'))
    path = tmp_path / "answers" / "list.toml"
    path.write_text("\n".join(rows))
    return path


def test_the_script_ends_in_one_table_and_a_page(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")

    runs = tmp_path / "runs"
    given = ["--runs", str(runs), "--model", "scripted/oracle", "--stored", str(small), "--jobs", "1"]
    first_look.main(given)
    printed = capsys.readouterr().out
    page = (runs / "first_look.html").read_text()
    rows = [line for line in printed.splitlines() if "baseline" in line and "│" in line]
    assert [row.split("│")[1].strip() for row in rows] == ["MTU-Bench", "NesTools", "MTU-Bench, live"]
    assert "scripted/oracle (live)" in rows[2]
    assert "100.0" in rows[2]
    assert "beats 2 of 2, above baseline" in rows[2]
    told = " ".join(printed.split())
    live = re.search(
        r"stored: all (\d+) samples; live: the first (\d+) alone, 100.0 \[([\d.]+), 100.0\]", told
    )
    assert live is not None and int(live[1]) >= int(live[2]) > 0 and live[3] in rows[2]
    assert printed.splitlines()[-1].startswith("now yours: ")
    assert len(printed.splitlines()) <= 14
    assert "p (Holm)" not in printed
    assert "are stored and cover the starter sets; they were scored just now" in page
    assert "Live samples, not scored" in page
    assert page.count("<dt>request</dt>") == 3


def planned(target: str, environment: Path) -> list[str]:
    """The extras that make would install for a target, in order, into an environment of its own."""
    given = ["make", "-n", target, f"VENV={environment}", f"TRAIN={environment}-train"]
    lines = subprocess.run(given, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [found[1] for line in lines if (found := re.search(r"-e '\.\[([\w,-]+)\]'", line))]


@pytest.mark.parametrize("target", ["test", "check"])
def test_make_run_installs_three_extras_and_other_targets_add_theirs(target: str, tmp_path: Path) -> None:
    few = "local,embed,world"
    assert planned("run", tmp_path / "none") == [few]
    first, everything = planned(target, tmp_path / "none")
    assert first == few and set(few.split(",")) < set(everything.split(","))
    after_run, after_all = tmp_path / "run", tmp_path / "all"
    for folder in (after_run, after_all):
        folder.mkdir()
        (folder / ".installed").touch()
    (after_all / ".installed-all").touch()
    assert planned(target, after_run) == [everything]
    assert planned(target, after_all) == planned("run", after_all) == planned("run", after_run) == []
