"""Where each row stands: unique ids, dialogues and turns, rebuilt from ids and histories.

Official ids repeat: two M-M dialogues share the number 19, and most OOD rows are called `OOD_0_0`. A row
belongs to the dialogue of its id group whose earlier user turns its history repeats; where two fit, to the
first that has no such turn yet.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

_TURN = re.compile(r"^(.+)_(\d{1,6})$")


@dataclass(frozen=True, slots=True)
class Key:
    """What the ids and prompts of a file say about one row."""

    id: str
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """A row's own id, its dialogue, and its turn, as rebuilt and as the released scorer sees it."""

    id: str
    group: str
    dialogue: str
    number: int
    turn: int
    turns: int


@dataclass(slots=True)
class _Dialogue:
    number: int
    rows: dict[int, int] = field(default_factory=dict)


def unique_ids(ids: Sequence[str]) -> list[str]:
    """The ids, the second and later of equal ones marked `#2`, `#3` in order of appearance."""
    seen: Counter[str] = Counter()
    names = []
    for name in ids:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return names


def group_and_turn(row_id: str) -> tuple[str, int]:
    """`M-S_12_3` is turn 3 of `M-S_12`; an id without a turn is turn 0 of itself."""
    match = _TURN.match(row_id)
    return (match.group(1), int(match.group(2))) if match else (row_id, 0)


def rows_as_dialogues(keys: Sequence[Key]) -> list[TurnPlace]:
    """Every row as a dialogue of its own (S-S and S-M)."""
    return [TurnPlace(name, name, name, 0, 0, 1) for name in unique_ids([key.id for key in keys])]


def rebuild_dialogues(keys: Sequence[Key]) -> list[TurnPlace]:
    """Every row with its dialogue and turn (M-S, M-M and OOD)."""
    names = unique_ids([key.id for key in keys])
    members: dict[str, list[int]] = defaultdict(list)
    for row, key in enumerate(keys):
        members[group_and_turn(key.id)[0]].append(row)
    places: dict[int, TurnPlace] = {}
    for group, rows in members.items():
        turns = {row: group_and_turn(keys[row].id)[1] for row in rows}
        for dialogue in _split_dialogues(keys, rows, turns):
            name = group if dialogue.number == 0 else f"{group}#{dialogue.number + 1}"
            for turn, row in dialogue.rows.items():
                places[row] = TurnPlace(names[row], group, name, dialogue.number, turn, len(dialogue.rows))
    return [places[row] for row in range(len(keys))]


def _split_dialogues(keys: Sequence[Key], rows: Sequence[int], turns: dict[int, int]) -> list[_Dialogue]:
    dialogues: list[_Dialogue] = []
    for row in sorted(rows, key=lambda row: (turns[row], row)):
        turn = turns[row]
        # Only the first rows of their dialogues: a turn 0 always begins one.
        open_ones = [dialogue for dialogue in dialogues if turn and turn not in dialogue.rows]
        best = max(open_ones, key=lambda one: _count_shared_turns(keys, one, row), default=None)
        if best is None or (len(open_ones) > 1 and not _count_shared_turns(keys, best, row)):
            best = _Dialogue(len(dialogues))
            dialogues.append(best)
        best.rows[turn] = row
    return dialogues


def _count_shared_turns(keys: Sequence[Key], dialogue: _Dialogue, row: int) -> int:
    """How many of the dialogue's user turns the row's history repeats."""
    past = Counter(keys[row].users[:-1])
    return sum((Counter(keys[other].users[-1] for other in dialogue.rows.values()) & past).values())
