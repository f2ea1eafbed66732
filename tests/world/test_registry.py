"""Every tool of the library: its document, its examples, and its place in the inventory."""

import ast
import functools
import graphlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from toolyard.core.types import Observation
from toolyard.world import Tool, World, call, library, tools
from toolyard.world.kernel.checks.lint import lint_tool
from toolyard.world.kernel.compat import renamed_parameters
from toolyard.world.kernel.executor import BUDGET_TOKENS
from toolyard.world.kernel.registry import same_named_tools
from toolyard.world.kernel.result_text import count_tokens

TOOLS = list(library().values())
GROUPS = sorted({f"{tool.category}/{tool.subcategory}" for tool in TOOLS})
BY_SCENARIO = {"TG": 27, "DU": 26, "RS": 75, "PL": 164, "IR": 150, "AM": 30, "FT": 96}
TWINS = {
    "Anti_Malware/Anti_Malware/blacklist_ip_2",
    "Competition/API_F1/drivers_2",
    "Food/spoonacular_products/classify_grocery_product_2",
}
ANOTHER_DAY = """
import datetime, time
start = time.time
time.time = lambda: start() + 400 * 86_400
class Moment(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
class Day(datetime.date):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())
datetime.datetime, datetime.date = Moment, Day
"""
EACH_TOOL = pytest.mark.parametrize("tool", TOOLS, ids=[tool.id for tool in TOOLS])


def run_examples(tool: Tool) -> list[Observation]:
    return [call(World.fresh(), tool.id, example) for example in tool.examples]


@functools.cache
def texts(tool_id: str) -> list[str]:
    """What a tool's examples gave when they were first called in this process."""
    tool = library()[tool_id]
    validator = jsonschema.Draft202012Validator(tool.document.result)
    for observation in (found := run_examples(tool)):
        assert observation.error is None, observation.text
        assert observation.value not in (None, "", [], {})
        assert [error.message for error in validator.iter_errors(observation.value)] == []
    return [seen.text for seen in found]


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Another process with another hash seed, time zone and day; it works while the tests here run."""
    script = (
        f"{ANOTHER_DAY}\nimport json\nfrom toolyard.world import World, call, library\n"
        "print(json.dumps({i: [call(World.fresh(0), i, e).text for e in t.examples] for i, t in library().items()}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "PYTHONIOENCODING": "utf-8"}
    path = tmp_path_factory.mktemp("elsewhere") / "texts.json"
    with path.open("wb") as output:
        process = subprocess.Popen([sys.executable, "-c", script], stdout=output, env=environment)
    yield process, path
    process.kill()
    process.wait()


def official(shared: Path) -> dict[str, list[dict[str, object]]]:
    """Id -> documented parameters of every official tool; the second of equal names is numbered."""
    listed = json.loads((shared / "specs" / "tooleyes_tools.json").read_text("utf-8"))
    found: dict[str, list[dict[str, object]]] = {}
    for part in listed["subcategories"]:
        for tool in part["tools"]:
            tool_id = f"{part['category']}/{part['subcategory']}/{tool['name']}"
            found[f"{tool_id}_2" if tool_id in found else tool_id] = tool["parameters"]
    return found


def inventory(shared: Path) -> dict[str, dict[object, object]]:
    """Id -> parameter -> required, credentials left out and defective names mended."""
    return {
        tool_id: {
            renamed_parameters(tool_id).get(str(row["name"]), row["name"]): row["required"]
            for row in parameters
            if not library()[tool_id].is_credential(str(row["name"]))
        }
        for tool_id, parameters in official(shared).items()
    }


@EACH_TOOL
def test_definition_follows_the_conventions(tool: Tool) -> None:
    assert lint_tool(tool) == ()


@EACH_TOOL
def test_documents_are_json_schema_and_examples_fit_them(tool: Tool) -> None:
    for schema in (tool.document.schema(), tool.document.result):
        jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(tool.document.schema())
    assert [error.message for each in tool.examples for error in validator.iter_errors(dict(each))] == []
    json.dumps(tool.to_json())


@EACH_TOOL
def test_examples_return_something_that_fits_the_documented_result_and_the_budget(tool: Tool) -> None:
    assert max(map(count_tokens, texts(tool.id))) <= BUDGET_TOKENS


def test_results_do_not_depend_on_what_was_called_before() -> None:
    first = {tool.id: texts(tool.id) for tool in TOOLS}
    again = {tool.id: [seen.text for seen in run_examples(tool)] for tool in reversed(TOOLS)}
    assert [tool_id for tool_id in first if first[tool_id] != again[tool_id]] == []


def test_another_process_gives_the_same_bytes(elsewhere: tuple[subprocess.Popen[bytes], Path]) -> None:
    process, path = elsewhere
    assert process.wait() == 0
    there = json.loads(path.read_text("utf-8"))
    assert [tool.id for tool in TOOLS if texts(tool.id) != there[tool.id]] == []


@pytest.mark.parametrize("group", GROUPS)
def test_official_tools_equal_the_inventory_less_credentials(group: str, shared: Path) -> None:
    wanted = {key: value for key, value in inventory(shared).items() if key.rsplit("/", 1)[0] == group}
    ours = {
        tool.id: {parameter.name: parameter.required for parameter in tool.document.parameters}
        for tool in TOOLS
        if tool.id in wanted
    }
    assert ours == wanted


def test_library_holds_568_tools_and_misses_none(shared: Path) -> None:
    missing = sorted(set(official(shared)) - set(library()))
    assert missing == [], f"{len(missing)} tools are still missing"
    assert Counter(library()[tool].scenario for tool in official(shared)) == BY_SCENARIO
    assert set(same_named_tools()) >= TWINS


def test_the_folder_of_a_tool_is_its_category() -> None:
    folders = {tool.id: tool.function.__module__.split(".tools.")[1].split(".")[0] for tool in TOOLS}
    assert folders == {tool.id: tool.category.lower() for tool in TOOLS}


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules among the known ones that a module imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (part if part in known else node.module for part in parts)


def test_no_modules_of_the_worlds_import_each_other_in_a_circle() -> None:
    root = Path(tools.__file__).parents[1]
    known = {
        ".".join(("toolyard.world", *path.relative_to(root).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for part in ("reference", "simulated", "tools")
        for path in (root / part).rglob("*.py")
    }
    graph = {name: {*imported(path, known)} & known.keys() - {name} for name, path in known.items()}
    assert len(tuple(graphlib.TopologicalSorter(graph).static_order())) == len(known)


def test_importing_the_package_imports_no_world_and_no_tables() -> None:
    script = (
        "import sys, toolyard.world\n"
        "print([name for name in sys.modules if name.startswith(('toolyard.world.tools.', 'toolyard.world.simulated'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
