"""Tasks about turns: several calls, choice, many tools, results, errors, thoughts in between, counts."""

from toolyard.certify.task import Longer, Past, ProbeTask, ProbeTool, WantedCall
from toolyard.certify.tools import (
    ADD,
    CLOCK,
    CONVERT,
    LAMP,
    LOCKER,
    METER,
    NOTE,
    PAINT,
    PLAIN,
    UNLOCK,
    adding_tool,
    depot_tools,
    text_checksum,
)  # fmt: skip

LONGEST_NAME = "add_two_whole_numbers_and_give_their_sum_as_a_whole_number_again"


def _stock_task(name: str, count: int, depot: int) -> ProbeTask:
    wanted = WantedCall(f"stock_depot_{depot}", {"item": "rope"})
    return ProbeTask(
        name,
        "many tools",
        f"What is the stock of rope in depot {depot} of {count}?",
        depot_tools(count),
        (wanted,),
    )


def _sum(name: str, ask: str, a: int, b: int, tool: ProbeTool = ADD) -> ProbeTask:
    return ProbeTask(name, "names", ask, (tool, CLOCK), (WantedCall(tool.name, {"a": a, "b": b}),))


_LAMPS = tuple(WantedCall("set_lamp", {"room": room, "on": True}) for room in ("attic", "cellar", "porch"))
_PAST = Past("Which code has the locker at the mill?", WantedCall("locker_code", {"place": "mill"}), "Q2-FERN",
             "The code is Q2-FERN.")  # fmt: skip
_SPOKEN = Past(
    "Add 2 and 3, then say it.",
    WantedCall("add", {"a": 2, "b": 3}),
    "5",
    "It is 5.",
    text="I add them first.",
)
_THOUGHT = Past("Add 4 and 5, then say it.", WantedCall("add", {"a": 4, "b": 5}), "9", "It is 9.",
                thought="The user wants a sum; the tool adds.")  # fmt: skip

CALLS = (
    ProbeTask("no_arguments", "plain", "Which tick does the station clock show?", (CLOCK,), (WantedCall("read_clock", {}),)),
    ProbeTask("one_of_seven", "plain", "Paint the bench amber, nothing else.", PLAIN,
         (WantedCall("paint", {"object": "bench", "colour": "amber"}),)),
    ProbeTask("two_at_once", "parallel calls", "Switch on the lamps of the attic and the cellar, both at once.", (LAMP,),
         _LAMPS[:2]),
    ProbeTask("three_at_once", "parallel calls", "Switch on the lamps of attic, cellar and porch, all at once.", (LAMP,),
         _LAMPS),
    ProbeTask("different_at_once", "parallel calls", "At once: add 70 and 5, and paint the door violet.", (ADD, PAINT),
         (WantedCall("add", {"a": 70, "b": 5}), WantedCall("paint", {"object": "door", "colour": "violet"}))),
    ProbeTask("one_after_another", "several calls",
         "Fetch the code of the locker at the harbour, then open it with the code.",
         (LOCKER, UNLOCK),
         (WantedCall("locker_code", {"place": "harbour"}), WantedCall("open_locker", {"code": "K7-PLUM"}))),
    ProbeTask("chain_of_sums", "several calls", "Add 111 and 222 with the tool; then add 444 to that result with the tool.",
         (ADD,), (WantedCall("add", {"a": 111, "b": 222}), WantedCall("add", {"a": 333, "b": 444}))),
    ProbeTask("one_at_a_time", "several calls", "Switch on the lamps of attic and cellar, one after the other.", (LAMP,),
         _LAMPS[:2], one_at_a_time=True, native_only=True, leans_on="choice"),
    ProbeTask("must_call", "forced choice", "Add 64 and 36; you must use a tool.", (ADD, CLOCK),
         (WantedCall("add", {"a": 64, "b": 36}),), choice="required", native_only=True, leans_on="choice"),
    ProbeTask("must_call_this", "forced choice", "Add 12 and 13, or look at the clock.", (ADD, CLOCK),
         (WantedCall("add", {"a": 12, "b": 13}),), choice="add", native_only=True, leans_on="choice"),
    ProbeTask("must_call_anyway", "forced choice", "Good morning!", (LAMP,), choice="required", any_call=True,
         native_only=True, leans_on="choice"),
    ProbeTask("must_call_this_anyway", "forced choice", "Good evening!", (CLOCK, NOTE), choice="read_clock", any_call=True,
         native_only=True, leans_on="choice"),
    ProbeTask("may_not_call", "no choice", "Add 5 and 6; no tool may be used now, answer in words.", (ADD,),
         choice="none", native_only=True, leans_on="choice"),
    ProbeTask("need_not_call", "no choice", "Just say hello to me. No tool is needed for that.", (ADD, CLOCK)),
    ProbeTask("no_tools", "no choice", "Say the word lantern.", (), answer="lantern"),
    _stock_task("sixteen_tools", 16, 11),
    _stock_task("sixty_four_tools", 64, 57),
    _stock_task("hundred_twenty_eight_tools", 128, 103),
    _sum("long_name", "Add 3 and 30 with the tool of the long name.", 3, 30, adding_tool(LONGEST_NAME)),
    _sum("hyphen_name", "Add 6 and 60 with add-numbers.", 6, 60, adding_tool("add-numbers")),
    _sum("digits_name", "Add 7 and 70 with add_2_v3.", 7, 70, adding_tool("add_2_v3")),
    ProbeTask("result_told", "tool results", "Which code has the locker at the tower? Tell me the code.", (LOCKER,),
         (WantedCall("locker_code", {"place": "tower"}),), answer="Z9-OPAL"),
    ProbeTask("result_of_two", "tool results", "Open the locker at the mill with its code and tell me the ticket.",
         (LOCKER, UNLOCK), (WantedCall("locker_code", {"place": "mill"}), WantedCall("open_locker", {"code": "Q2-FERN"})),
         answer=text_checksum("Q2-FERN")[:4]),
    ProbeTask("result_is_error", "tool results with errors", "Read the meter of unit B12 and tell me the reading.", (METER,),
         (WantedCall("read_meter", {"unit": "B-12"}),), answer="4187"),
    ProbeTask("error_then_other", "tool results with errors",
         "Read the meters of C40 and tell me the reading; mind what the tool says.", (METER,),
         (WantedCall("read_meter", {"unit": "C-40"}),), answer="2950"),
    ProbeTask("after_a_call", "thoughts in between", "Now the locker at the tower: fetch its code.", (LOCKER,),
         (WantedCall("locker_code", {"place": "tower"}),), past=(_PAST,), leans_on="history"),
    ProbeTask("after_spoken_call", "thoughts in between", "Now add 20 and 30 with the tool.", (ADD,),
         (WantedCall("add", {"a": 20, "b": 30}),), past=(_SPOKEN,), leans_on="history"),
    ProbeTask("after_thought", "thoughts in between", "Now add 21 and 31 with the tool.", (ADD,),
         (WantedCall("add", {"a": 21, "b": 31}),), past=(_THOUGHT,), leans_on="history"),
    ProbeTask("think_first", "thoughts in between",
         "Think aloud in one sentence which tool fits, then convert 10 miles to feet with it.", (CONVERT, ADD),
         (WantedCall("convert_length", {"value": 10, "from_unit": "mile", "to_unit": "foot"}),)),
    ProbeTask("system_rule", "system messages", "Store the note.", (NOTE,), (WantedCall("store_note", {"text": "basalt"}),),
         system="Whenever the user asks to store the note, its text is: basalt"),
)  # fmt: skip

COUNTS = tuple(
    ProbeTask(f"count_{longer.part.replace(' ', '_')}", "prompt counts", f"Reply with one word, please ({longer.part}).",
         (ADD,), kind="count", longer=longer, room=16, native_only=True,
         leans_on="history" if longer.part in ("result", "past call") else "")
    for longer in (Longer("tools"), Longer("parameters"), Longer("result"), Longer("system"), Longer("past call"))
)  # fmt: skip

LIMITS = (
    ProbeTask("cut_text", "limits", "Write the numbers from one to two hundred in words.", (), kind="limit", room=16),
    ProbeTask("cut_beside_tools", "limits", "Write the numbers from one to three hundred in words; use no tool.", (ADD,),
         kind="limit", room=16),
)  # fmt: skip

TASKS = (*CALLS, *COUNTS, *LIMITS)
