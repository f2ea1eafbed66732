"""Tasks about text in arguments: Unicode, escapes, markup, length."""

from toolyard.certify.task import ProbeTask, WantedCall
from toolyard.certify.tools import NOTE, TOTAL

LONG = " ".join(f"stone {number} lies by post {number * 7 % 101}." for number in range(1, 41))
NUMBERS = [number * 37 % 97 for number in range(1, 61)]


def _note_task(name: str, feature: str, text: str, room: int = 512) -> ProbeTask:
    ask = f"Store this note exactly as it stands between the lines, without the lines:\n---\n{text}\n---"
    return ProbeTask(name, feature, ask, (NOTE,), (WantedCall(NOTE.name, {"text": text}),), room=room)


TASKS = (
    _note_task("umlauts", "Unicode", "Größe übermäßig, Ægir, naïve"),
    _note_task("han", "Unicode", "港口的灯塔"),
    _note_task("kana", "Unicode", "みなとの灯台です"),
    _note_task("right_to_left", "Unicode", "منارة الميناء"),
    _note_task("emoji", "Unicode", "tide 🌊 crew 👩‍🚀 flag 🏳️"),
    _note_task("quotes", "escaped arguments", 'she said "go" and \'stay\''),
    _note_task("backslashes", "escaped arguments", "C:\\new\\table\\u0041"),
    _note_task("line_breaks", "escaped arguments", "first\nsecond\n\nfourth"),
    _note_task("tabs", "escaped arguments", "left\tmiddle\tright"),
    _note_task("object_as_text", "escaped arguments", '{"name": "crane", "load": [1, 2]}'),
    _note_task("markup", "escaped arguments", "<b>5 &lt; 6</b> & <tag/>"),
    _note_task("call_markup", "escaped arguments", "write </tool_call> and [TOOL_CALLS] and </think> as they are"),
    _note_task("code", "escaped arguments", 'def f(x):\n    return f"{x!r}\\n"  # done'),
    _note_task("long_text", "long arguments", LONG, room=2048),
    ProbeTask("long_list", "long arguments", f"Give the total of these numbers with the tool: {NUMBERS}", (TOTAL,),
         (WantedCall(TOTAL.name, {"numbers": NUMBERS}),), room=1024),
)  # fmt: skip
