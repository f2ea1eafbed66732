"""Calls that once ended a run, arguments beyond any use, and filled worlds: each is an answer or a named fault."""

import base64
import logging
import time
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from json_files import read_lines
from packed_pdf import image_pdf
from toolyard.core.types import Observation
from toolyard.world import Tool, World, call, isolation, library
from toolyard.world.isolation.worker_messages import HEADER, pack_message, unpack_message
from toolyard.world.kernel import executor
from toolyard.world.kernel import result_text as budget
from toolyard.world.kernel.allowance import Allowance
from toolyard.world.kernel.registry import _registered, tool
from toolyard.world.kernel.state import Store
from toolyard.world.reference import pronunciation as sounds
from toolyard.world.reference import wordnet
from toolyard.world.tools.calculator import units
from toolyard.world.tools.execute.database import TABLES
from toolyard.world.tools.file.files import FILES
from toolyard.world.tools.mail.mailbox import MAILBOX, OWN_ADDRESS

BASH, SQL, PYTHON = (f"Execute/Execute/execute_{name}" for name in ("bash_code", "mysql_query", "pycode"))
SIGNED = ("+-1", "-+1", "--1", "++1", "+", "-", "1-", "٣", "²", "1e3", "0x1", "", "1" * 30)
NUMERIC = (
    "seq {}", "seq 1 {}", "seq 1 {} 5", "head -n {} notes.txt", "tail -n {} notes.txt", "tail -c {} notes.txt",
    "head -c {} notes.txt", "cut -f {} notes.txt", "cut -c 1-{} notes.txt", "cut -d , -f {}-{} sales.csv",
    "sort -k {} notes.txt", "sort -t , -k {}n sales.csv", "find . -maxdepth {}", "sleep {}", "printf '%d' {}", "date +{}",
)  # fmt: skip
EDGES = cases(__file__, "EDGES")


def answered(seen: Observation) -> None:
    """Fails for a call whose tool failed."""
    assert seen.error != "internal_error", seen.text


@pytest.mark.parametrize("command", NUMERIC)
def test_numbers_of_shell_commands_may_be_anything(command: str) -> None:
    world = World.fresh()
    for number in SIGNED:
        answered(call(world, BASH, {"commands": command.format(f"'{number}'", number)}))


@each_case("commands, said")
def test_a_shell_says_what_is_wrong(commands: str, said: str) -> None:
    seen = call(World.fresh(), BASH, {"commands": commands})
    assert seen.error is None
    assert said in seen.value["stdout"]


def test_programs_in_one_command_line_are_counted() -> None:
    line = "; ".join(["python3 -c 'print(1)'"] * 11)
    assert call(World.fresh(), BASH, {"commands": line}).error == "limit_exceeded"


@each_case("statement, shown")
def test_bytes_of_a_database_are_shown(statement: str, shown: str) -> None:
    assert call(World.fresh(), SQL, {"sql_cmd": statement}).value["rows"] == [{"a": shown}]


@each_case("statement")
def test_a_table_with_bytes_can_be_kept_and_read(statement: str) -> None:
    world = World.fresh()
    answered(call(world, SQL, {"sql_cmd": statement}))
    for table in ("customers", "products", "orders"):
        assert call(world, SQL, {"sql_cmd": f"SELECT * FROM {table}"}).error is None


@each_case("code, listed")
def test_a_program_may_put_a_folder_where_a_file_was(code: str, listed: str) -> None:
    world = World.fresh()
    assert call(world, PYTHON, {"code": f"import os\n{code}"}).error is None
    seen = call(world, PYTHON, {"code": "import os\nprint(os.listdir('/workspace/notes.txt'))"})
    assert seen.value["output"] == f"{listed}\n"


def test_a_program_may_put_a_file_where_a_folder_was() -> None:
    world = World.fresh()
    code = "import os\nos.makedirs('/x/y')\n"
    assert call(world, PYTHON, {"code": code}).error is None
    swap = "import os\nos.rmdir('/x/y')\nos.rmdir('/x')\nopen('/x', 'w').write('now a file')"
    assert call(world, PYTHON, {"code": swap}).error is None
    assert call(world, BASH, {"commands": "cat /x"}).value["stdout"] == "now a file"


@each_case("text")
def test_numbers_of_any_size_end_in_an_answer(text: str) -> None:
    for name in ("calculator", "wolfram_alpha_calculator"):
        answered(call(World.fresh(), f"Calculator/Calculator/{name}", {"input_query": text}))
    for operation in ("simplify", "factor", "derive", "zeroes", "abs", "log", "cos"):
        arguments = {"operation": operation, "expression": text}
        seen = call(World.fresh(), "Calculator/Calculator/newton_calculator", arguments)
        answered(seen)


@pytest.mark.parametrize(
    "text", ["2^(x*10^2000)", "1.05^(x*1200000)", "2^(10^30*x+1)", "3^(x/10^2000)*7^(x*10^400)"]
)
def test_powers_with_huge_coefficients_are_refused_before_they_are_computed(text: str) -> None:
    seen = call(World.fresh(), "Calculator/Calculator/wolfram_alpha_calculator", {"input_query": text})
    assert seen.error == "limit_exceeded"


CORPUS = read_lines(Path(__file__).parent / "calls.jsonl")


@pytest.mark.parametrize("compatibility", [False, True])
@pytest.mark.parametrize(
    "case", CORPUS, ids=[f"{n}-{case['tool'].rpartition('/')[2]}" for n, case in enumerate(CORPUS)]
)
def test_odd_calls_end_in_an_answer(case: Any, compatibility: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "CPU_SECONDS", 1.0)
    answered(call(World.fresh(), case["tool"], case["arguments"], compatibility=compatibility))


@pytest.mark.parametrize("word", ["", " ", "-", "_", "'", "\x00", "é", "\ud800", "!", "FITNESS", "zzzz"])
def test_any_word_is_known_to_the_dictionary_or_not(word: str) -> None:
    assert bool(wordnet.senses(word)) == (word in ("é", "FITNESS"))


def test_remarks_in_the_table_of_words_are_no_sounds() -> None:
    assert sounds.word_phones("gdp") == ["G", "IY1", "D", "IY1", "P", "IY1"]
    assert sounds.phonetic_spelling(sounds.word_phones("aalto")) == "ˈɑːlˌtoʊ"
    assert "hiv" in sounds.rhymes("gdp")


@pytest.mark.parametrize(
    "error", [tokenize.TokenError("invalid decimal literal", (1, 7)), AssertionError(), IndentationError("x")]
)
def test_what_the_unit_parser_raises_is_no_unit(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    class Registry:
        def parse_units(self, text: str) -> None:
            raise error

    monkeypatch.setattr(units, "_unit_registry", Registry)
    assert units.answer_unit_question("5 furlongs to cubits") is None


@pytest.mark.parametrize("name", ["sentiment_analysis", "linguistic_analysis"])
def test_long_texts_are_analysed_in_a_worker_as_short_ones_here(name: str) -> None:
    for text in ("A good day. ", "A good day. " * 250):
        assert call(World.fresh(), f"NLP/NLP/{name}", {"txt": text}).value["language"] == "en"


def lists_of_numbers() -> Iterator[tuple[Tool, str]]:
    for each in library().values():
        for parameter in each.document.parameters:
            if parameter.schema.get("items", {}).get("type") in ("integer", "number", "array"):
                yield each, parameter.name


@pytest.mark.parametrize(
    ("each", "name"), [pytest.param(*case, id=f"{case[0].id}-{case[1]}") for case in lists_of_numbers()]
)
def test_lists_of_numbers_may_hold_any_kind_of_number(each: Tool, name: str) -> None:
    for item in (2.0, 1.5, True, "2", None, 2**63, -1, 1e300, float("nan"), [2.0], [[1]], {"a": 1}):
        for count in (1, 3):
            arguments = {**each.examples[0], name: [item] * count}
            answered(call(World.fresh(), each.id, arguments, compatibility=count == 3))


def dated() -> Iterator[tuple[Tool, str]]:
    words = cases(__file__, "words_of_dates")
    for each in library().values():
        for parameter in each.document.parameters:
            pattern = parameter.schema.get("pattern", "")
            if (
                "\\d{4}" in pattern
                or any(word in parameter.name.lower().split("_") for word in words)
                or "date" in parameter.name.lower()
            ):
                yield each, parameter.name


@pytest.mark.parametrize(
    ("each", "name"), [pytest.param(*case, id=f"{case[0].id}-{case[1]}") for case in dated()]
)
def test_dates_at_the_edges_of_the_calendar(each: Tool, name: str) -> None:
    values: list[Any] = [
        *EDGES,
        *(f"{day}T23:59:59Z" for day in EDGES),
        "9999-12",
        1,
        9999,
        0,
        -1,
        10000,
        253402300799,
        2**62,
    ]
    values += [[9999, 12, 31], [1, 1, 1], [0, 0, 0], [9999, 12, 30]]
    for place, value in enumerate(values, len(each.id)):
        # Every second value in compatibility mode, which ones differs from tool to tool.
        arguments = {**each.examples[0], name: value}
        answered(call(World.fresh(), each.id, arguments, compatibility=place % 2 == 0))


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize(
    "filters", ["JBIG2Decode", "JPXDecode", "CCITTFaxDecode", "DCTDecode", "BrotliDecode", "Crypt", "Nope"]
)
def test_packed_content_of_any_kind_ends_in_an_answer(filters: str, inline: bool) -> None:
    world = World.fresh()
    text = base64.b64encode(image_pdf(b"/" + filters.encode(), inline=inline)).decode()
    call(
        world,
        PYTHON,
        {"code": f"import base64\nopen('/workspace/a.pdf', 'wb').write(base64.b64decode({text!r}))"},
    )
    for name in cases(__file__, "tools_for_pages"):
        extra = {"angle": 90} if name == "rotate" else {"text": "x"} if name == "add_watermark" else {}
        answered(call(world, f"File/Pdf/{name}", {"file_path": "/workspace/a.pdf", **extra}))
    answered(call(world, "File/Pdf/merge", {"file_path": ["/workspace/a.pdf"] * 2}))
    answered(call(world, "File/file_operation/read_file", {"file_path": "/workspace/a.pdf"}))


@pytest.fixture
def broken() -> Iterator[str]:
    """A tool with a mistake in it, for as long as a test runs."""

    @tool("Random/Random", examples=[{}], name="broken")
    def broken(world: World, *, how: str = "key") -> Any:
        """A tool that fails after it has changed something.

        how: In which way.
        """
        world.draw()
        if how == "deep":
            return _deep(0)
        if how == "memory":
            raise MemoryError
        known = {"digits": 10**5000}
        return known[how]

    known = dict(library())
    library.cache_clear()
    yield "Random/Random/broken"
    del _registered["Random/Random/broken"]
    library.cache_clear()
    assert library().keys() == known.keys()


def _deep(number: int) -> int:
    return _deep(number + 1)


@pytest.mark.parametrize(
    ("how", "kind"),
    [("key", "KeyError"), ("deep", "RecursionError"), ("memory", "MemoryError"), ("digits", "ValueError")],
)
def test_what_escapes_a_tool_is_a_fault_and_logged_once(
    how: str, kind: str, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    world = World.fresh()
    before = world.snapshot()
    with caplog.at_level(logging.ERROR, "toolyard"):
        seen = [call(world, broken, {"how": how}, offered=[broken]) for _ in range(3)]
    assert [each.error for each in seen] == ["internal_error"] * 3
    assert kind in seen[0].value["error"]["message"]
    assert [record.message.split("\n")[0] for record in caplog.records] == [f"{broken} failed with {kind}"]
    assert world.snapshot() == before


def test_what_one_reply_and_one_episode_may_take_is_counted() -> None:
    world, allowance = World.fresh(), Allowance(calls_per_round=3)
    errors = [call(world, "IP/IP/get_ip", {}, allowance=allowance).error for _ in range(5)]
    assert errors == [None, None, None, "limit_exceeded", "limit_exceeded"]
    allowance.begin_round()
    assert call(world, "IP/IP/get_ip", {}, allowance=allowance).error is None
    world, allowance = World.fresh(), Allowance(seconds=1e-9)
    assert call(world, "IP/IP/get_ip", {}, allowance=allowance).error is None
    refused = call(world, "IP/IP/get_ip", {}, allowance=allowance)
    assert refused.error == "limit_exceeded"
    assert "answer with what is known" in refused.text


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (16**5000, "out_of_range", "1100 bits"),
        (-(10**400), "out_of_range", "1100 bits"),
        ("a" * 110_001, "out_of_range", "110000 characters"),
        (["a"] * 1001, "out_of_range", "1000 entries"),
        ([["a"] * 900] * 6, "out_of_range", "5000 values"),
        ([["a" * 100_000]] * 3, "out_of_range", "200000 characters"),
        ({"a", "b"}, "wrong_type", "JSON values, got set"),
        (b"bytes", "wrong_type", "JSON values, got bytes"),
        (object(), "wrong_type", "JSON values, got object"),
    ],
    ids=["hex", "digits", "text", "list", "values", "characters", "set", "bytes", "object"],
)
@pytest.mark.parametrize("compatibility", [False, True])
def test_arguments_beyond_any_use_are_refused_before_a_tool_sees_them(
    value: Any, kind: str, said: str, compatibility: bool
) -> None:
    for each in ("Advice/Bored/get_activity_by_key", "News/news_search/get_news_everything", "IP/IP/get_ip"):
        seen = call(World.fresh(), each, {"q": value}, compatibility=compatibility)
        assert (seen.error, said in seen.text) == (kind, True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("9" * 5000, "wrong_type"),
        ("0x" + "f" * 5000, "wrong_type"),
        ("[" * 5000, "wrong_type"),
        ("[" + "1," * 3000 + "1]", "out_of_range"),
        ("1," * 3000, "out_of_range"),
        ("[[" * 20 + "]]" * 20, "out_of_range"),
        ('{"a":' * 40 + "1" + "}" * 40, "out_of_range"),
        ("1e400", "wrong_type"),
        ("nan", "wrong_type"),
        ("[1e400]", "wrong_type"),
        ("[NaN]", "wrong_type"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_texts_that_stand_for_huge_values_are_refused_in_compatibility_mode(text: str, kind: str) -> None:
    seen = call(
        World.fresh(), "Competition/balldontlie/get_all_stats", {"game_ids": text}, compatibility=True
    )
    assert seen.error == kind


def test_lists_that_hold_themselves_are_refused_and_whole_floats_are_integers() -> None:
    endless: list[Any] = []
    endless.append(endless)
    doubled: list[Any] = []
    for _ in range(40):
        doubled = [doubled, doubled]
    for value in (endless, doubled):
        assert call(World.fresh(), "IP/IP/get_ip", {"q": value}).error == "out_of_range"
    stats = "Competition/balldontlie/get_all_stats"
    whole = call(World.fresh(), stats, {"game_ids": [15000.0]})
    assert whole.error is None
    assert whole.text == call(World.fresh(), stats, {"game_ids": [15000]}).text


PEOPLE = [f"a{number}@b.org" for number in range(50)]


def send(world: World, content: str, **more: str) -> str | None:
    arguments = {"to_email_list": PEOPLE, "subject": "s", "content": content, **more}
    return call(world, "Mail/Mail/send_list", arguments).error


def test_a_mailbox_takes_so_many_mails_and_characters_and_stays_as_it_was_beyond() -> None:
    world = World.fresh(0)
    assert send(world, "x" * 50_000, cc=OWN_ADDRESS) == "limit_exceeded"
    assert len(world.store(MAILBOX)) == 10
    assert [send(world, "short") for _ in range(21)] == [None] * 20 + ["limit_exceeded"]
    assert len(world.store(MAILBOX)) == 1_010
    found = call(world, "Zapier/Zapier/run_zapier_NLA_action",
                 {"action_id": "gmail_find_email", "instructions": "from kaggle"})  # fmt: skip
    assert found.value["result"]["found"] == 2
    assert call(world, "Mail/Mail/delete_mail", {"mail_id": "m1"}).error is None


def test_every_store_has_a_limit_and_only_what_is_there_counts() -> None:
    store = Store("notes", most_entries=2, most_characters=10)
    world = World.fresh(0)
    start = world.snapshot()
    view = world.store(store)
    view["a"], view["b"] = "12345", {"k": ["678"]}
    assert world.overfull_since(start) is None
    view["b"] = {"k": ["678", "90"]}
    assert world.overfull_since(start) is store
    view["b"], view["c"] = "", ""
    assert world.overfull_since(start) is store
    del view["a"]
    assert world.overfull_since(start) is None


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [[]],
        ["", "a b", 'quo"te\\', "\x01\x7f\n", "ünï 12345 €"],
        {"k 1": [1, -2.5, 1e300, None, True, 10**30], "": {"x": [["y", 0]]}},
    ],
    ids=["list", "object", "lists", "texts", "numbers"],
)
def test_tokens_of_a_value_are_those_of_its_parts(value: Any) -> None:
    found = budget._measure_tokens(value, "", budget._keep_text, [], budget._Counts())
    assert found == budget.count_tokens(budget.encode(value))


def test_deep_and_unreadable_results_are_cut_as_shallow_ones_are() -> None:
    deep: Any = "." * 1_000
    for _ in range(150):
        deep = [deep, "." * 1_000]
    for value in (deep, {"content": "\x01" * 660_000}, {"rows": [["\x01" * 500] * 20] * 40}):
        shown = budget.render(value, 4_096)
        assert budget.count_tokens(shown.text) <= 4_096
        assert '"cut":' in shown.text
    cut: Any = budget.render({"rows": list(range(10_000)), "text": "a" * 30}, 300).value
    assert cut["cut"] == [{"path": "rows", "kept": 110, "omitted": 9_890}]


def test_writing_a_result_down_is_part_of_what_a_call_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(value: Any, tokens: int) -> budget.Rendered:
        time.sleep(0.05)
        return budget.render(value, tokens)

    monkeypatch.setattr(executor, "render", slowly)
    world, allowance = World.fresh(0), Allowance(seconds=0.05)
    assert call(world, "Mail/Mail/recieve_list", {}, allowance=allowance).error is None
    assert call(world, "Mail/Mail/recieve_list", {}, allowance=allowance).error == "limit_exceeded"


def test_a_store_is_the_same_one_after_a_worker_wrote_to_it() -> None:
    assert all(unpack_message(pack_message(each)[HEADER.size :]) == each for each in (FILES, TABLES, MAILBOX))
    world = World.fresh(0)
    code = "open('/workspace/b.txt', 'w').write('\\x01' * 660_000)"
    assert call(world, "Execute/Execute/execute_pycode", {"code": code}).error is None
    shown = call(world, "File/file_operation/read_file", {"file_path": "/workspace/b.txt"})
    assert shown.error is None
    assert shown.value["cut"][0]["path"] == "text"
