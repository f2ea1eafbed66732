"""An effect for people: tables for the terminal, and one self-contained page with every task."""

from toolyard.core.table import Table
from toolyard.owntools.effect.effect_run import ServerEffect, share_solved
from toolyard.owntools.effect.effect_tasks import EffectTask
from toolyard.report.gate.decision import GO, GatedFigure
from toolyard.report.page.comparison_page import page_text
from toolyard.report.page.verdict_line import VerdictLine
from toolyard.report.tables.formats import money_text, p_text, with_interval
from toolyard.run.plan.run_config import display_name
from toolyard.text.counted_nouns import how_many

INVENTED = (
    "The mirror made up the facts of {} of these tasks, so nobody can know them without the server: the difference shows "
    "whether the model can use the server, not whether it needs it. Record real results (toolyard mirror SOURCE --out twin "
    "--record 2) or allow real calls (--live)."
)
SOLVED = "Solved: the answer states every fact of the task."


def effect_tables(effect: ServerEffect) -> list[Table]:
    """The decision, the differences, and the tasks that are reported apart."""
    headline = f"{effect.decision}: {effect.source} for {display_name(effect.model)}: {effect.why}"
    invented = sum(task.invented for task in effect.comparable)
    note = f"{SOLVED} {INVENTED.format(invented)}" if invented else SOLVED
    columns = ("server", "solved [95 %]", "tasks", "tasks with dangerous calls", "unscored", "tokens", "cost")
    rows = tuple(
        (name, with_interval(arm.share(effect.comparable)), len(effect.comparable), len(arm.dangerous), arm.unscored_count,
         arm.tokens, money_text(arm.cost))
        for name, arm in effect.arms.items()
    )  # fmt: skip
    tables = [
        Table(headline, columns, rows, note=note),
        _difference_table(effect),
        _table_of_apart_tasks(effect),
        Table("Tasks left out", ("task", "reason"), tuple(effect.tasks.left_out.items())),
    ]
    return [table for table in tables if table.rows]


def _difference_table(effect: ServerEffect) -> Table:
    rows = [_difference_row("with - without", effect.help, str(effect.decision))]
    note = "lint proposes no other text, so nothing was rewritten"
    if effect.rewriting is not None:
        rows.append(_difference_row("rewritten - with", effect.rewriting, str(effect.rewriting.decision)))
        note = f"rewritten: {how_many(effect.tasks.proposals, 'proposal')} of tools lint, on all tasks"
    columns = ("difference", "points [95 %]", "decision", "p (helps)", "p (does not)", "tasks")
    return Table("Differences on the same tasks", columns, tuple(rows), note=note)


def _difference_row(name: str, item: GatedFigure, decision: str) -> tuple[str | int, ...]:
    test = item.test
    within = None if test is None else test.within
    return (
        name, with_interval(item.paired.difference), decision, p_text(within), p_text(item.beyond),
        item.paired.clusters,
    )  # fmt: skip


def _table_of_apart_tasks(effect: ServerEffect) -> Table:
    """The tasks that only the server makes possible, or that nobody could judge without it."""
    kinds = dict.fromkeys(task.apart for task in effect.apart)
    names = [name for name in effect.arms if name != "without"]
    rows = []
    for kind in kinds:
        tasks = [task for task in effect.apart if task.apart == kind]
        shares = (with_interval(effect.arms[name].share(tasks)) for name in names)
        rows.append((kind, len(tasks), *shares))
    note = "Every expected call was made, and no other change. These tasks do not enter the decision."
    return Table("Tasks that need the server", ("task", "tasks", *names), tuple(rows), note=note)


def render_effect(effect: ServerEffect) -> str:
    """The page; what models and servers say is escaped like any text."""
    tables = [*effect_tables(effect), _task_table(effect)]
    return page_text(
        "parts.html.j2",
        title="Does the server help?",
        kicker=f"{display_name(effect.model)} on {effect.source} ({how_many(len(effect.tasks.tasks), 'task')})",
        links=[(f"part-{place}", table.title.split(":")[0]) for place, table in enumerate(tables, 1)],
        verdict=VerdictLine(effect.decision == GO, f"{effect.decision}: {effect.why}."),
        charts=[],
        tables=tables,
        samples=[],
    )


def _task_table(effect: ServerEffect) -> Table:
    names = list(effect.arms)
    rows = tuple(
        (
            task.id,
            task.request[:300],
            *(_outcome_text(effect, name, task) for name in names),
            _danger_text(effect, task),
            task.apart,
        )
        for task in effect.tasks.tasks
    )
    return Table("Every task", ("task", "request", *names, "dangerous calls", "apart"), rows)


def _outcome_text(effect: ServerEffect, name: str, task: EffectTask) -> str:
    if name == "without" and task.apart:
        return "–"
    scores = [item.score for item in effect.arms[name].graded if item.sample.id == task.id]
    known = [score for score in scores if score.unscored is None]
    if len(known) < len(scores):
        return "unscored"
    right = sum(share_solved(task, score) for score in known)
    return ("solved" if right else "failed") if len(known) == 1 else f"{right:g} of {len(known)}"


def _danger_text(effect: ServerEffect, task: EffectTask) -> str:
    found = {name: arm.dangerous[task.id] for name, arm in effect.arms.items() if task.id in arm.dangerous}
    return "; ".join(f"{name}: {', '.join(tools)[:200]}" for name, tools in found.items())
