"""Options of the command line: stated once, in settings; help says what is taken and what stands where nothing is given."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from toolyard.benchmarks import load_benchmark
from toolyard.certify import commands as certify_commands
from toolyard.certify.probe import SURFACES, all_probes
from toolyard.cli.app import app
from toolyard.cli.signature import takes
from toolyard.core.benchmark import Finding
from toolyard.core.errors import UsageError
from toolyard.core.options import options_in
from toolyard.env import commands as env_commands
from toolyard.env.adapters import LIBRARIES
from toolyard.env.gym_task import SPLITS
from toolyard.owntools import commands as owntools_commands
from toolyard.owntools.commands import LintSettings
from toolyard.owntools.lint.lint_findings import SEVERITIES
from toolyard.report.tables.check_tables import checks_tables
from toolyard.run.grade.checking import CheckResult
from toolyard.run.plan.run_config import require_options, styles_of
from toolyard.train.settings import TrainSettings, refuse_unusable

# Of an option or two a settings class would be longer than what it states.
MOST_STATED = 3


def commands() -> list[tuple[str, Any]]:
    found = [(str(item.name), item.callback) for item in app.registered_commands]
    for group in app.registered_groups:
        assert group.typer_instance is not None
        found += [
            (f"{group.name} {item.name or getattr(item.callback, '__name__', '')}", item.callback)
            for item in group.typer_instance.registered_commands
        ]
    return found


def test_a_command_with_more_than_a_few_options_states_them_in_settings() -> None:
    stated = {}
    for name, callback in commands():
        command = getattr(callback, "__wrapped__", callback)
        code = command.__code__
        own = [word for word in code.co_varnames[: code.co_argcount] if word not in ("context", "settings")]
        stated[name] = [word for word in own if word != "output"]
    assert len(stated) > 25
    assert {name: words for name, words in stated.items() if len(words) > MOST_STATED} == {}


def help_of(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    return " ".join(done.output.split())


def test_the_words_that_help_names_are_those_of_the_rooms_and_no_others_are_taken() -> None:
    assert certify_commands.SURFACES == SURFACES
    assert tuple(dict.fromkeys(each.task.feature for each in all_probes())) == certify_commands.FEATURES
    assert tuple(LIBRARIES) == env_commands.LIBRARIES
    assert env_commands.SPLITS == SPLITS
    assert owntools_commands.SEVERITIES == SEVERITIES
    assert "One of: chat, chat-stream, responses" in help_of("certify")
    assert "One of: gymnasium, trl, verifiers, openenv." in help_of("env")
    done = CliRunner().invoke(app, "certify scripted/oracle --surface fax")
    assert isinstance(done.exception, UsageError)
    assert str(done.exception).startswith("--surface 'fax' is not one of chat, chat-stream, ")


def test_help_of_train_says_what_stands_where_nothing_is_given() -> None:
    text = help_of("train")
    assert "[default: (twice its rank)]" in text
    assert "[default: (0.002 lora, 0.0003 full)]" in text
    assert "[default: (no limit)]" in text
    assert "[default: 0]" not in text.replace("[default: 0; x>=0]", "")
    by_name = {item.name: item for item in options_in(TrainSettings)}
    # a nought that stands for something else is shown as what it stands for
    meant = (
        "alpha",
        "lr",
        "micro_tokens",
        "max_steps",
        "limit",
        "eval_every",
        "benchmarks_every",
        "save_every",
    )
    assert all(by_name[name].shown for name in meant)


def test_an_estimate_of_a_training_needs_no_folder(tmp_path: Path) -> None:
    settings = TrainSettings(tmp_path / "rows.jsonl", base="smollm2")
    with pytest.raises(UsageError, match="nowhere to put the result; name a folder with --out DIR"):
        refuse_unusable(settings)
    refuse_unusable(replace(settings, dry_run=True))


def test_robustness_is_the_word_for_what_runs_keep_as_variant() -> None:
    nestools = load_benchmark("nestools")
    assert require_options(nestools, {"robustness": "no-types"}) == require_options(
        nestools, {"variant": "no-types"}
    )
    assert require_options(nestools, {"robustness": "no-types"})["variant"] == "no-types"
    with pytest.raises(UsageError, match="--robustness 'loud' is not one of base, no-types, no-conjunctions"):
        require_options(nestools, {"robustness": "loud"})


def test_official_is_among_the_styles_that_are_listed() -> None:
    assert styles_of(load_benchmark("mtu"))[-1] == "official"
    done = CliRunner().invoke(app, ["list"], env={"COLUMNS": "200"})
    assert "official" in done.output


def test_notes_of_a_check_are_summed_up_and_printed_in_full_on_demand() -> None:
    notes = [Finding(f"row {number}", "the query does not spell out x", "note") for number in range(50)]
    defect = Finding("row 7", "two tools share one id", "defect")
    result = CheckResult("toy", "starter", (), (*notes, defect))
    short = checks_tables([result])
    assert [table.title for table in short[1:]] == ["defects of toy, starter", "notes on the data, by kind"]
    assert short[1].rows == (("row 7", "two tools share one id"),)
    assert short[2].rows == (("toy", 50, "row 0: the query does not spell out x"),)
    full = checks_tables([result], verbose=True)
    assert len(full[1].rows) == 51


def test_a_repeated_option_reaches_its_command_as_a_tuple() -> None:
    seen: list[LintSettings] = []
    small = typer.Typer()

    @small.command()
    @takes(LintSettings)
    def lint(settings: LintSettings) -> None:
        seen.append(settings)

    done = CliRunner().invoke(small, "tools.json --env A --env B")
    assert done.exit_code == 0, done.output
    assert (seen[0].source, seen[0].env, seen[0].header) == ("tools.json", ("A", "B"), ())
