"""`--style official`: the paper's text and options where the official data hold them, one line where they do not."""

from dataclasses import replace
from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.nestools.task.official_prompt import official_texts as nested_texts
from toolyard.benchmarks.toolbehonest.task.official_prompt import official_texts as honest_texts
from toolyard.core.errors import DataError, MissingAsset
from toolyard.core.types import Options
from toolyard.report.compare.verdict import prompt_differences, setting_differences
from toolyard.run.plan.official_texts import official_texts, prompts_folder
from toolyard.run.plan.run_config import RunConfig, command_line, path_sha256, resolve
from toolyard.run.run import Run
from toolyard.run.settings import Settings


def planned(name: str, **settings: object) -> RunConfig:
    return resolve(Settings(name, "scripted/empty", **settings), load_benchmark(name), "0" * 64, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["mtu", "tooleyes"])
def test_official_is_the_papers_text_and_options(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = planned(name, style="official", data="official")
    assert config.style == "verbatim" and config.options["recover"] == "no"
    monkeypatch.setattr("toolyard.report.compare.verdict.is_official_data", lambda *_: True)
    benchmark = load_benchmark(name)
    assert prompt_differences(benchmark, config) == () and setting_differences(benchmark, config) == ()


def test_what_the_user_asks_for_stays() -> None:
    assert planned("mtu", style="official", options={"recover": "yes"}).options["recover"] == "yes"
    assert planned("mtu").options["recover"] == "yes"


@pytest.mark.parametrize("name", ["nestools", "toolbehonest"])
def test_prompts_in_files_are_asked_for(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path))
    benchmark = load_benchmark(name)
    with pytest.raises(MissingAsset, match=f"toolyard fetch {name} --prompts"):
        official_texts(benchmark, "official")
    assert official_texts(benchmark, None) == {} == official_texts(benchmark, "native")
    path = prompts_folder(benchmark) / benchmark.paper_prompts.sources[0].path
    path.parent.mkdir(parents=True)
    path.write_text("something else")
    with pytest.raises(DataError, match="is not the pinned file"):
        official_texts(benchmark, "verbatim")


# The shape of the released script, in words of ours.
NESTED = """
def make(path):
    base_prompt = "Call what you need.\\nTools:\\n"
    for doc in path:
        final_prompt = (base_prompt + str(all_apis) + "\\n\\nWish:\\n" + doc["task"] + "\\n\\nCalls:\\n")
"""


def test_the_nested_prompt_is_put_together_as_the_released_script_does(tmp_path: Path) -> None:
    (tmp_path / "make_test_prompt.py").write_text(NESTED)
    texts = nested_texts(tmp_path)
    assert texts == {
        "official_before": "Call what you need.\nTools:\n",
        "official_between": "\n\nWish:\n",
        "official_after": "\n\nCalls:\n",
    }
    benchmark = load_benchmark("nestools")
    sample = benchmark.data.load(benchmark.data.starter, Options("default"))[0]
    (message,) = benchmark.task.prompt(sample, Options("verbatim", templates=texts))
    assert message.content.startswith("Call what you need.\nTools:\n[{'api_name': '")
    assert message.content.endswith(f"\n\nWish:\n{sample.input['query']}\n\nCalls:\n")
    assert (
        message
        == benchmark.task.prompt(replace(sample, gold=None, groups={}), Options("verbatim", templates=texts))[
            0
        ]
    )
    (tmp_path / "make_test_prompt.py").write_text("final_prompt = 1 + 2")
    with pytest.raises(DataError, match="in the known way"):
        nested_texts(tmp_path)


def test_the_instructions_of_the_levels_are_read_without_running_anything(tmp_path: Path) -> None:
    names = [
        f"_{name}_{language}" for name in ("detecting", "planning", "diagnosing") for language in ("en", "zh")
    ]
    lines = [f'{name} = "Do {name}."' for name in names] + ["raise SystemExit(1)"]
    (tmp_path / "generation_prompt.py").write_text("\n".join(lines))
    texts = honest_texts(tmp_path)
    assert len(texts) == 6 and texts["official_2_en"] == "Do _planning_en."
    benchmark = load_benchmark("toolbehonest")
    for sample in benchmark.data.load(benchmark.data.starter, Options("default"))[:12]:
        (message,) = benchmark.task.prompt(sample, Options("verbatim", templates=texts))
        assert message.content == (
            f"{texts['official_' + str(sample.input['level']) + '_en']}\n\n<task>\n{sample.input['task']}\n</task>\n"
            f"<provided_tools>\n{sample.input['tools']}\n</provided_tools>"
        )
    (tmp_path / "generation_prompt.py").write_text("_detecting_en = 'x'")
    with pytest.raises(DataError, match="holds no _detecting_zh"):
        honest_texts(tmp_path)


def test_a_run_keeps_the_texts_and_names_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    benchmark = load_benchmark("nestools")
    path = prompts_folder(benchmark) / "make_test_prompt.py"
    path.parent.mkdir(parents=True)
    path.write_text(NESTED)
    assert benchmark.reference is not None
    prompts, setup = benchmark.paper_prompts, benchmark.reference.setup
    pinned = replace(prompts, sources=(replace(prompts.sources[0], sha256=path_sha256(path)),))
    there = replace(benchmark, reference=replace(benchmark.reference, setup=replace(setup, prompts=pinned)))
    run = Run.plan(Settings("nestools", "scripted/empty", style="official", limit=2, runs=tmp_path), there)
    assert run.config.style == "verbatim" and run.config.texts["official_between"] == "\n\nWish:\n"
    assert (
        command_line(run.config, there)
        == "toolyard run nestools -m scripted/empty --style verbatim --limit 2"
    )
