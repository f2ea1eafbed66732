"""The documentation is true: links lead somewhere, commands and options exist, examples run, words are plain."""

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import command_reference
import docs_site
import pytest
import way_prompts
from typer.main import get_command
from typer.testing import CliRunner

import toolyard
from toolyard.benchmarks import benchmark_modules, benchmark_names, load_benchmark
from toolyard.cli.app import app

ROOT = Path(__file__).parents[1]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"(?:^|`)toolyard ([a-z]+)([^`\n#]*)", re.MULTILINE)
# 'toolyard[NAME,NAME]' of an installed package, '.[NAME]' of a checkout.
EXTRAS = re.compile(r"(?:toolyard|'\.|whl\)?\"?)\[([a-z][a-z,-]*)\](?!\()")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
# Settings of a model are written behind its name and may look like options of other programs.
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
# Commands whose own words follow a verb of theirs, and what other programs are called with.
NESTED = {"tools", "synth", "env", "train"}


def own_options() -> set[str]:
    return {choice.flag for name in benchmark_names() for choice in load_benchmark(name).task.choices}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_commands_and_options_exist(path: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    free = own_options() | {"help"}
    for verb, rest in COMMAND.findall(path.read_text(encoding="utf-8")):
        assert verb in commands, f"{path.name} names `toolyard {verb}`"
        if verb in NESTED:
            continue
        known = {name.lstrip("-") for item in commands[verb].params for name in item.opts}
        words = QUOTED.sub("", rest).partition(" && ")[0]
        unknown = set(OPTION.findall(words)) - known - free
        assert not unknown, f"{path.name}: `toolyard {verb}` has no --{', --'.join(sorted(unknown))}"


@pytest.mark.parametrize("name", benchmark_names())
def test_the_predictions_that_a_readme_shows_are_scored(name: str, tmp_path: Path) -> None:
    text = (ROOT / "src/toolyard/benchmarks" / name / "README.md").read_text(encoding="utf-8")
    file, shown = re.findall(r"`([\w.-]+\.jsonl?)`[^`]*\n\n```jsonl\n(.*?)```", text, re.DOTALL)[0]
    (tmp_path / file).write_text(shown, encoding="utf-8")
    found = toolyard.score(name, tmp_path / file)
    assert found.samples and 1 in {figure.value for figure in found.figures.values()}


@pytest.mark.parametrize(
    "path", [ROOT / "docs" / "guests.md", *sorted((ROOT / "guests").glob("*/README.md"))]
)
def test_guests_are_installed_in_the_order_that_prints_no_error(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^pip install -e .*\npip install --no-deps ", text, re.MULTILINE)
    assert not re.search(r"^pip install --no-deps .*\npip install -e ", text, re.MULTILINE)


def test_links_lead_somewhere() -> None:
    known = docs_site.pages()
    for source, target in known.items():
        docs_site.rewritten((ROOT / source).read_text(encoding="utf-8"), source, target, known)
    with pytest.raises(SystemExit, match="is not there"):
        docs_site.rewritten("[x](nowhere.md)", "docs/papers.md", "papers.md", known)


def test_every_page_is_in_the_navigation_and_what_it_links_to_is_on_the_site(tmp_path: Path) -> None:
    docs_site.write_pages(tmp_path)
    for page in tmp_path.rglob("*.md"):
        for _, address in docs_site.LINK.findall(page.read_text(encoding="utf-8")):
            # The gallery is made after the pages.
            if not re.match(r"[a-z]+:|#|gallery/", address):
                assert (page.parent / address.partition("#")[0]).exists(), f"{page.name} links to {address}"
    menu = json.dumps(docs_site.navigation(tmp_path))
    for page in tmp_path.rglob("*.md"):
        assert f'"{page.relative_to(tmp_path)}"' in menu, page.name


def test_the_search_index_has_words_and_no_marks(tmp_path: Path) -> None:
    page = {
        "location": "a/#b",
        "title": "A &amp; B",
        "text": "<li>one <code>x &lt; y</code></li> <li>two</li>",
    }
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "search_index.json").write_text(json.dumps({"docs": [page]}), encoding="utf-8")
    docs_site.write_find(tmp_path)
    script = (tmp_path / "find_index.js").read_text(encoding="utf-8").strip()
    (entry,) = json.loads(script.removeprefix("const TOOLYARD_PAGES = ").removesuffix(";"))
    assert entry == {"location": "a/#b", "title": "A & B", "text": "one x < y two"}


def test_the_readmes_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None and "limit=20" in code.group(1)
    words: dict[str, object] = {"my_function": lambda messages: "[]"}
    exec(code.group(1).replace("limit=20", "limit=2"), words)
    assert words["toolyard"] is toolyard
    assert list((tmp_path / "runs").glob("nestools_python-*/scores.jsonl"))


def python_blocks(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.DOTALL)


def test_the_python_examples_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are whole programs; the others are pieces of a file that is named beside them."""
    monkeypatch.chdir(tmp_path)
    (first,) = python_blocks("start.md")
    exec(first, {})
    exec(python_blocks("tools.md")[0], {})
    (shop,) = python_blocks("own_tools.md")
    exec(shop, {})
    environment, pool = python_blocks("environments.md")
    words: dict[str, object] = {}
    exec(environment, words)
    assert words["reward"] == 1.0
    exec(pool.partition("with ")[0], words)
    compile(pool, "environments.md", "exec")
    parrot = python_blocks("extending.md")[0]
    exec(parrot, words)
    assert isinstance(words["PROVIDER"], toolyard.Provider)
    seeded, tool = python_blocks("world.md")
    exec(seeded, {})
    compile(tool, "world.md", "exec")


def test_the_client_of_the_docs_calls_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = tmp_path / "toolyard"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT / "src"}" exec "{sys.executable}" -m toolyard "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    done = subprocess.run(
        [sys.executable, "-c", python_blocks("tools.md")[1]], capture_output=True, text=True, timeout=120
    )
    assert "['available_countries'," in done.stdout and "New Year's Day" in done.stdout, done.stderr


def test_the_commands_of_the_tool_library_run() -> None:
    text = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    commands = [words for words in re.findall(r"`toolyard (tools [^`]*)`", text) if "..." not in words]
    assert len(commands) >= 5
    for words in commands:
        result = CliRunner().invoke(app, shlex.split(words))
        assert result.exit_code == 0 and result.output.strip(), f"{words}: {result.output}"


def test_a_scaffolded_benchmark_does_what_the_page_says(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    assert "toolyard new mybench --into ." in text and "toolyard check mybench" in text
    result = CliRunner().invoke(app, ["new", "mybench", "--into", str(tmp_path)])
    assert result.exit_code == 0 and (tmp_path / "mybench").is_dir()


def test_every_paper_exhibit_has_its_line() -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    for name in ("ToolEyes", "NesTools", "MTU-Bench", "ToolBeHonest"):
        assert f"## {name}" in text
    last = {"ToolEyes": (19, 12), "NesTools": (15, 6), "MTU-Bench": (16, 11), "ToolBeHonest": (9, 18)}
    for name, (tables, figures) in last.items():
        part = text.split(f"## {name}\n")[1].split("\n## ")[0]
        assert numbers(part, "Table") == set(range(1, tables + 1)), name
        assert numbers(part, "Figure") == set(range(1, figures + 1)), name


def numbers(text: str, what: str) -> set[int]:
    """The numbers of all lines of a table of exhibits, ranges spelled out."""
    found: set[int] = set()
    for line in re.findall(rf"^\| {what}s? ([0-9, -]+) \|", text, re.MULTILINE):
        for part in line.split(","):
            first, _, last = part.strip().partition("-")
            found |= set(range(int(first), int(last or first) + 1))
    return found


def test_install_lines_name_extras_that_there_are_and_the_list_is_whole() -> None:
    declared = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    )
    sources = [*TEXTS, *(ROOT / "src").rglob("*.py"), ROOT / "Makefile", ROOT / "Containerfile"]
    named = {
        extra.strip()
        for path in sources
        for found in EXTRAS.findall(path.read_text(encoding="utf-8"))
        for extra in found.split(",")
    }
    assert named <= declared
    table = (ROOT / "docs/start.md").read_text("utf-8").split("### Extras")[1]
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))
    assert listed == declared - {"dev", "docs", "release"}


@pytest.mark.parametrize("name", ["README.md", "docs/start.md"])
def test_the_shown_table_is_what_the_command_gives(name: str, tmp_path: Path) -> None:
    from toolyard.report.tables.formats import with_interval, words
    from toolyard.run.api import evaluate

    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.search(
        r"^NesTools: nested tool calls (\S+) · scripted/word-overlap · starter\n(.*?)```", text, re.M | re.S
    )
    assert found is not None
    result = evaluate("nestools", "scripted/word-overlap", limit=20, runs=tmp_path)
    assert found.group(1) == load_benchmark("nestools").version
    shown = re.sub(r" +", " ", found.group(2).replace(" (headline)", ""))
    for metric in ("format", "average", "selection_f1", "parameter_f1"):
        line = f"{words(metric)} {with_interval(result.summaries['paper'].figures[metric])}"
        assert line in shown, f"{name} shows another {words(metric)}"
    assert result.folder.name in found.group(2)


def test_the_figures_of_two_compared_runs_are_what_the_commands_give(tmp_path: Path) -> None:
    from toolyard.report.compare.comparison import compare_runs
    from toolyard.report.compare.short_verdict import short_verdict
    from toolyard.report.gate.decision import gate_runs
    from toolyard.report.gate.gate_outputs import gate_table
    from toolyard.report.gate.policy import Policy
    from toolyard.run.api import evaluate

    models = {"base": "scripted/random", "candidate": "scripted/word-overlap"}
    results = [
        evaluate("nestools", model, limit=60, runs=tmp_path, name=name) for name, model in models.items()
    ]
    base, candidate = (tmp_path / name for name in models)
    comparing = (ROOT / "docs/comparing.md").read_text(encoding="utf-8")
    lines = short_verdict(compare_runs([base, candidate])["nestools"]).lines
    assert [line for line in (lines[0], lines[-1]) if line not in comparing] == []
    table = gate_table(gate_runs(candidate, base, Policy()))
    shown = dict(zip(table.columns, table.rows[0], strict=True))
    gate = re.sub(" +", " ", (ROOT / "docs/gate.md").read_text(encoding="utf-8"))
    kept = [value for name, value in shown.items() if not name.startswith("p (")]
    assert " ".join(map(str, kept)) in gate
    digest = results[0].run.config.data_sha256[:16]
    page = (ROOT / "docs/bundles.md").read_text(encoding="utf-8")
    assert set(re.findall("data sha256 ([0-9a-f]{16})", page)) == {digest}


def test_the_pages_name_every_setting_and_source_that_there_is() -> None:
    from toolyard.report.gate.policy import SETTINGS
    from toolyard.synth.command import benchmark_pipelines

    gate = (ROOT / "docs/gate.md").read_text(encoding="utf-8").split("may_differ: []")[1].split("```")[0]
    assert [name for name in SETTINGS if name not in gate.split()] == []
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]+) \|$", (ROOT / "docs/synth.md").read_text("utf-8"), re.M)
    listed = {name: set(benchmarks.split(", ")) for name, benchmarks in rows}
    for name in benchmark_names():
        offered = {pipeline.partition("+")[0] for pipeline in benchmark_pipelines(name)}
        assert {origin for origin, owners in listed.items() if name in owners} == offered


def test_the_reference_of_options_is_that_of_the_commands() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert command_reference.reference() in page, "write it again: python recipes/command_reference.py"


def test_the_prompts_of_all_ways_are_those_of_the_templates() -> None:
    page = (ROOT / "docs" / "ways.md").read_text(encoding="utf-8")
    assert way_prompts.prompts() in page, "write them again: python recipes/way_prompts.py"


def test_the_changelog_is_short() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    assert "not comparable" in text and "toolyard score RUN" in text
    # A plug-in that happens to be installed has a changelog of its own.
    for name in (name for name, module in benchmark_modules().items() if module.startswith("toolyard.")):
        about = load_benchmark(name).about
        assert f"{about.title.partition(':')[0]} {about.version}" in text, "the box names current versions"


# What outside readers took for a translation; the field's words are metric, baseline, configuration, reported, known.
PRIVATE_WORDS = re.compile(
    r"\b(?:whoever|told|on record|stands? on|stood on|answerers?|set-ups?|soundly|in earnest|gravely"
    r"|(?:is|are|was|were) no (?!longer\b|more\b|difference\b)\w+"
    r"|(?<!tables and )(?<!table and )(?<!-)[Ff]igures?(?! \d))\b"
)
CODE = re.compile(r"```.*?```|<!--.*?-->|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
PAGES = [
    *TEXTS,
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "bench" / "README.md",
    *sorted((ROOT / "src/toolyard/benchmarks").glob("*/README.md")),
]
TEMPLATES = sorted((ROOT / "src/toolyard").glob("re*/page/**/*.html*"))
# Names of elements, classes and variables are not read by a person.
MARKUP = re.compile(
    r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_words_of_pages_are_the_fields(path: Path) -> None:
    assert PRIVATE_WORDS.findall(CODE.sub(" ", path.read_text(encoding="utf-8"))) == []


def test_the_words_of_help_texts_are_the_fields() -> None:
    assert PRIVATE_WORDS.findall(CODE.sub(" ", command_reference.reference())) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_the_words_of_page_templates_are_the_fields(path: Path) -> None:
    assert PRIVATE_WORDS.findall(MARKUP.sub(" ", path.read_text(encoding="utf-8"))) == []


# What a person reads when a command refuses: the texts of raised errors. "there is no X" is plain.
PRIVATE_MESSAGE = re.compile(
    r"(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b)\w+|\b(?:whoever|told|on record|stands? on|stood on|soundly)\b"
)
RAISED = {"UsageError", "DataError", "RunMismatch", "MissingExtra", "MissingAsset", "wrong"}


def raised_texts(source: str) -> list[str]:
    """The texts of all errors that are raised in a module; what is filled in is {}."""
    texts = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
            for each in node.args:
                parts = each.values if isinstance(each, ast.JoinedStr) else [each]
                texts.append(
                    "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
                )
    return texts


def test_the_words_of_messages_are_the_fields() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted((ROOT / "src" / "toolyard").rglob("*.py"))
        for text in raised_texts(path.read_text(encoding="utf-8"))
        if PRIVATE_MESSAGE.search(text)
    }
    assert found == set(), 'write "is not a X" or "unknown X"'


def test_the_words_of_messages_are_found() -> None:
    texts = raised_texts('raise UsageError(f"{name!r} is no benchmark; " f"there is no {other}")')
    assert texts == ["{} is no benchmark; there is no {}"]
    assert PRIVATE_MESSAGE.findall(texts[0]) == ["is no benchmark"]


def test_every_promise_of_security_names_a_test_that_there_is() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = text.partition("## Promises")[2].partition("## What is not promised")[0]
    promises = [line.split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(promises) > 20
    for _, source, promise, tests, *_ in promises:
        named = re.findall(r"`((?:tests|bench|guests)/[\w/]+\.py)`", tests)
        assert named or "**Trusted.**" in promise, f"{source.strip()}: {promise.strip()}"
        assert all((ROOT / path).is_file() for path in named), named
