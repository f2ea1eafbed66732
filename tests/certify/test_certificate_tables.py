"""The recipe that puts certificates side by side."""

import sys
from pathlib import Path

import pytest

from toolyard.certify.certificate import Certificate, ProbeOutcome
from toolyard.certify.certificate_files import write_certificate

RECIPES = Path(__file__).parents[2] / "recipes"
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(RECIPES)
    from certificate_tables import main

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
    from certificate_tables import main

    with pytest.raises(SystemExit, match="wanted NAME=PATH"):
        main(["certificate.json"])
