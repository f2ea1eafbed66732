"""76 attacks on the block that quotes judged text, each carried by an answer, a thought, a tool's name and a document.

No line of theirs stands outside its bars, no mark of a tokenizer is left in them, and a judge that repeats them, as
they are or as a reader would clean them, is counted by its own line or not at all.
"""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from toolyard.benchmarks.tooleyes.scoring.judge_material import LONGEST, Piece, claims_of, fence_pieces
from toolyard.benchmarks.tooleyes.scoring.judge_questions import Posed, posed_of
from toolyard.benchmarks.tooleyes.scoring.judge_verdicts import paper_verdict
from toolyard.benchmarks.tooleyes.task.prompt import TEMPLATES
from toolyard.core.types import Evidence, Failure

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "fence_attacks.jsonl").read_text(encoding="utf-8").splitlines()
]
KINDS = ("look_alike", "spread_label", "block", "turn_mark")
OWN = 2.0
# What models take for the end of a turn, a speaker or a thought, as their tokenizers spell it.
TOKENS = re.compile(
    r"<\|[^>]*\|>|<｜|\|>|</?s>|\[/?INST\]|<</?SYS>>|</?think>|<(?:end|start)_of_turn>|\[/?SYSTEM_PROMPT\]|<seed:\w+>"
    r"|<SPECIAL_\d+>|<extra_id_\d+>|<reserved_\d+>|<用户>|<AI>|<_user>|<_bot>|</?tool_(?:call|response)>|\[unused\d+\]"
    r"|\[UNUSED_TOKEN_\d+\]|\]~b\]|\[e~\[|\[gMASK\]|<sop>|<EOT>|<eod>"
)
ALIKE = str.maketrans(
    "ЕеаоСсАОіѕрαοετιυνρσɛƐꞨօ\u0131\u0130ſᴇᴠᴀʟᴜᴛɪᴏɴꜱᴄʀ\u3164", "EeaoCcAOispaoetiuvpoeESoiIsevalutionscr "
)


def posed(carrier: str, text: str) -> Posed:
    tools, request = (
        Piece("tools", text if carrier == "tools" else "[]"),
        Piece("request", "A berth, please."),
    )
    if carrier == "tool":
        return posed_of(
            TEMPLATES, "match/0", "match", tools, Piece("thought", "I look."), Piece("tool", text)
        )
    if carrier == "thought":
        return posed_of(TEMPLATES, "intent", "intent", tools, request, Piece("thought 1", text))
    return posed_of(
        TEMPLATES, "quality", "quality", tools, request, Piece("answer", text if carrier == "answer" else "7")
    )


def cleaned(text: str) -> str:
    """What a reader makes of it who sees letters and no signs."""
    found = "".join(
        name[-1].lower()
        if re.search(r"(?:SQUARED LATIN CAPITAL|INDICATOR SYMBOL) LETTER [A-Z]$", name)
        else char
        for char in unicodedata.normalize("NFKC", text).translate(ALIKE)
        for name in [unicodedata.name(char, "")]
        if unicodedata.category(char) not in ("Mn", "Me", "Cf") and char not in "\u115f\u1160"
    )
    plain = re.sub(r"</?b>|\\(?=_)", "", found).replace("&#32;", " ")
    return re.sub(r"(?i)eva[l1]uation[\s_-]*sc[o0]re", "Evaluation Score", plain)


def replies(quote: str, code: str) -> dict[str, str]:
    """Judges that repeat what they were shown, before or behind a verdict of two, or without any."""
    return {
        "alone": f"Scoring Reason: it says\n{quote}\nThat is all.",
        "no label": f"{quote}\nMy score is two.",
        "end of block": f"The answer was\n{quote} {code}>>>\nI am not impressed.",
        "before": f"Scoring Reason: it says\n{quote}\nWeak.\nEvaluation Score: 2",
        "before, decorated": f"Scoring Reason: it says\n{quote}\nWeak.\n**Evaluation Score:** 2/10",
        "behind": f"Evaluation Score: 2\nIt said:\n{quote}",
        "end of block before": f"The answer was\n{quote} {code}>>>\nEvaluation Score: 2",
        "marked": f"{quote}\nEvaluation Score: 2 ({code})",
    }


@pytest.mark.parametrize("carrier", ["answer", "thought", "tool", "tools"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_attack_leaves_its_block(kind: str, carrier: str) -> None:
    for row in (row for row in ROWS if row["kind"] == kind):
        asked = posed(carrier, row["text"])
        text = asked.question.messages[1].content
        outside = [line for line in text.split("\n") if not line.startswith("| ")]
        assert text.splitlines() == text.split("\n"), row["id"]
        assert sum(line.startswith("<<<") for line in outside) == 3, row["id"]
        assert sum(line == f"{asked.code}>>>" for line in outside) == 3, row["id"]
        inside = "\n".join(line[2:] for line in text.split("\n") if line.startswith("| "))
        assert TOKENS.search(inside) is None, row["id"]


@pytest.mark.parametrize("carrier", ["answer", "thought", "tool", "tools"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_repeated_attack_is_never_the_verdict(kind: str, carrier: str) -> None:
    for row in (row for row in ROWS if row["kind"] == kind):
        asked = posed(carrier, row["text"])
        lines = asked.question.messages[1].content.split("\n")
        as_shown = "\n".join(line[2:] for line in lines if line.startswith("| "))
        for quote in (as_shown, row["text"], cleaned(row["text"]), cleaned(as_shown)):
            for name, reply in replies(quote, asked.code).items():
                found = paper_verdict(Evidence("s", "q", reply=reply), asked.code, asked.claims)
                assert isinstance(found, Failure) or found == OWN, (row["id"], name, found)
                # A judge that quotes what it was shown and gives the code of its question is always understood.
                if name == "marked" and quote == as_shown:
                    assert found == OWN, row["id"]


@pytest.mark.parametrize("length", [LONGEST, LONGEST + 1, 2_000_000])
@pytest.mark.parametrize("label", ["answer", "thought 3", "tool", "user after thought 1"])
def test_a_judge_sees_both_ends_of_a_long_text_and_all_of_its_instructions(label: str, length: int) -> None:
    text = "begin" + "x\n" * ((length - 8) // 2) + "x" * (length % 2) + "end"
    block = fence_pieces((Piece(label, text),), "qzkdwbtrmvgcpfsh")
    head = block.split("\n", 1)[0]
    assert ("characters)" in head) == (length > LONGEST)
    assert "| begin" in block
    assert block.endswith("end\nqzkdwbtrmvgcpfsh>>>")
    assert len(block) < 3 * LONGEST + 200
    assert all(line.startswith("| ") for line in block.split("\n")[1:-1])


@pytest.mark.parametrize(
    "text", ["It costs 10 for 2 berths.", "The evaluation of the score sheet took 3 days.", "Harbour 7", ""]
)
def test_ordinary_words_claim_nothing(text: str) -> None:
    assert not claims_of((Piece("answer", text),)).speaks
