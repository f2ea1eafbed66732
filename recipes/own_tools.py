"""Walks through three sources whose documents others wrote, and the package's own world through MCP.

    python recipes/own_tools.py --scratch /some/folder                 # downloads, then every walk
    python recipes/own_tools.py --scratch /some/folder -m local-tuned --rows 4

The first step downloads with pip, which is the only one that needs a package index: `mcp-server-git` (an MCP server,
installed into a virtual environment of its own) and `jupyterlab_server` (a wheel that holds an OpenAPI 3 document). The
third source is Python's own `statistics` module. About four minutes with a scripted model.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolyard.core.types import Observation
from toolyard.owntools.lint.lint_page import render_review
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.mirror.kernel import Mirror
from toolyard.owntools.mirror.mirror_files import make_mirror
from toolyard.owntools.probe.model_profile import make_profile
from toolyard.owntools.probe.probe_page import keep_profile
from toolyard.owntools.probe.probe_run import ProbeSettings, open_workshop, probe_model
from toolyard.owntools.probe.probe_suites import draw_suites
from toolyard.owntools.sources import load_source
from toolyard.stats.agreement import wilson_share
from toolyard.world import World, call
from toolyard.world.kernel.registry import select

SERVER, WHEEL = "mcp-server-git==2026.10.19", "jupyterlab_server==2.27.3"
PLACE = re.compile(r"(<!-- world:start -->\n).*?(<!-- world:end -->)", re.DOTALL)
# Results are compared as they are, not as far as a model would be shown them.
WHOLE_RESULT = 100_000
NO_CALLS = {"calls": 0, "both_took": 0, "same_verdict": 0, "same_value": 0}
Real = Callable[[str, Mapping[str, Any]], Observation]
WORLD_PARTS = ("Mail", "Calendar", "URL", "Food/Tasty")


def downloaded(scratch: Path) -> dict[str, str]:
    """The three sources; what pip has brought before is not fetched again."""
    environment = scratch / "server"
    if not (environment / "bin" / "mcp-server-git").exists():
        venv.create(environment, with_pip=True)
        subprocess.run([environment / "bin" / "pip", "install", "-q", SERVER], check=True)
    document = scratch / "jupyterlab_server" / "rest-api.yml"
    if not document.exists():
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(scratch), WHEEL]
        subprocess.run(pip, check=True)
        with zipfile.ZipFile(next(scratch.glob("jupyterlab_server-*.whl"))) as wheel:
            wheel.extract("jupyterlab_server/rest-api.yml", scratch)
    return {
        "mcp_git": f"mcp:{environment / 'bin' / 'mcp-server-git'}",
        "jupyterlab_server": str(document),
        "statistics": "python:statistics",
    }


def repository(scratch: Path) -> Path:
    """A small repository of git for the server to read."""
    folder = scratch / "repository"
    if not folder.exists():
        folder.mkdir()
        (folder / "letter.txt").write_text("Dear Ann,\n", encoding="utf-8")
        person = ["-c", "user.name=Ann Berg", "-c", "user.email=ann@example.org"]
        for words in (["init", "-q"], ["add", "."], [*person, "commit", "-q", "-m", "First letter"]):
            subprocess.run(["git", "-C", str(folder), *words], check=True)
    return folder


def walk(name: str, text: str, scratch: Path, model: str, rows: int) -> dict[str, Any]:
    """One source from review to profile; everything that was found, as plain data."""
    source = load_source(text)
    folder = scratch / "walks" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    reviewed = review_documents(source)
    (folder / "review.html").write_text(render_review(reviewed), encoding="utf-8")
    number = 0 if source.kind == "openapi" else 3
    allowed = ("*",) if source.kind == "python" else ()
    given = {
        "repo_path": str(repository(scratch)),
        "branch_type": "local",
        "target": "HEAD",
        "revision": "HEAD",
    }
    plan = make_mirror(source, folder / "twin", number=number, allowed=allowed, given=given)
    settings = ProbeSettings(model, folder / "probe", rows=rows, max_tokens=192)
    found = probe_model(str(folder / "twin"), load_source(str(folder / "twin")), settings)
    profile = make_profile(found)
    keep_profile(folder / "probe", profile)
    return {
        "source": name,
        "kind": source.kind,
        "tools": len(source.tools),
        "findings": reviewed.to_json()["counts"],
        "worst": [f"{each.tool}: {each.rule}" for each in reviewed.at_least("error")],
        "tables": {table.name: len(table.rows) for table in plan.tables},
        "recorded": sum(not each.error for each in plan.recorded),
        "refused": sum(bool(each.error) for each in plan.recorded),
        "headlines": profile.to_json()["headlines"],
        "confused": profile.to_json()["confused"][:5],
        "samples": len(profile.seen),
    }


def world_agreement(scratch: Path) -> dict[str, Any]:
    """Parts of our own world mirrored through MCP: the gold of suites drawn from the mirror, made again in process."""
    totals = {True: Counter(NO_CALLS), False: Counter(NO_CALLS)}
    per_part = {}
    for part in WORLD_PARTS:
        folder = scratch / "world" / part.replace("/", "_").lower()
        shutil.rmtree(folder, ignore_errors=True)
        make_mirror(load_source(f"mcp:{sys.executable} -m toolyard serve {part}"), folder, number=3)
        shop = open_workshop(folder)
        suites = draw_suites(shop, 24, 0)
        calls = [(s.tool, s.arguments) for row in (*suites.nested, *suites.twins) for s in row.chain.steps]
        offered = [tool.id for tool in select(part)]

        def real(tool: str, arguments: Any, offered: list[str] = offered) -> Any:
            return call(World.fresh(), tool, arguments, offered=offered, budget_tokens=WHOLE_RESULT)

        found = measure_agreement(shop.mirror, real, calls)
        per_part[part] = {str(key): value for key, value in found.items()}
        for key, value in found.items():
            totals[key].update(value)
    return {"parts": per_part, "determined": totals[True], "open": totals[False]}


def measure_agreement(
    mirror: Mirror, real: Real, calls: Sequence[tuple[str, Mapping[str, Any]]]
) -> dict[bool, Counter[str]]:
    """The same calls made in a mirror and in its source, each in a fresh world, by whether the result is determined.

    Counted are calls, those that both took or both refused, those that both took, and those answered with one value.
    """
    offered = tuple(tool.id for tool in mirror.tools)
    found = {True: Counter(NO_CALLS), False: Counter(NO_CALLS)}
    for tool, arguments in calls:
        ours = call(World.fresh(), tool, arguments, offered=offered, budget_tokens=WHOLE_RESULT)
        theirs = real(tool, arguments)
        both = ours.error is None and theirs.error is None
        found[is_determined(mirror, tool, arguments)].update(
            calls=1,
            both_took=both,
            same_verdict=(ours.error is None) == (theirs.error is None),
            same_value=both and bool(ours.value == theirs.value or ours.value == {"result": theirs.value}),
        )
    return found


def is_determined(mirror: Mirror, tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether schema and state settle the result: the call was recorded, or it reads or writes rows that were."""
    if mirror.recorded_result(tool, arguments) is not None:
        return True
    about = {each["name"]: each for each in mirror.about["tools"]}[tool]
    tables = {each["name"]: each for each in mirror.about["tables"]}
    return bool(about["table"]) and tables[about["table"]]["recorded"] > 0


def walk_lines(found: dict[str, Any]) -> list[str]:
    """One walk as lines of Markdown."""
    counts = found["findings"]
    worst = "; ".join(found["worst"][:6]) or "none"
    tables = ", ".join(f"{name} ({rows} rows)" for name, rows in found["tables"].items()) or "none"
    lines = [
        f"### {found['source']} ({found['kind']})",
        "",
        f"- {found['tools']} tools; review: {counts['error']} errors, {counts['warning']} warnings, {counts['note']} notes.",
        f"- Errors: {worst}.",
        f"- Mirror: tables {tables}; {found['recorded']} real calls recorded, {found['refused']} refused by the source.",
        f"- Probe: {found['samples']} samples.",
        "",
        "| suite | samples | outcome [95 %] | best trivial baseline |",
        "|---|---|---|---|",
    ]
    for each in found["headlines"]:
        low, high = (f"{100 * (each[key] or 0):.1f}" for key in ("low", "high"))
        best = f"{each['best_baseline']} {100 * (each['best_baseline_value'] or 0):.1f}"
        lines.append(
            f"| {each['benchmark']} | {each['samples']} | {100 * (each['value'] or 0):.1f} [{low}, {high}] | {best} |"
        )
    return [*lines, ""]


def world_lines(found: dict[str, Any]) -> list[str]:
    """The agreement with our own world as a table of Markdown."""
    head = (
        "| part | n | determined | same verdict of these | same value of these | same verdict of the others |"
    )
    lines = [head, "|---|---:|---:|---|---|---|"]
    rows = {**found["parts"], "all": {"True": found["determined"], "False": found["open"]}}
    for part, each in rows.items():
        sure, rest = each["True"], each["False"]
        shares = (
            _share(sure["same_verdict"], sure["calls"]),
            _share(sure["same_value"], sure["both_took"]),
            _share(rest["same_verdict"], rest["calls"]),
        )
        lines.append(f"| {part} | {sure['calls'] + rest['calls']} | {sure['calls']} | {' | '.join(shares)} |")
    return lines


def _share(hits: int, number: int) -> str:
    seen = wilson_share(hits, number)
    if seen.value is None or seen.low is None or seen.high is None:
        return "-"
    return f"{100 * seen.value:.1f} [{100 * seen.low:.1f}, {100 * seen.high:.1f}], n {number}"


def main() -> None:
    """Prints what was found, as JSON or as the Markdown of docs/own_tools.md."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--scratch", type=Path, required=True)
    words.add_argument("-m", "--model", default="scripted/random")
    words.add_argument("--rows", type=int, default=24)
    words.add_argument("--only", default="", help="one of the sources, or world")
    words.add_argument("--markdown", action="store_true")
    words.add_argument("--page", type=Path, help="the page that the table of our own world is written into")
    given = words.parse_args()
    given.scratch.mkdir(parents=True, exist_ok=True)
    for name, text in downloaded(given.scratch).items() if given.only != "world" else ():
        if given.only in ("", name):
            found = walk(name, text, given.scratch, given.model, given.rows)
            print("\n".join(walk_lines(found)) if given.markdown else json.dumps(found, indent=1))
    if given.only in ("", "world"):
        beside = world_agreement(given.scratch)
        lines = "\n".join(world_lines(beside)) + "\n"
        print(lines if given.markdown or given.page else json.dumps(beside, indent=1))
        if given.page:
            text = given.page.read_text(encoding="utf-8")
            given.page.write_text(
                PLACE.sub(lambda place: place.group(1) + lines + place.group(2), text), "utf-8"
            )


if __name__ == "__main__":
    main()
