"""The folder of a mirror: code, documents, tables, recorded calls, and a card that says what is what."""

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import DataError, ToolyardError, UsageError
from toolyard.core.processes.stopping import run_async
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.lines import indented_json, whole_folder, write_whole
from toolyard.owntools.mirror.call_recording import Show, record_calls, say_nothing
from toolyard.owntools.mirror.data_twins import add_twins
from toolyard.owntools.mirror.kernel import ABOUT, TABLES, Mirror
from toolyard.owntools.mirror.mirror_code import INIT, MAIN, module_code, python_name
from toolyard.owntools.mirror.mirror_plan import MirrorPlan, TablePlan, plan_mirror
from toolyard.owntools.mirror.recorded_calls import RecordedCall, read_recorded, write_recorded
from toolyard.owntools.sources.source_loading import MIRROR_TOOLS, load_source
from toolyard.owntools.sources.tool_source import ToolSource
from toolyard.text.counted_nouns import how_many
from toolyard.text.markdown import escape_markdown, markdown_tables
from toolyard.text.printable import printable_line
from toolyard.world.kernel.registry import mount

CARD = "card.md"
CODE = "tools.py"


def write_mirror(
    plan: MirrorPlan, folder: Path, *, anew: bool = False, given: Record | None = None
) -> MirrorPlan:
    """The plan as the files of the whole package hold it; edited code is only replaced where that was asked for.

    `given` are real values, which the first row of every table takes for its fields of these names.
    """
    refuse_other_folder(folder, anew=anew)
    package = python_name(folder.name)
    with whole_folder(folder) as place:
        write_whole(
            place / MIRROR_TOOLS, indented_json({"tools": [each.tool.to_json() for each in plan.tools]})
        )
        write_recorded(place, plan.recorded)
        # From the files, so that they alone say what the code is.
        plan = replace(read_plan(card_facts(plan), place), recorded=plan.recorded)
        plan = replace(plan, tables=tuple(_put_values(table, given or {}) for table in plan.tables))
        files = {
            TABLES: indented_json(
                {t.name: {"key": t.key, "noun": t.noun, "rows": list(t.rows)} for t in plan.tables}
            ),
            ABOUT: indented_json(card_facts(plan)),
            CODE: module_code(plan).encode("utf-8", "replace"),
            "__init__.py": INIT.format(
                name=plan.source.name, folder=_escape_for_docstring(folder.name), package=package
            ).encode(),
            "__main__.py": MAIN.encode(),
            CARD: card_text(plan).encode("utf-8", "replace"),
        }
        for name, content in files.items():
            write_whole(place / name, content)
    return plan


def _put_values(table: TablePlan, given: Record) -> TablePlan:
    real = {name: value for name, value in given.items() if name in table.fields}
    if not real or not table.rows or any(row[table.key] == real.get(table.key) for row in table.rows):
        return table
    return replace(table, rows=({**table.rows[0], **real}, *table.rows[1:]))


def read_plan(about: Record, folder: Path) -> MirrorPlan:
    """The plan that the files of a mirror give; lines that were added to its recording later do not change it."""
    source = replace(load_source(str(folder)), name=str(about["name"]), kind=str(about["kind"]))
    known = {each["name"] for each in about["tools"] if each["recorded"]}
    return plan_mirror(
        source, int(about["seed"]), [each for each in read_recorded(folder) if each.tool in known]
    )


def refuse_other_folder(folder: Path, *, anew: bool) -> None:
    """A folder that holds something else, or a mirror that may have been edited, is the user's to decide about."""
    if (folder / CODE).exists() and not anew:
        raise UsageError(
            f"{folder} holds a mirror already, which may have been edited; --anew writes it again"
        )
    if folder.exists() and not (folder / ABOUT).exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty and no mirror; choose another --out")


def _escape_for_docstring(text: str) -> str:
    return printable_line(text).replace("\\", "/").replace('"', "'")


def card_facts(plan: MirrorPlan) -> dict[str, JsonValue]:
    """What the card says, for programs."""
    return {
        "name": plan.source.name,
        "kind": plan.source.kind,
        "seed": plan.seed,
        "tables": [
            {"name": t.name, "key": t.key, "rows": len(t.rows), "recorded": t.recorded, "fields": list(t.fields)}
            for t in plan.tables
        ],
        "tools": [
            {"name": each.tool.name, "does": each.kind, "table": each.table or None, "results": each.origin,
             "recorded": each.recorded}
            for each in plan.tools
        ],
    }  # fmt: skip


def card_text(plan: MirrorPlan) -> str:
    """The card: what was recorded, what was inferred, and what is unknown."""
    recorded = [call for call in plan.recorded if not call.error]
    failed = len(plan.recorded) - len(recorded)
    lines = [
        f"# Mirror of {escape_markdown(plan.source.name)}",
        "",
        f"{how_many(len(plan.tools), 'tool')}, source kind `{plan.source.kind}`, seed {plan.seed}. The mirror never calls "
        "the real source. Names and parameters are the source's own. Results are recorded or inferred, as the table says.",
        "",
        markdown_tables([_tool_table(plan), _table_table(plan)], level=2),
        f"{how_many(len(recorded), 'real call')} recorded, {failed} failed.",
        "",
        "Inferred: names, parameters, hints and descriptions decide what a tool does, to which kind of thing, and by which "
        "key. Rows and results come from schemas and the seed. Arguments are checked for type, allowed values, bounds and "
        "required fields, but not for patterns. Edit `tools.py` and `tables.json` where the real source behaves "
        "differently.",
        "",
    ]
    return "\n".join(lines)


def _tool_table(plan: MirrorPlan) -> Table:
    rows = tuple((each.tool.name, each.kind, each.table or None, each.origin) for each in plan.tools)
    note = "Nothing says what these return: edit them, or give them a result schema."
    return Table(
        "Tools", ("tool", "does", "table", "results"), rows, f"{plan.filler}. {note}" if plan.filler else ""
    )


def _table_table(plan: MirrorPlan) -> Table:
    columns = ("table", "key", "rows", "of them recorded", "fields")
    rows = tuple((t.name, t.key, len(t.rows), t.recorded, ", ".join(t.fields)) for t in plan.tables)
    return Table("Tables", columns, rows)


def load_mirror(folder: Path, *, trust: bool = False) -> Mirror:
    """The mirror of a folder, its tools known under `Mirror/NAME`.

    It runs from its data. Code that somebody edited is run only where the user trusts it.
    """
    code = folder / CODE
    if not code.is_file():
        raise UsageError(f"{folder} is not a mirror; make one: toolyard mirror SOURCE --out {folder}")
    is_edited = False
    try:
        mirror = Mirror(folder)
        plan = read_plan(mirror.about, folder)
        written = module_code(plan).encode("utf-8", "replace")
        is_edited = code.read_bytes() != written
        if is_edited:
            mirror = _edited_mirror(folder, code, trust=trust)
        else:
            add_twins(mirror, plan)
    except ToolyardError:
        raise
    except (Exception, SystemExit) as error:  # data of strangers, or code that is the user's own to edit
        why = printable_line(f"{type(error).__name__}: {error}")[:200]
        what = f"{code} does not run" if is_edited else f"the files of {folder} do not fit together"
        raise DataError(f"{what} ({why}); mend them or write the mirror again with --anew") from None
    mount(mirror.tools)
    return mirror


def _edited_mirror(folder: Path, code: Path, *, trust: bool) -> Mirror:
    """The mirror whose code registers its twins, run in this process."""
    if not trust:
        raise UsageError(
            f"{code} is not what Toolyard writes for this mirror: somebody edited it, or another version wrote it; "
            "read it, then run it with --trust, or write it again with toolyard mirror --anew"
        )
    name = f"toolyard_mirror_{python_name(str(folder.resolve()))}"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    for known in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[known]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    mirror: Mirror = module.MIRROR
    return mirror


def make_mirror(
    source: ToolSource,
    folder: Path,
    *,
    number: int = 0,
    allowed: Sequence[str] = (),
    given: Mapping[str, JsonValue] | None = None,
    seed: int = 0,
    anew: bool = False,
    show: Show = say_nothing,
) -> MirrorPlan:
    """The plan of a mirror, which then stands in its folder; `number` real calls of each tool are recorded."""
    refuse_other_folder(folder, anew=anew)
    unknown = [
        name for name in allowed if "*" not in name and name not in {tool.name for tool in source.tools}
    ]
    if unknown:
        raise UsageError(
            f"--allow {unknown[0]}: {source.name} has no such tool; see: toolyard tools lint SOURCE"
        )
    calls: tuple[RecordedCall, ...] = ()
    if number:
        calls = run_async(record_calls(source, number, allowed=allowed, given=given, seed=seed, show=show))
    return write_mirror(plan_mirror(source, seed, calls), folder, anew=anew)


def parse_given_values(texts: Sequence[str]) -> dict[str, JsonValue]:
    """NAME=VALUE pairs; a value that is JSON counts as such, any other as text."""
    found: dict[str, JsonValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--given {text!r}; wanted is NAME=VALUE, e.g. repo_path=.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
