"""certify against a server that plays each dialect and each known defect; certificates side by side."""

import asyncio
import html
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from certificate_tables import main

from cases import cases
from certify_server import Server, serve
from toolyard.certify.certificate import (
    Certificate,
    ProbeOutcome,
    make_certificate,
    mcnemar_p_value,
    paired_difference,
)
from toolyard.certify.certificate_files import badge_svg, junit_xml, render_certificate, write_certificate
from toolyard.certify.model_endpoint import check_model_spec
from toolyard.certify.probe import SURFACES, all_probes, chosen_probes
from toolyard.certify.probe_asking import answers_folder, ask_all
from toolyard.certify.surfaces.responses import read_stream
from toolyard.certify.tasks import TASKS
from toolyard.core.errors import MissingExtra, ProviderError, UsageError

# The defect that the server has, and the names that must be found, no other.
DEFECTS = cases(__file__, "found_by_defect")


async def certified(server: Server, folder: Path, count: int | None = None) -> Certificate:
    async with serve(server) as url:
        spec = check_model_spec(f"openai/m?base_url={url}")
        chosen = chosen_probes((), count)
        answers = await ask_all(spec, chosen, folder, timeout=30, show=lambda done, total: None)
        return make_certificate("openai/m", chosen, answers)


def test_a_sound_server_passes_whole(tmp_path: Path) -> None:
    found = asyncio.run(certified(Server(), tmp_path))
    assert [item.probe for item in found.outcomes if not item.passed] == []
    assert found.sound
    assert found.passed == len(all_probes()) == 367


@pytest.mark.parametrize("defect", sorted(DEFECTS))
def test_a_defect_is_found_and_named(defect: str, tmp_path: Path) -> None:
    found = asyncio.run(certified(Server(defect), tmp_path))
    assert sorted(set(found.defects)) == DEFECTS[defect]
    assert not found.sound


@pytest.mark.parametrize("fault", ["wrong_call"])
def test_a_weak_model_is_no_defect(fault: str, tmp_path: Path) -> None:
    found = asyncio.run(certified(Server(model_fault=fault), tmp_path))
    assert found.sound
    assert found.lost["model"] > 200
    assert sum(found.lost.values()) == found.lost["model"]


def test_tools_that_never_reach_the_prompt_are_not_the_models_loss(tmp_path: Path) -> None:
    found = asyncio.run(certified(Server("tools_not_shown", "wrong_call"), tmp_path))
    layers = {
        item.layer
        for item in found.counted
        if item.surface.startswith(("chat", "responses")) and not item.passed
    }
    assert layers == {"chat template"}
    assert {item.layer for item in found.counted if item.surface == "prompt" and not item.passed} == {"model"}


def test_a_surface_that_is_not_served_is_left_out(tmp_path: Path) -> None:
    found = asyncio.run(certified(Server("responses_not_served"), tmp_path))
    assert found.sound
    assert found.skipped == {"this surface is not served": 143}


def test_the_same_command_asks_nothing_again(tmp_path: Path) -> None:
    server = Server()
    first = asyncio.run(certified(server, tmp_path, 10))
    asked = server.requests
    with (tmp_path / "answers.jsonl").open("ab") as file:
        file.write(b'{"probe": "chat/te')
    assert asyncio.run(certified(server, tmp_path, 10)) == first
    assert server.requests == asked > 9
    asyncio.run(certified(server, tmp_path, 11))
    assert server.requests > asked


def test_few_probes_see_every_surface_and_many_features() -> None:
    chosen = chosen_probes((), 20)
    assert {probe.surface for probe in chosen} == set(SURFACES) - {"prompt-stream"}
    assert len({probe.task.feature for probe in chosen}) >= 18
    assert {"chat/count_tools", "responses/count_tools"} <= {probe.name for probe in chosen}
    with pytest.raises(UsageError, match="there are chat, chat-stream"):
        chosen_probes(["telnet"])
    with pytest.raises(UsageError, match="there are plain, enums"):
        chosen_probes(features=["magic"])
    assert len(chosen_probes(["chat", "responses"], features=["prompt counts", "limits"])) == 14


def test_questions_and_names_are_unique_and_gold_runs() -> None:
    assert len({task.ask for task in TASKS}) == len({task.name for task in TASKS}) == len(TASKS)
    for task in TASKS:
        for wanted in task.wanted:
            assert task.run(wanted.tool, dict(wanted.arguments))


def test_a_script_is_refused_in_one_line_and_every_model_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="answers for the samples of a benchmark alone"):
        check_model_spec("scripted/oracle")
    with pytest.raises(UsageError, match="merge=maybe"):
        check_model_spec("hf/models/m?merge=maybe")
    for model in ("local", "local-tuned", "openai/m?base_url=http://127.0.0.1:9/v1"):
        assert check_model_spec(model).identity == model
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert check_model_spec("hf/models/m?batch=2").identity == "hf/models/m?batch=2"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="needs torch"):
        check_model_spec("hf/models/m?batch=2")


def test_an_address_where_nobody_answers_ends_at_once(tmp_path: Path) -> None:
    spec = check_model_spec("openai/m?base_url=http://127.0.0.1:9/v1")
    with pytest.raises(ProviderError, match=r"cannot be reached \(Cannot connect to host [\d.:]+ \["):
        asyncio.run(ask_all(spec, chosen_probes((), 3), tmp_path, timeout=5, show=lambda done, total: None))


def test_files_for_programs_and_people(tmp_path: Path) -> None:
    sound = asyncio.run(certified(Server(), tmp_path / "a", 40))
    broken = asyncio.run(certified(Server("call_in_text"), tmp_path / "b", 40))
    difference = paired_difference(broken, sound)
    assert difference is not None
    assert difference.only_here == ()
    assert len(difference.only_there) == 40 - broken.passed
    write_certificate(tmp_path, broken, difference)
    written = json.loads((tmp_path / "certificate.json").read_text())
    assert written["against"]["probes"] == 40
    suite = ElementTree.fromstring((tmp_path / "junit.xml").read_text())
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) > 0
    assert ElementTree.fromstring(junit_xml(sound)).attrib["failures"] == "0"
    assert "sound 40/40" in badge_svg(sound)
    page = render_certificate(broken, difference)
    assert "default-src 'none'" in html.unescape(page)
    assert "<tool_call>" not in page
    assert "&lt;tool_call&gt;" in page


def test_a_folder_is_named_by_the_model_and_mcnemar_is_exact(tmp_path: Path) -> None:
    assert mcnemar_p_value(0, 0) == 1.0
    assert mcnemar_p_value(0, 5) == 0.0625
    assert mcnemar_p_value(3, 3) == 1.0
    spec = check_model_spec("openai/qwen/3?base_url=http://127.0.0.1:9/v1")
    assert answers_folder(spec, tmp_path).name.startswith("openai_qwen_3_")


def test_a_stream_may_write_the_same_arguments_with_other_spaces() -> None:
    item = {"type": "function_call", "id": "i", "call_id": "c", "name": "add"}
    events = [
        {"type": "response.output_item.added", "item": {**item, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "item_id": "i", "delta": '{\n  "a": 19}'},
        {
            "type": "response.completed",
            "response": {"status": "completed", "output": [{**item, "arguments": '{"a": 19}'}]},
        },
    ]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    assert read_stream(body).faults == ()
    assert read_stream(body.replace('19}"}', '1}"}', 1)).faults == ("stream_chunks_lost",)


SOUND = Certificate("a", (ProbeOutcome("chat/one", "chat", "plain", True, True),))
FAULTY = Certificate(
    "b",
    (
        ProbeOutcome(
            "chat/one", "chat", "plain", False, False, "tool-call parser", "call_in_text", ("call_in_text",),
            detail="<tool_call>\n`a|b`</tool_call>",
        ),
        ProbeOutcome("prompt/one", "prompt", "plain", False, False, "model", "no_call"),
        ProbeOutcome("responses/one", "responses", "plain", False, False, skipped="this surface is not served"),
    ),
)  # fmt: skip


def test_certificates_stand_side_by_side_and_a_column_wants_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_certificate(tmp_path / "a", SOUND)
    write_certificate(tmp_path / "b", FAULTY)
    main([f"A={tmp_path / 'a' / 'certificate.json'}", f"B={tmp_path / 'b' / 'certificate.json'}"])
    found = capsys.readouterr().out.splitlines()
    assert found[:3] == ["|  | A | B |", "| --- | --- | --- |", "| chat | 1 of 1 | 0 of 1 |"]
    assert "| prompt | – | 0 of 1 |" in found
    assert "| all | 1 of 1 | 0 of 2 |" in found
    assert "| model | 0 | 1 |" in found
    assert "| left out: this surface is not served | 0 | 1 |" in found
    assert found[-1] == (
        "| `call_in_text` | tool-call parser | – | 1 | a well-formed call stands in the text but not in the list of "
        r"calls; `chat/one`: `<tool_call> 'a\|b'</tool_call>` |"
    )
    sys.modules.pop("certificate_tables", None)

    with pytest.raises(SystemExit, match="wanted NAME=PATH"):
        main(["certificate.json"])
