"""GO, NO-GO and INCONCLUSIVE on small real runs, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from cases import each_case
from compared_runs import changed_copy, make_runs, rewrite_scores, score_lines
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.metrics import Row
from toolyard.core.types import Score
from toolyard.report.compare.comparison import keep_shared_rows
from toolyard.report.gate.decision import gate_runs
from toolyard.report.gate.gate_outputs import gate_junit, gate_markdown, gate_table
from toolyard.report.gate.policy import Policy, read_policy
from toolyard.run.api import evaluate
from toolyard.run.plan.data_sources import load_samples
from toolyard_command import toolyard

ROOT = Path(__file__).resolve().parents[2]
SMALL = Policy(minimal_samples=10, allowed_drop=0.3)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return make_runs(tmp_path_factory.mktemp("runs"), "scripted/oracle", "scripted/random")


def written(folder: Path, text: str, name: str = "policy.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_worse_run_is_no_go_and_a_better_or_equal_one_go(runs: list[Path]) -> None:
    oracle, random = runs
    worse = gate_runs(random, oracle, SMALL)
    assert (worse.decision, worse.exit_code) == ("NO-GO", 3)
    assert worse.figures[0].test is not None
    assert worse.figures[0].test.difference < -0.5
    better = gate_runs(oracle, random, SMALL)
    assert (better.decision, better.exit_code) == ("GO", 0)
    found = gate_runs(runs[0], runs[0], Policy(minimal_samples=10, allowed_drop=0.001))
    assert (found.decision, found.exit_code) == ("GO", 0)
    assert "all 12 samples score the same in both runs" in gate_table(found).title
    strict = gate_runs(runs[0], runs[0], Policy(minimal_samples=10, allowed_drop=0.0))
    assert strict.decision == "INCONCLUSIVE"
    assert "no drop is allowed, so only a run that is better passes" in gate_table(strict).title


def one_solved_less(runs: list[Path], name: str) -> Path:
    """A copy of the first run whose first line is that of the second."""
    other = changed_copy(runs[0], name, lambda manifest: None)
    first, second = ((run / "scores.jsonl").read_text().splitlines(keepends=True) for run in runs)
    (other / "scores.jsonl").write_text("".join([second[0], *first[1:]]))
    return other


@each_case("allowed, said, missing")
def test_an_open_gate_names_the_drop_it_can_decide_and_never_more_items_than_there_are(
    runs: list[Path], allowed: float, said: str, missing: str
) -> None:
    other = one_solved_less(runs, f"less_{allowed}")
    found = gate_runs(other, runs[0], Policy(minimal_samples=10, allowed_drop=allowed))
    assert found.decision == "INCONCLUSIVE"
    title = gate_table(found).title
    assert "12 items can decide a drop of " in title
    benchmark = load_benchmark("nestools")
    whole = len(load_samples(benchmark, "starter", RunSetup.default(benchmark).options))
    assert said.format(whole) in title
    assert missing not in title
    [figure] = found.to_json()["figures"]
    assert figure["clusters_in_set"] == whole
    assert figure["clusters_needed"] is None or 12 < figure["clusters_needed"] <= whole
    assert (figure["clusters_needed"] is None) == (allowed == 0.01)


def test_a_set_that_is_gone_is_not_asked_for_more_items(runs: list[Path]) -> None:
    other = one_solved_less(runs, "orphan")
    for folder in (gone := changed_copy(runs[0], "gone", lambda manifest: None), other):
        manifest = json.loads((folder / "manifest.json").read_text())
        (folder / "manifest.json").write_text(json.dumps({**manifest, "data": "/nowhere/at/all"}))
    found = gate_runs(other, gone, Policy(minimal_samples=10, allowed_drop=0.01))
    assert found.available is None
    assert gate_table(found).title.endswith("points, not of 1.0")


def printed_json(*words: object) -> Any:
    done = toolyard(*words, "--json")
    assert done.returncode in (0, 3, 4), done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("part", ["same", "unlike", "longer"])
def test_gate_and_compare_print_the_same_interval(
    runs: list[Path], tmp_path_factory: pytest.TempPathFactory, part: str
) -> None:
    run, baseline = runs[1], runs[0]
    if part == "same":
        run = changed_copy(baseline, "twin", lambda manifest: None)
    elif part == "longer":
        baseline = evaluate(
            "nestools", "scripted/oracle", limit=20, runs=tmp_path_factory.mktemp("longer")
        ).folder
    [gated] = printed_json("gate", run, "--baseline", baseline)["figures"]
    [compared] = printed_json("compare", run, baseline)["nestools"]["differences"]
    for key in ("difference", "interval", "clusters"):
        assert gated[key] == compared[key]


def test_a_dialogue_is_compared_on_the_turns_that_both_runs_have() -> None:
    first = [Row(Score(name), "dialogue") for name in "ab"] + [Row(Score("d"), "other")]
    second = [Row(Score(name), "dialogue") for name in "bc"]
    mine, theirs = keep_shared_rows(first, second)
    assert [row.score.sample for row in mine] == ["b", "d"]
    assert [row.score.sample for row in theirs] == ["b"]


def test_one_fallen_figure_is_enough_and_p_values_are_corrected(runs: list[Path]) -> None:
    policy = Policy(minimal_samples=10, figures={"average": 0.3, "tree": 0.3, "format": 0.3})
    found = gate_runs(runs[1], runs[0], policy)
    assert found.decision == "NO-GO"
    for item in found.figures:
        assert item.test is not None
        assert item.beyond is not None
        assert item.beyond >= item.test.beyond


def test_few_samples_and_unscored_ones_are_inconclusive_with_the_reason(runs: list[Path]) -> None:
    few = gate_runs(runs[1], runs[0], Policy(minimal_samples=13))
    assert few.decision == "INCONCLUSIVE"
    assert few.reasons == ("12 shared samples, the policy wants 13 (minimal_samples)",)
    table = gate_table(few)
    assert table.title.startswith("INCONCLUSIVE: ")
    assert {str(row[1]).split(" ")[0] for row in table.rows} == {"INCONCLUSIVE"}
    holes = changed_copy(runs[0], "holes", lambda manifest: None)

    def unscored(line: dict[str, Any]) -> None:
        if line["sample"] == first:
            for profile in line["profiles"].values():
                profile.update(values={}, counts={}, unscored="timeout")

    first = json.loads((holes / "scores.jsonl").read_text().splitlines()[0])["sample"]
    rewrite_scores(holes, unscored)
    found = gate_runs(holes, runs[0], SMALL)
    assert found.samples == 11
    assert found.reasons == ("8.3% of the run's samples are unscored, the policy allows 2.0%",)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("version", "0.9", "version: 0.9 here, "),
        ("data_sha256", "0" * 64, "data: not the same files; run the baseline again"),
        ("style", "other", "style: other here, "),
        ("templates_sha256", "1" * 64, "templates: not the same files"),
        ("seed", 5, "seed: 5 here, 0 in the baseline"),
    ],
)
def test_what_does_not_compare_is_refused(runs: list[Path], key: str, value: object, named: str) -> None:
    other = changed_copy(runs[1], f"other_{key}", lambda each: each["identity"].__setitem__(key, value))
    with pytest.raises(RunMismatch, match="do not compare") as caught:
        gate_runs(other, runs[0], SMALL)
    assert named in str(caught.value)
    assert ("may_differ" in str(caught.value)) == (key not in ("version", "data_sha256"))


def test_runs_of_other_trials_do_not_compare(runs: list[Path], tmp_path: Path) -> None:
    twice = evaluate("nestools", "scripted/oracle", runs=tmp_path, limit=2, trials=2).folder
    with pytest.raises(RunMismatch, match="trials: 2 here, 1 in the baseline"):
        gate_runs(twice, runs[0], SMALL)


def test_a_run_with_scores_cut_short_is_refused(runs: list[Path]) -> None:
    cut = changed_copy(runs[0], "cut", lambda manifest: None)
    lines = (cut / "scores.jsonl").read_text().splitlines(keepends=True)
    (cut / "scores.jsonl").write_text("".join(lines[:-1]))
    for pair in ((runs[0], cut), (cut, runs[0])):
        with pytest.raises(DataError, match="has no scores for 1 answer: it is damaged"):
            gate_runs(*pair, SMALL)


CHOSEN: tuple[dict[str, Any], ...] = ({"ids": ("1", "2", "3")}, {"budget": 4}, {"limit": 2, "trials": 2})


@pytest.mark.parametrize("chosen", CHOSEN, ids=lambda chosen: next(reversed(chosen)))
def test_a_run_that_lost_answers_and_scores_alike_is_refused_where_their_number_is_known(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    folder = evaluate("nestools", "scripted/oracle", runs=tmp_path, **chosen).folder
    assert gate_runs(folder, folder, SMALL).samples == chosen.get("budget", 4 - len(chosen))
    lose_last_answer(folder)
    with pytest.raises(DataError, match=r"of . planned .*: it is damaged; repeat its `toolyard run` command"):
        gate_runs(folder, folder, SMALL)


def test_a_run_of_so_many_minutes_that_lost_answers_and_scores_alike_is_refused(runs: list[Path]) -> None:
    reached = {"items": 12, "of": 30, "minutes": 1.0}
    cut = changed_copy(runs[0], "reached", lambda manifest: manifest.update(reached=reached))
    assert gate_runs(cut, runs[0], SMALL).decision == "GO"
    lose_last_answer(cut)
    with pytest.raises(DataError, match="has scores for 11 of 12 planned items"):
        gate_runs(cut, runs[0], SMALL)


def lose_last_answer(folder: Path) -> None:
    last = score_lines(folder)[-1]
    for name in ("transcripts.jsonl", "scores.jsonl"):
        lines = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        kept = [line for line in lines if (line["sample"], line["trial"]) != (last["sample"], last["trial"])]
        assert len(kept) == len(lines) - 1
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in kept))


def test_a_policy_may_allow_settings_to_differ_and_names_figures(runs: list[Path], tmp_path: Path) -> None:
    other = changed_copy(runs[1], "worded", lambda manifest: manifest["identity"].update(style="other"))
    policy = read_policy(written(tmp_path, "may_differ: [style]\nminimal_samples: 10\nallowed_drop: 0.3\n"))
    assert gate_runs(other, runs[0], policy).decision == "NO-GO"
    with pytest.raises(UsageError, match="has no metric nonsense"):
        gate_runs(runs[0], runs[1], Policy(figures={"nonsense": 0.1}))


def test_a_policy_is_read_from_yaml_and_json(tmp_path: Path) -> None:
    text = "level: 0.1\nfigures: {average: 0.05, tree: null}\nprofile: official\n"
    found = read_policy(written(tmp_path, text))
    assert (found.level, found.profile) == (0.1, "official")
    assert found.figures == {"average": 0.05, "tree": 0.02}
    same = read_policy(written(tmp_path, json.dumps({"figures": ["average"], "allowed_drop": 0.1}), "p.json"))
    assert same.figures == {"average": 0.1}


@each_case("text, complaint")
def test_a_wrong_policy_is_one_clear_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(DataError, match=r"policy\.yaml") as caught:
        read_policy(written(tmp_path, text))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_junit_and_markdown_say_the_same_and_strangers_text_stays_text(runs: list[Path]) -> None:
    hostile = changed_copy(runs[1], "hostile", lambda each: each["identity"].update(model="a<b>&\x00|`x"))
    found = gate_runs(hostile, runs[0], SMALL)
    suite = ElementTree.fromstring(gate_junit(found))[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")
    assert suite[0].get("name") == "average"
    assert suite[0][0].get("type") == "NO-GO"
    few = gate_runs(runs[0], runs[1], Policy(minimal_samples=50, allowed_drop=0.3))
    suite = ElementTree.fromstring(gate_junit(few))[0]
    # the figure's own test says GO, but nothing stands on so few samples
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "2")
    assert [item["decision"] for item in few.to_json()["figures"]] == ["INCONCLUSIVE"]
    assert [item["decision_of_its_test"] for item in few.to_json()["figures"]] == ["GO"]
    text = gate_markdown(found)
    assert text.startswith("## NO-GO: a&#60;b&#62;&#38;\\\\x00\\|\\`x against")
    assert "<b>" not in text
    table = gate_table(found)
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_command_ends_with_its_exit_code_and_writes_its_files(runs: list[Path], tmp_path: Path) -> None:
    policy = written(tmp_path, "minimal_samples: 10\n")
    words = ["gate", runs[1], "--baseline", runs[0], "--policy", policy, "--json"]
    words += ["--junit", tmp_path / "deep" / "gate.xml", "--markdown", tmp_path / "gate.md"]
    done = toolyard(*words)
    assert done.returncode == 3
    assert json.loads(done.stdout)["decision"] == "NO-GO"
    assert (tmp_path / "deep" / "gate.xml").read_text().startswith("<?xml")
    assert "NO-GO" in (tmp_path / "gate.md").read_text()


def test_the_pipeline_script_gates_a_model_and_both_pipelines_call_it(tmp_path: Path) -> None:
    script = ROOT / ".ci" / "gate"
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": str(ROOT / "src")}
    environment |= {"TOOLYARD": f"{sys.executable} -m toolyard", "LIMIT": "12", "RUNS": str(tmp_path)}
    for model, code in (("scripted/oracle", 0), ("scripted/empty", 3)):
        chosen = {"MODEL": model, "BASELINE": "scripted/random", "BENCHMARK": "nestools"}
        policy = {"POLICY": str(written(tmp_path, "minimal_samples: 10\nallowed_drop: 0.0\n"))}
        baseline = {"BASELINE": "scripted/oracle"} if code else {}
        done = subprocess.run(
            [str(script)], env=environment | chosen | policy | baseline, capture_output=True, text=True, timeout=300
        )  # fmt: skip
        assert done.returncode == code, done.stderr
    assert ElementTree.parse(tmp_path / "gate.xml").getroot().tag == "testsuites"
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "gate.yml").read_text())
    assert any(step.get("uses") == "./" for step in workflow["jobs"]["gate"]["steps"])
    gitlab = yaml.safe_load((ROOT / "docs" / "ci" / "gate.gitlab-ci.yml").read_text())
    assert any(".ci/gate" in line for line in gitlab["toolyard-gate"]["script"])
