"""Tasks about text in arguments: Unicode, escapes, markup, length."""

from __future__ import annotations

from toolyard.certify.task import ProbeTask, WantedCall
from toolyard.certify.tools import NOTE, TOTAL

LONG = " ".join(f"stone {number} lies by post {number * 7 % 101}." for number in range(1, 41))
NUMBERS = [number * 37 % 97 for number in range(1, 61)]


def _note(name: str, feature: str, text: str, room: int = 512) -> ProbeTask:
    ask = f"Store this note exactly as it stands between the lines, without the lines:\n---\n{text}\n---"
    return ProbeTask(name, feature, ask, (NOTE,), (WantedCall(NOTE.name, {"text": text}),), room=room)


TASKS = (
    _note("umlauts", "Unicode", "Größe übermäßig, Ægir, naïve"),
    _note("han", "Unicode", "港口的灯塔"),
    _note("kana", "Unicode", "みなとの灯台です"),
    _note("right_to_left", "Unicode", "منارة الميناء"),
    _note("emoji", "Unicode", "tide 🌊 crew 👩‍🚀 flag 🏳️"),
    _note("quotes", "escaped arguments", 'she said "go" and \'stay\''),
    _note("backslashes", "escaped arguments", "C:\\new\\table\\u0041"),
    _note("line_breaks", "escaped arguments", "first\nsecond\n\nfourth"),
    _note("tabs", "escaped arguments", "left\tmiddle\tright"),
    _note("object_as_text", "escaped arguments", '{"name": "crane", "load": [1, 2]}'),
    _note("markup", "escaped arguments", "<b>5 &lt; 6</b> & <tag/>"),
    _note("call_markup", "escaped arguments", "write </tool_call> and [TOOL_CALLS] and </think> as they are"),
    _note("code", "escaped arguments", 'def f(x):\n    return f"{x!r}\\n"  # done'),
    _note("long_text", "long arguments", LONG, room=2048),
    ProbeTask("long_list", "long arguments", f"Give the total of these numbers with the tool: {NUMBERS}", (TOTAL,),
         (WantedCall(TOTAL.name, {"numbers": NUMBERS}),), room=1024),
)  # fmt: skip
