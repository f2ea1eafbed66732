"""The tasks of an effect, as case files: those of the user or drawn from the mirror, each proven by a reference run.

The reference run makes the expected calls. What they return is kept in the tasks, so that an answer without the server
is judged by the same facts. A task whose expected calls fail is left out and named.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

import toolyard
from toolyard.core.errors import UsageError
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import Options, Record, Sample
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import indented_json, whole_text, write_whole
from toolyard.owntools.cases.case_file import FORM, load
from toolyard.owntools.cases.case_scoring import match_calls
from toolyard.owntools.lint.lint_rules import applicable_findings, review_documents, rewritten_documents
from toolyard.owntools.mirror.call_recording import call_permits
from toolyard.owntools.mirror.kernel import ABOUT
from toolyard.owntools.probe.probe_run import mirror_folder, open_workshop
from toolyard.owntools.probe.probe_suites import draw_tasks
from toolyard.owntools.sources.text_lines import read_text
from toolyard.owntools.sources.tool_source import ToolSource
from toolyard.run.api import answer_and_score
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.summary import Graded

# The same in all arms, and true without tools as well.
SYSTEM = (
    "You help a user. If tools are offered, call them when the request needs it, with values from the conversation or "
    "from earlier results. Do not invent values. When you have everything, answer the user in plain text."
)
DRAFT, TASKS, MIRROR = "draft.yaml", "tasks.yaml", "mirror"
CHANGES, NO_FACTS = "changes state", "states no fact"


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """Where tasks come from, and which real tools may be called."""

    source: str
    cases: Path | None = None
    number: int = 0
    seed: int = 0
    live: bool = False
    allow: tuple[str, ...] = ()
    trust: bool = False
    given: Record = field(default_factory=dict)
    embedder: str = "minilm"

    def options(self, **more: str) -> dict[str, str]:
        """The options of a run on these tasks."""
        return {"live": "yes" if self.live else "no", "trust": "yes" if self.trust else "no", **more}


@dataclass(frozen=True, slots=True)
class EffectTask:
    """A task; `apart` says why it cannot be done or judged without the server.

    `invented` says that its facts are made up by the mirror, so that nobody can know them without a call.
    """

    id: str
    request: str
    apart: str
    invented: bool


@dataclass(frozen=True, slots=True)
class EffectTasks:
    """The case file of all arms with its tasks, why others were left out, and how many proposals its rewriting holds."""

    path: Path
    tasks: tuple[EffectTask, ...]
    left_out: Mapping[str, str]
    proposals: int
    # How many were to be drawn; 0 for cases of the user's.
    wanted: int


def prepare_tasks(source: ToolSource, settings: TaskSettings, out: Path) -> EffectTasks:
    """The proven tasks in a folder of their own below `out`; the same source and settings lead to the same one."""
    if settings.live and source.connect is None:
        raise UsageError(
            f"{source.name} is {source.kind} only, so there is nothing live to call; leave --live out"
        )
    folder = out / _digest_of_tasks(source, settings)
    mirror = mirror_folder(source, settings.source, folder, settings.given)
    content = _user_cases(mirror, settings) if settings.cases else _drawn_cases(mirror, settings)
    tools = MIRROR if mirror.parent == folder else str(mirror.resolve())
    content = {"tools": tools, **({"live": settings.source} if settings.live else {}), **content}
    left_out = _bar_real_tools(content, source, settings)
    graded = _reference_run(folder, content, settings) if content["cases"] else {}
    for case in content["cases"]:
        item = graded[case["id"]]
        if item.score.values["success"] != 1.0:
            left_out[case["id"]] = next(iter(item.score.reasons), "its expected calls failed")
        elif item.sample.gold.calls:
            case["expect"]["results"] = list(
                match_calls(item.sample.gold, item.transcript.notes["calls"]).results
            )
    content["cases"] = [case for case in content["cases"] if case["id"] not in left_out]
    if not content["cases"]:
        name, why = next(iter(left_out.items()))
        raise UsageError(f"no task can be used; the first, {name}: {why[:300]}; see: toolyard check CASES")
    found = review_documents(source, settings.embedder)
    if proposals := applicable_findings(found):
        content["rewritten"] = rewritten_documents(found)
    _write_case_file(folder / TASKS, content)
    recorded = {each["name"] for each in _facts_of_mirror(mirror)["tools"] if each["recorded"]}
    samples = [graded[case["id"]].sample for case in content["cases"]]
    tasks = tuple(_task_of_sample(sample, settings.live, recorded) for sample in samples)
    return EffectTasks(folder / TASKS, tasks, left_out, len(proposals), settings.number)


def _task_of_sample(sample: Sample, live: bool, recorded: set[str]) -> EffectTask:
    gold = sample.gold
    names = {call.tool for call in gold.calls or ()}
    apart = CHANGES if names & gold.changing else "" if gold.facts or not names else NO_FACTS
    invented = not live and any(fact.pointers for fact in gold.facts) and not names <= recorded
    return EffectTask(sample.id, sample.input["query"], apart, invented)


def _digest_of_tasks(source: ToolSource, settings: TaskSettings) -> str:
    """What the tasks depend on, in eight letters."""
    folder = Path(settings.source)
    files = sorted(folder.glob("*.*")) if (folder / ABOUT).is_file() else []
    parts = [
        toolyard.__version__, [tool.to_json() for tool in source.tools], settings.number, settings.seed,
        settings.live, settings.allow, settings.given, settings.source, settings.embedder,
    ]  # fmt: skip
    content = [orjson.dumps(json_safe(parts)), *(path.read_bytes() for path in files if path.is_file())]
    if settings.cases:
        content.append(whole_text(settings.cases, f"wanted {FORM}").encode("utf-8", "replace"))
    return hashlib.sha256(b"\0".join(content)).hexdigest()[:8]


def _facts_of_mirror(mirror: Path) -> Record:
    found: Record = orjson.loads((mirror / ABOUT).read_bytes())
    return found


def _user_cases(mirror: Path, settings: TaskSettings) -> Record:
    """The cases of the user's file with the server's tools in place of the file's own."""
    assert settings.cases is not None
    options = Options("default", values={**settings.options(), "live": "no"})
    samples = load(settings.cases, options, str(mirror.resolve()))
    value: Any = read_text(whole_text(settings.cases, f"wanted {FORM}"), str(settings.cases))
    cases = [
        {
            **{key: each for key, each in case.items() if key != "tools"},
            "id": sample.id,
            "expect": dict(case.get("expect", {})),
        }
        for case, sample in zip(value["cases"], samples, strict=True)
    ]
    return {"system": value.get("system") or SYSTEM, "cases": cases}


def _drawn_cases(mirror: Path, settings: TaskSettings) -> Record:
    """Tasks drawn from the mirror: requests by rule, calls that were executed."""
    rows = draw_tasks(
        open_workshop(mirror, settings.given, trust=settings.trust), settings.number, settings.seed
    )
    if not rows:
        raise UsageError(
            f"no task can be drawn from {settings.source}: no call of its mirror returns a value that an answer could "
            "tell; write --cases, or record real results with: toolyard mirror SOURCE --out twin --record 2"
        )
    cases = [
        {
            "id": f"task-{place}",
            "request": row.query,
            "expect": {
                "calls": [{step["tool"]: step["arguments"]} for step in row.plan],
                "facts": row.checks.get("facts", []),
            },
        }
        for place, row in enumerate(rows, 1)
    ]
    return {"system": SYSTEM, "cases": cases}


def _bar_real_tools(content: dict[str, Any], source: ToolSource, settings: TaskSettings) -> dict[str, str]:
    """Forbids real tools that may change something; the tasks that need one are left out, with the reason."""
    if not settings.live:
        return {}
    barred = call_permits(source, settings.allow).left_out
    left_out: dict[str, str] = {}
    for case in content["cases"]:
        names = [
            next(iter(call)) if isinstance(call, Mapping) else call
            for call in case["expect"].get("calls", [])
        ]
        reasons = [f"{name}: {barred[name]}; --allow {name} calls it" for name in names if name in barred]
        if reasons:
            left_out[case["id"]] = reasons[0]
        case["forbid"] = [*case.get("forbid", []), *(name for name in barred if name not in names)]
    content["cases"] = [case for case in content["cases"] if case["id"] not in left_out]
    return left_out


def _reference_run(folder: Path, content: Record, settings: TaskSettings) -> dict[str, Graded]:
    """Every task as its own expected calls leave it, by id."""
    _write_case_file(folder / DRAFT, content)
    planned = Settings(
        benchmark=str(folder / DRAFT),
        model="scripted/oracle",
        options=settings.options(),
        runs=folder / "runs",
    )
    result = run_async(answer_and_score(Run.plan(planned)))
    return {item.sample.id: item for item in result.graded["paper"]}


def _write_case_file(path: Path, content: Record) -> None:
    """The case file, as JSON, which YAML takes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, indented_json(content))
