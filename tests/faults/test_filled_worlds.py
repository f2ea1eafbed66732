"""A world that a model has filled: what one call leaves behind makes no later call long, nor its result."""

import time
from typing import Any

import pytest

from toolyard.world.isolation.worker_messages import HEADER, pack_message, unpack_message
from toolyard.world.kernel import executor
from toolyard.world.kernel import result_text as budget
from toolyard.world.kernel.allowance import Allowance
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import Store, World
from toolyard.world.tools.execute.database import TABLES
from toolyard.world.tools.file.files import FILES
from toolyard.world.tools.mail.mailbox import MAILBOX, OWN_ADDRESS

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
    found = budget._measure_tokens(value, "", budget._keep, [], budget._Counts())
    assert found == budget.tokens(budget.encode(value))


def test_deep_and_unreadable_results_are_cut_as_shallow_ones_are() -> None:
    deep: Any = "." * 1_000
    for _ in range(150):
        deep = [deep, "." * 1_000]
    for value in (deep, {"content": "\x01" * 660_000}, {"rows": [["\x01" * 500] * 20] * 40}):
        shown = budget.render(value, 4_096)
        assert budget.tokens(shown.text) <= 4_096
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
    assert all(
        unpack_message(pack_message(store)[HEADER.size :]) == store for store in (FILES, TABLES, MAILBOX)
    )
    world = World.fresh(0)
    code = "open('/workspace/b.txt', 'w').write('\\x01' * 660_000)"
    assert call(world, "Execute/Execute/execute_pycode", {"code": code}).error is None
    shown = call(world, "File/file_operation/read_file", {"file_path": "/workspace/b.txt"})
    assert shown.error is None
    assert shown.value["cut"][0]["path"] == "text"
