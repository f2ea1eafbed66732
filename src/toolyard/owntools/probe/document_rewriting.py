"""Better documents for the tools that a model confuses, kept only where the same samples show that they help.

One rewriting after another is run on the same samples, on top of those kept before it. It is kept where, on the samples
that want its tool or got it wrongly, the right tools are called more often (paired test), and no other tool's samples
are significantly worse.
"""

import difflib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from toolyard.core.errors import OVER_BUDGET, BudgetExceeded, ProviderError
from toolyard.core.metrics import Row, mean
from toolyard.core.processes.stopping import run_async
from toolyard.core.table import Table
from toolyard.core.types import Decoding, JsonValue, Message, Request, Score
from toolyard.lines import Appender
from toolyard.models.loading import load_model
from toolyard.models.request_costs import Budget, known_price
from toolyard.owntools.document_wording import describe_tool, difference_text
from toolyard.owntools.probe.model_profile import ToolProfile, key_of, most_confused
from toolyard.owntools.probe.probe_rows import write_suites
from toolyard.owntools.probe.probe_run import ProbeSettings, ToolProbe, all_documents, run_suites, spent_below
from toolyard.owntools.probe.sample_observations import NOTHING, Seen, observe_runs
from toolyard.owntools.sources.tool_source import SourceTool
from toolyard.owntools.tool_meaning import tool_danger, tool_meanings
from toolyard.run.play.progress_counts import Tally
from toolyard.run.play.side_models import SPENDING
from toolyard.stats.paired import PairedTest, paired_test
from toolyard.stats.significance import SIGNIFICANCE

MOST_REWRITTEN = 8
FIGURE = mean("tools_right")
ASKING = """You write the description of one tool for a language model that has to choose between tools.
Say in at most three sentences what the tool does, when to use it, and how it differs from the tools it is mistaken for.
Use only what is written here. Answer with the description alone.

Tool:
{tool}

It is mistaken for:
{others}
"""


@dataclass(frozen=True, slots=True)
class DocumentRewriting:
    """A new description for one tool, and what the same samples say about it."""

    tool: str
    before: str
    after: str
    test: PairedTest | None = None
    worse: tuple[str, ...] = ()
    kept: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the old description stays."""
        return not self.before or not self.after.startswith(self.before.rstrip(". "))

    @property
    def verdict(self) -> str:
        """Why it is kept or not."""
        if self.test is None or self.test.p_value is None:
            return "no sample wants this tool"
        if self.worse:
            return f"not kept: worse for {', '.join(self.worse)}"
        return "kept: it helps" if self.kept else "not kept: the difference may be chance"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """All rewritings that were tried, the whole difference of those kept, and the patch."""

    rewritings: tuple[DocumentRewriting, ...]
    overall: PairedTest | None
    patch: str

    def tables(self) -> list[Table]:
        """The rewritings for people."""
        rows = tuple(
            (
                each.tool, each.verdict,
                None if each.test is None else _points(each.test.difference.value),
                None if each.test is None else each.test.p_value,
                None if each.test is None else each.test.clusters,
                each.after,
            )
            for each in self.rewritings
        )  # fmt: skip
        note = ""
        if self.overall is not None and self.overall.difference.value is not None:
            d = self.overall.difference
            note = (
                f"All kept rewritings together: right tools {_points(d.value)} points [{_points(d.low)}, {_points(d.high)}] "
                f"over {self.overall.clusters} tasks, p = {self.overall.p_value:.4f}."
            )
        columns = ("tool", "verdict", "points", "p", "tasks", "new description")
        return [Table("Rewritten descriptions", columns, rows, note=note)]

    def to_json(self) -> dict[str, JsonValue]:
        """What suggestion.json holds."""
        return {
            "rewritings": [
                {"tool": r.tool, "before": r.before, "after": r.after, "kept": r.kept, "verdict": r.verdict,
                 "difference": None if r.test is None else r.test.difference.value,
                 "p": None if r.test is None else r.test.p_value, "worse": list(r.worse)}
                for r in self.rewritings
            ],
            "overall": None if self.overall is None else {
                "difference": self.overall.difference.value, "low": self.overall.difference.low,
                "high": self.overall.difference.high, "p": self.overall.p_value, "tasks": self.overall.clusters,
            },
            "patch": self.patch,
        }  # fmt: skip


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:+.1f}"


def suggest_rewritings(
    probe: ToolProbe,
    profile: ToolProfile,
    writer: str = "",
    show: Callable[[str, Tally], None] | None = None,
    most: int = MOST_REWRITTEN,
) -> Suggestion:
    """Tests rewritten documents of the most confused tools, one at a time on the same samples, on top of those kept."""
    tools = {tool.name: tool for tool in probe.shop.mirror.source.tools}
    before = profile.seen
    kept: dict[str, str] = {}
    judged: list[DocumentRewriting] = []
    for group in _rewritings_to_try(_draft_rewritings(profile, tools, writer, most, probe.settings), profile):
        texts = {draft.tool: draft.after for draft in group}
        after = _run_with_descriptions(probe, {**kept, **texts}, group[0].tool, show)
        found = _test_rewritings(group, before, after, tools)
        judged += found
        if found[0].kept:
            before, kept = after, {**kept, **texts}
    overall = compare_tool_choice(profile.seen, before) if kept else None
    return Suggestion(tuple(judged), overall, documents_patch(tools, kept))


def _rewritings_to_try(
    drafts: Sequence[DocumentRewriting], profile: ToolProfile
) -> Iterator[tuple[DocumentRewriting, ...]]:
    """Rewritings that are tried together: two whole ones of tools that are taken for each other, else each by itself."""
    times = {(wanted, called): len(ids) for wanted, called, ids in profile.confusions}
    whole = {draft.tool: draft for draft in drafts if draft.is_whole}
    mutual = [
        (min(times.get((one, other), 0), times.get((other, one), 0)), one, other)
        for one, other in combinations(whole, 2)
    ]
    partner: dict[str, str] = {}
    for count, one, other in sorted(mutual, key=lambda pair: -pair[0]):
        if count and one not in partner and other not in partner:
            partner |= {one: other, other: one}
    done: set[str] = set()
    for draft in drafts:
        if draft.tool not in done:
            group = (draft, whole[partner[draft.tool]]) if draft.tool in partner else (draft,)
            done |= {each.tool for each in group}
            yield group


def _draft_rewritings(
    profile: ToolProfile, tools: Mapping[str, SourceTool], writer: str, most: int, settings: ProbeSettings
) -> list[DocumentRewriting]:
    chosen = most_confused(profile, most)
    rivals = {name: _confused_tools(profile, name, tools) for name in chosen}
    texts = (
        _write_descriptions(chosen, rivals, tools, writer, settings)
        if writer
        else _descriptions_by_rule(chosen, rivals, tools)
    )
    return [
        DocumentRewriting(name, tools[name].description, texts[name])
        for name in chosen
        if texts.get(name)
        and texts[name] != tools[name].description
        and not leads_to_harm(name, texts[name], tools)
    ]


def leads_to_harm(name: str, text: str, tools: Mapping[str, SourceTool]) -> bool:
    """Whether a new description names a tool that can do more harm than the described one, as the old one does not."""
    meanings = tool_meanings(tuple(tools.values()))
    danger = {each: tool_danger(tool, meanings[each]) for each, tool in tools.items()}
    named = [each for each in tools if each != name and re.search(rf"(?<!\w){re.escape(each)}(?!\w)", text)]
    return any(danger[each] > danger[name] and each not in tools[name].description for each in named)


def _confused_tools(profile: ToolProfile, name: str, tools: Mapping[str, SourceTool]) -> list[str]:
    """The tools that one is taken for, or that are taken for it, most often first."""
    found: dict[str, int] = {}
    for wanted, called, ids in profile.confusions:
        other = called if wanted == name else wanted if called == name else NOTHING
        if other in tools and other != name:
            found[other] = found.get(other, 0) + len(ids)
    return sorted(found, key=lambda other: -found[other])


def _descriptions_by_rule(
    chosen: Sequence[str], rivals: Mapping[str, Sequence[str]], tools: Mapping[str, SourceTool]
) -> dict[str, str]:
    """The description by rule, with a sentence that tells the tool from the one it is taken for."""
    meanings = tool_meanings(tuple(tools.values()))
    texts = {}
    for name in chosen:
        tool, meaning = tools[name], meanings[name]
        keeps = tool.description and not meaning.contradicts and not _shares_description(tool, tools)
        text = tool.description.rstrip(". ") + "." if keeps else describe_tool(tool, meaning)
        if keeps:
            apart = (difference_text(tool, tools[rival], meanings) for rival in rivals[name])
            text = f"{text} {next(filter(None, apart), '')}".strip()
        texts[name] = text
    return texts


def _shares_description(tool: SourceTool, tools: Mapping[str, SourceTool]) -> bool:
    """Whether another tool is described in the same words."""
    return any(other.name != tool.name and other.description == tool.description for other in tools.values())


def _write_descriptions(
    chosen: Sequence[str], rivals: Mapping[str, Sequence[str]], tools: Mapping[str, SourceTool], writer: str,
    settings: ProbeSettings,
) -> dict[str, str]:  # fmt: skip
    """Descriptions by a model, one line each; what it writes is text like any other."""
    before = spent_below(settings.out)
    budget = Budget(settings.max_cost, before)

    async def work() -> dict[str, str]:
        model = load_model(writer)
        if settings.max_cost is not None:
            known_price(model.price, "writer")
        try:
            found = {}
            for name in chosen:
                others = (
                    "\n".join(_tool_json(tools[other]) for other in rivals[name][:3])
                    or "no tool in particular"
                )
                text = ASKING.format(tool=_tool_json(tools[name]), others=others)
                answer = await budget.ask(model, Request((Message("user", text),), Decoding(max_tokens=200)))
                found[name] = " ".join(answer.text.split())[:600]
            return found
        except ProviderError as error:
            if error.kind != OVER_BUDGET:
                raise
            left = len(chosen) - len(found)
            raise BudgetExceeded(
                f"{budget.reached} by the writer: {left} of {len(chosen)} descriptions remain; {budget.go_on}"
            ) from None
        finally:
            with Appender(settings.out / SPENDING) as lines:
                lines.append({"cost": budget.spent - before})
            await model.close()

    return run_async(work())


def _tool_json(tool: SourceTool) -> str:
    return json.dumps({"name": tool.name, "description": tool.description, "parameters": tool.schema})[:3000]


def _run_with_descriptions(
    probe: ToolProbe, texts: Mapping[str, str], name: str, show: Callable[[str, Tally], None] | None
) -> tuple[Seen, ...]:
    """What the model does on the same samples with other descriptions."""
    tools = [
        replace(tool, document=replace(tool.document, description=texts[tool.name]))
        if tool.name in texts
        else tool
        for tool in probe.shop.mirror.source.tools
    ]
    documents = all_documents(probe.shop, tools, probe.settings.seed)
    folders = write_suites(probe.suites, documents, probe.settings.out / f"suites_{name}")
    return observe_runs(run_suites(folders, probe.settings, show))


def _rows_of_seen(seen: Sequence[Seen]) -> list[Row]:
    """Rows of whatever has tools to choose; a task with all its questions is one cluster."""
    return [
        Row(
            Score(key_of(each), values={"tools_right": float(each.tools_right)}),
            f"{each.benchmark}/{each.cluster}",
            {},
        )
        for each in seen
        if not (each.benchmark == "toolbehonest" and each.id.endswith("/1"))
    ]


def compare_tool_choice(before: Sequence[Seen], after: Sequence[Seen]) -> PairedTest:
    """After minus before: how much more often the right tools are called."""
    return paired_test(FIGURE, _rows_of_seen(after), _rows_of_seen(before))


def _test_rewritings(
    group: Sequence[DocumentRewriting],
    before: Sequence[Seen],
    after: Sequence[Seen],
    tools: Mapping[str, SourceTool],
) -> list[DocumentRewriting]:
    """The rewritings of a group with their paired test, and the other tools whose samples they made worse."""
    names = {draft.tool for draft in group}
    own = {key_of(each) for each in before if names & {call.tool for call in (*each.wanted, *each.called)}}
    if not own:
        return list(group)
    test = _compare_on_samples(own, before, after)
    helps = test.p_value is not None and test.p_value < SIGNIFICANCE and (test.difference.value or 0) > 0
    worse = tuple(name for name in tools if name not in names and _is_worse(name, names, before, after))
    return [
        replace(draft, test=test, worse=worse if helps else (), kept=helps and not worse) for draft in group
    ]


def _compare_on_samples(keys: Collection[str], before: Sequence[Seen], after: Sequence[Seen]) -> PairedTest:
    return compare_tool_choice(
        [each for each in before if key_of(each) in keys], [each for each in after if key_of(each) in keys]
    )


def _is_worse(name: str, rewritten: Collection[str], before: Sequence[Seen], after: Sequence[Seen]) -> bool:
    """Whether the samples of another tool, where a rewritten one is offered, are significantly worse."""
    keys = {
        key_of(each)
        for each in before
        if set(rewritten) & set(each.offered) and any(call.tool == name for call in each.wanted)
    }
    test = _compare_on_samples(keys, before, after)
    return test.p_value is not None and test.p_value < SIGNIFICANCE and (test.difference.value or 0) < 0


def documents_patch(tools: Mapping[str, SourceTool], texts: Mapping[str, str]) -> str:
    """A unified diff of the documents, one file per tool in MCP's form."""
    parts = []
    for name, text in texts.items():
        old = tools[name].to_json()
        new = {**old, "description": text}
        before, after = (
            json.dumps(each, indent=2, ensure_ascii=False).splitlines(keepends=True) for each in (old, new)
        )
        diff = difflib.unified_diff(before, after, f"a/{name}.json", f"b/{name}.json", lineterm="\n")
        parts.append("".join(line if line.endswith("\n") else f"{line}\n" for line in diff))
    return "".join(parts)
