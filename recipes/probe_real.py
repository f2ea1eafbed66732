"""A real model probed with the tools of others, in both styles; descriptions rewritten by rule and by the model.

    python recipes/own_tools.py --scratch SCRATCH --only mcp_git ...   # makes the mirrors, SCRATCH/walks/NAME/twin
    python recipes/probe_real.py --sources SOURCES -m "openai/NAME?base_url=http://127.0.0.1:8000/v1" --out OUT
    python recipes/probe_real.py --out OUT --markdown                  # tables of what was found
    python recipes/probe_real.py --out records/answers/probe --page docs/own_tools.md      # writes them into the page

SOURCES holds one mirror per folder (tools.json, tools.py, tables.json, recorded.jsonl, mirror.json). No network is needed
but the model's address. Stages come in the order of their worth; the same command goes on where it was stopped, and
`--minutes` ends it before a stage that would begin too late. Every stage adds one line to OUT/stages.jsonl.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolyard.core.errors import ToolyardError
from toolyard.owntools.probe.document_rewriting import Suggestion, suggest_rewritings
from toolyard.owntools.probe.model_profile import ToolProfile, make_profile
from toolyard.owntools.probe.probe_page import keep_profile
from toolyard.owntools.probe.probe_run import SUITES, ProbeSettings, probe_model
from toolyard.owntools.sources import load_source
from toolyard.stats.agreement import wilson_share

STAGES = "stages.jsonl"
STYLES = ("default", "native")
# So many tools of a source are told of, of those that so many samples want.
MISSED, SEEN = 3, 10
PLACE = re.compile(r"(<!-- probe:start -->\n).*?(<!-- probe:end -->)", re.DOTALL)
# (what is done, in which style); the first two are what a profile needs, the others improve on it.
ORDER = (
    ("profile", "default"), ("profile", "native"), ("rules", "default"), ("writer", "default"),
    ("rules", "native"), ("writer", "native"),
)  # fmt: skip


def stage(kind: str, style: str, twin: Path, given: argparse.Namespace) -> dict[str, Any]:
    """One stage of one source, kept in its folder, as plain data."""
    out = given.out / twin.name / style
    settings = ProbeSettings(
        given.model, out, style, given.rows, concurrency=given.concurrency, max_tokens=given.max_tokens,
        suites=tuple(given.suites.split(",")), cache=given.out / "answers", embedder=given.embedder,
    )  # fmt: skip
    began = time.monotonic()
    found = probe_model(str(twin), load_source(str(twin)), settings)
    profile = make_profile(found)
    suggestion = None
    if kind != "profile":
        writer = (given.writer or given.model) if kind == "writer" else ""
        suggestion = suggest_rewritings(found, profile, writer, most=given.rewritings)
    keep_profile(out if kind == "profile" else out / kind, profile, suggestion)
    return {
        "source": twin.name, "style": style, "stage": kind, "rows": given.rows,
        "seconds": round(time.monotonic() - began, 1), **_said(profile, suggestion),
    }  # fmt: skip


def _said(profile: ToolProfile, suggestion: Suggestion | None) -> dict[str, Any]:
    whole = profile.to_json()
    kept = {
        name: whole[name]
        for name in ("model", "headlines", "refusals", "over_turns", "over_depth", "samples")
    }
    kept["confused"] = [
        [each["wanted"], each["called"], len(each["samples"])] for each in whole["confused"][:8]
    ]
    kept["invented"] = [
        [each["tool"], each["parameter"], each["kind"], len(each["samples"])]
        for each in whole["invented"][:8]
    ]
    kept["tools_right"] = [[each["name"], each["value"], each["samples"]] for each in whole["tools_right"]]
    if suggestion is not None:
        said = suggestion.to_json()
        kept |= {"rewritings": said["rewritings"], "overall": said["overall"]}
    return kept


def work(given: argparse.Namespace) -> None:
    """All stages that are not there yet, as long as there is time."""
    given.out.mkdir(parents=True, exist_ok=True)
    done = {(each["source"], each["style"], each["stage"]) for each in stages(given.out)}
    ends = time.monotonic() + 60 * given.minutes
    twins = sorted(folder for folder in given.sources.iterdir() if (folder / "tools.json").is_file())
    for kind, style in ORDER:
        for twin in twins:
            if style not in given.styles.split(",") or (twin.name, style, kind) in done:
                continue
            if time.monotonic() > ends:
                print(f"no time left for {twin.name}, {style}, {kind}; the same command goes on", flush=True)
                return
            try:
                found = stage(kind, style, twin, given)
            except ToolyardError as error:
                print(f"{twin.name}, {style}, {kind}: left out, {error}", flush=True)
                continue
            with (given.out / STAGES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
            print(f"{twin.name}, {style}, {kind}: {found['seconds']} s", flush=True)


def stages(out: Path) -> list[dict[str, Any]]:
    """What was found so far."""
    path = out / STAGES
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def markdown(found: list[dict[str, Any]]) -> Iterator[str]:
    """Figures of the profiles, what was refused and missed in them, and what became of the rewritings."""
    profiles = [each for each in found if each["stage"] == "profile"]
    yield "| source | style | suite | n | outcome [95 %] | best trivial baseline |"
    yield "|---|---|---|---:|---:|---|"
    for each in profiles:
        for line in each["headlines"]:
            best = f"{line['best_baseline']} {_percent(line['best_baseline_value'])}"
            first = f"| {each['source']} | {each['style']} | {line['benchmark']} | {line['samples']} "
            yield f"{first}| {_interval(line)} | {best} |"
    yield ""
    yield "| source | style | what | n | share [95 %] |"
    yield "|---|---|---|---:|---:|"
    for each in profiles:
        for line in [*each["refusals"], *each["over_turns"], *missed_most(each["tools_right"])]:
            told = f"| {each['source']} | {each['style']} | {line['name']} "
            yield f"{told}| {line['samples']} | {_interval(line)} |"
    rewritten = [each for each in found if each["stage"] != "profile"]
    if rewritten:
        yield ""
        yield "| source | style | written by | tried | kept | right tools, points [95 %] | p |"
        yield "|---|---|---|---:|---:|---:|---:|"
        yield from map(_rewritten, rewritten)


def missed_most(tools: list[list[Any]]) -> list[dict[str, Any]]:
    """The tools that are called right least often where they are wanted, with Wilson's interval."""
    found = []
    for name, value, samples in sorted((each for each in tools if each[2] >= SEEN), key=lambda each: each[1])[
        :MISSED
    ]:
        seen = wilson_share(round(value * samples), samples)
        found.append(
            {
                "name": f"`{name}` called where it is wanted",
                "samples": samples,
                "value": value,
                "low": seen.low,
                "high": seen.high,
            }
        )
    return found


def _interval(line: dict[str, Any]) -> str:
    value, low, high = (_percent(line[key]) for key in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"


def _rewritten(each: dict[str, Any]) -> str:
    whole, tried = each["overall"], each["rewritings"]
    points, p = "-", "-"
    if whole is not None:
        low, high = _percent(whole["low"]), _percent(whole["high"])
        points, p = f"{_percent(whole['difference'])} [{low}, {high}]", f"{whole['p']:.4f}"
    by = "rule" if each["stage"] == "rules" else "the model"
    kept = ", ".join(item["tool"] for item in tried if item["kept"]) or "none"
    return f"| {each['source']} | {each['style']} | {by} | {len(tried)} | {kept} | {points} | {p} |"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def main() -> None:
    """Runs the stages, or prints what they found."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--out", type=Path, required=True)
    words.add_argument("--sources", type=Path)
    words.add_argument("-m", "--model")
    words.add_argument("--writer", default="", help="default: the model itself")
    words.add_argument("--rows", type=int, default=60)
    words.add_argument("--rewritings", type=int, default=4, help="so many tools of a source at most")
    words.add_argument("--concurrency", type=int, default=64)
    words.add_argument("--max-tokens", type=int, default=256)
    words.add_argument("--styles", default=",".join(STYLES))
    words.add_argument("--suites", default=",".join(SUITES))
    words.add_argument("--embedder", default="minilm")
    words.add_argument("--minutes", type=float, default=600.0)
    words.add_argument("--markdown", action="store_true")
    words.add_argument("--page", type=Path, help="the page that the tables are written into")
    given = words.parse_args()
    if given.markdown or given.page:
        tables = "\n".join(markdown(stages(given.out))) + "\n"
        print(tables)
        if given.page:
            text = given.page.read_text(encoding="utf-8")
            written = PLACE.sub(lambda place: place.group(1) + tables + place.group(2), text)
            given.page.write_text(written, encoding="utf-8")
        return
    if not (given.model and given.sources):
        words.error("--sources and --model are wanted, or --markdown")
    work(given)


if __name__ == "__main__":
    main()
