"""The arms of an effect, run by the ordinary machinery, and the decision that their paired difference leads to."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.core.metrics import Row, mean
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import JsonValue, Record, Score
from toolyard.owntools.cases.case_file import NONE, OWN, REWRITTEN
from toolyard.owntools.cases.case_scoring import dangerous_calls
from toolyard.owntools.effect.effect_tasks import EffectTask, EffectTasks, TaskSettings
from toolyard.owntools.probe.probe_run import show_under_name, spent_below
from toolyard.owntools.sources.tool_source import file_slug
from toolyard.report.gate.decision import (
    EXIT_CODES,
    GO,
    INCONCLUSIVE,
    NO_GO,
    Decision,
    GatedFigure,
    decide_figures,
)
from toolyard.run.api import answer_and_score
from toolyard.run.plan.run_config import display_name
from toolyard.run.play.progress_counts import Tally
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.bootstrap import Estimate, estimate
from toolyard.stats.summary import UNSCORED_LIMIT, Graded
from toolyard.text.counted_nouns import how_many

LEVEL = 0.05
# Fewer say nothing about other tasks, however clear they are.
FEWEST_TASKS = 10
SOLVED = mean("solved")
# What the model sees of the server in each arm.
ARMS: Mapping[str, str] = {"without": NONE, "with": OWN, "rewritten": REWRITTEN}


@dataclass(frozen=True, slots=True)
class EffectLimits:
    """What the decision asks for: points that the server must bring, and tasks that may see a dangerous call."""

    gain: float = 0.0
    dangerous: int = 0


@dataclass(frozen=True, slots=True)
class EffectArm:
    """One run of all tasks."""

    name: str
    graded: Sequence[Graded]
    folder: Path
    tokens: int
    cost: float | None

    @property
    def unscored_count(self) -> int:
        """Answers that could not be scored."""
        return sum(item.score.unscored is not None for item in self.graded)

    @property
    def dangerous(self) -> Mapping[str, list[str]]:
        """The tools that were called without being expected and that change something, by task."""
        found: dict[str, list[str]] = {}
        for item in self.graded:
            calls = dangerous_calls(item.sample.gold, item.transcript.notes.get("calls", ()))
            if calls:
                found.setdefault(item.sample.id, []).extend(str(call["name"]) for call in calls)
        return found

    def rows(self, tasks: Sequence[EffectTask]) -> list[Row]:
        """Whether each of these tasks is solved."""
        known = {task.id: task for task in tasks}
        return [
            Row(Score(task.id, item.score.trial, values={"solved": share_solved(task, item.score)}), task.id)
            for item in self.graded
            if (task := known.get(item.sample.id)) is not None and item.score.unscored is None
        ]

    def share(self, tasks: Sequence[EffectTask]) -> Estimate:
        """The share of these tasks that is solved."""
        return estimate((SOLVED,), self.rows(tasks))["solved"]


def share_solved(task: EffectTask, score: Score) -> float:
    """1 where the answer states every fact; apart, and without facts, where everything went as expected."""
    facts = score.values["facts"]
    return float((score.values["success"] if task.apart or facts is None else facts) == 1.0)


@dataclass(frozen=True, slots=True)
class ServerEffect:
    """What a server does for a model on the same tasks."""

    source: str
    model: str
    tasks: EffectTasks
    arms: Mapping[str, EffectArm]
    limits: EffectLimits
    # with minus without, and rewritten minus with
    help: GatedFigure
    rewriting: GatedFigure | None

    @property
    def comparable(self) -> list[EffectTask]:
        """The tasks that can be done without the server."""
        return [task for task in self.tasks.tasks if not task.apart]

    @property
    def apart(self) -> list[EffectTask]:
        """The tasks that cannot be done, or not be judged, without the server."""
        return [task for task in self.tasks.tasks if task.apart]

    @property
    def reasons(self) -> list[str]:
        """What speaks against any decision."""
        found = [
            f"{arm.unscored_count} of {len(arm.graded)} answers {name} are unscored"
            for name, arm in self.arms.items()
            if arm.unscored_count > UNSCORED_LIMIT * len(arm.graded)
        ]
        number = len(self.comparable)
        few = f"only {how_many(number, 'task')}" if number else "no task"
        too_few = f"{few} can be compared, at least {FEWEST_TASKS} are needed"
        return [*found, too_few] if number < FEWEST_TASKS else found

    @property
    def lines_about_apart(self) -> list[str]:
        """Which tasks are not compared, by reason, and how to have more that are where they are too few."""
        kinds: dict[str, list[str]] = {}
        for task in self.apart:
            kinds.setdefault(task.apart, []).append(task.id)
        found = [f"not compared, as each {kind}: {', '.join(names)}" for kind, names in kinds.items()]
        number, wanted = len(self.comparable), self.tasks.wanted
        if number >= FEWEST_TASKS:
            return found
        if not number or wanted > len(self.tasks.tasks) + len(self.tasks.left_out):
            advice = "write --cases with facts, or record real results: toolyard mirror SOURCE --out twin --record 2"
        elif wanted:
            advice = f"draw more with --tasks {math.ceil(1.2 * wanted * FEWEST_TASKS / number)}"
        else:
            advice = "write more --cases with facts"
        return [*found, advice]

    @property
    def too_dangerous(self) -> bool:
        """Whether more tasks saw a dangerous call than is allowed."""
        return len(self.arms["with"].dangerous) > self.limits.dangerous

    @property
    def decision(self) -> Decision:
        """NO-GO for danger or proven uselessness, GO for a proven gain, else INCONCLUSIVE."""
        if self.too_dangerous:
            return NO_GO
        return INCONCLUSIVE if self.reasons else self.help.decision

    @property
    def exit_code(self) -> int:
        """What `toolyard effect` ends with, as `toolyard gate` does."""
        return EXIT_CODES[self.decision]

    @property
    def why(self) -> str:
        """The reason of the decision in one line."""
        if self.too_dangerous:
            tools = sorted({name for names in self.arms["with"].dangerous.values() for name in names})
            number = how_many(len(self.arms["with"].dangerous), "task")
            return f"dangerous calls in {number} ({', '.join(tools)[:80]}), {self.limits.dangerous} allowed"
        wanted = f" by more than {100 * self.limits.gain:g} points" if self.limits.gain else ""
        made_up = (
            " on facts that its mirror made up" if all(task.invented for task in self.comparable) else ""
        )
        says = {GO: f"the server helps{wanted}{made_up}", NO_GO: "the server makes answers worse"}
        if self.limits.gain:
            says[NO_GO] = f"the server does not help{wanted}"
        if self.decision in says:
            return says[self.decision]
        unclear = f"{how_many(len(self.comparable), 'task')} cannot tell whether the server helps{wanted}"
        return "; ".join([*(self.reasons or [unclear]), *self.lines_about_apart])

    def to_json(self) -> dict[str, JsonValue]:
        """What `toolyard effect --json` prints."""
        costs = [arm.cost for arm in self.arms.values()]
        return {
            "decision": self.decision,
            "exit_code": self.exit_code,
            "why": self.why,
            "source": self.source,
            "model": self.model,
            "tasks": len(self.comparable),
            "gain_wanted": self.limits.gain,
            "dangerous_allowed": self.limits.dangerous,
            **_difference_json(self.help),
            "rewriting": None if self.rewriting is None else {
                "proposals": self.tasks.proposals, "decision": self.rewriting.decision, **_difference_json(self.rewriting),
            },
            "arms": {name: self._arm_json(arm) for name, arm in self.arms.items()},
            "apart": {task.id: task.apart for task in self.apart},
            "invented": sum(task.invented for task in self.comparable),
            "left_out": dict(self.tasks.left_out),
            "cost": None if None in costs else sum(filter(None, costs)),
        }  # fmt: skip

    def _arm_json(self, arm: EffectArm) -> dict[str, JsonValue]:
        share, apart = arm.share(self.comparable), arm.share(self.apart)
        return {
            "solved": share.value,
            "interval": share.interval,
            "solved_apart": None if arm.name == "without" else apart.value,
            "dangerous": {task: list(names) for task, names in arm.dangerous.items()},
            "unscored": arm.unscored_count,
            "tokens": arm.tokens,
            "cost": arm.cost,
            "run": str(arm.folder),
        }


def _difference_json(item: GatedFigure) -> dict[str, JsonValue]:
    difference, test = item.paired.difference, item.test
    return {
        "difference": difference.value,
        "interval": difference.interval,
        "p_within": None if test is None else test.within,
        "p_beyond": item.beyond,
    }


def run_arms(
    tasks: EffectTasks, base: Settings, chosen: TaskSettings, show: Callable[[str, Tally], None]
) -> dict[str, EffectArm]:
    """Every arm by the ordinary machinery, one after another; the same call again resumes."""
    folder = tasks.path.parent
    arms = {}
    for name, documents in ARMS.items():
        if documents == REWRITTEN and not tasks.proposals:
            continue
        planned = replace(
            base,
            options=chosen.options(documents=documents),
            runs=folder / "runs",
            label=f"{file_slug(display_name(base.model))} {name}",
        )
        run = Run.plan(planned)
        if base.max_cost is not None:
            run = replace(run, spent_beside=spent_below(folder.parent, run.folder))
        result = run_async(answer_and_score(run, show=show_under_name(show, name)))
        manifest: Record = run.store.required_manifest()
        usage = manifest["usage"]
        tokens = int(usage["prompt_tokens"]) + int(usage["completion_tokens"])
        arms[name] = EffectArm(name, result.graded["paper"], run.folder, tokens, manifest["cost"])
    return arms


def measure_effect(
    source: str, model: str, tasks: EffectTasks, arms: Mapping[str, EffectArm], limits: EffectLimits
) -> ServerEffect:
    """The paired differences of the arms, and what follows."""
    comparable = [task for task in tasks.tasks if not task.apart]
    helping = _decide_between(arms["with"], arms["without"], comparable, -limits.gain)
    rewriting = (
        _decide_between(arms["rewritten"], arms["with"], tasks.tasks, 0.0) if "rewritten" in arms else None
    )
    return ServerEffect(source, model, tasks, arms, limits, helping, rewriting)


def _decide_between(
    first: EffectArm, second: EffectArm, tasks: Sequence[EffectTask], allowed: float
) -> GatedFigure:
    return decide_figures([SOLVED], first.rows(tasks), second.rows(tasks), {"solved": allowed}, LEVEL)[0]
