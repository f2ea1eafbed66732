"""From a transcript to what is scored: the turns, who said what between them, and the answer.

A run keeps the model's raw text. The released inference code does not: it rewrites every reply before it stores it,
so that the `official` profile reads our raw text through the same rewriting; saved official trajectories, which have
been through it, are taken as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.data.sample import FINISH, ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.released_parser import is_forced, stored_text
from toolyard.benchmarks.tooleyes.task.rounds import Round, finish_answer, read_round, recover_round
from toolyard.core.types import Failure, JsonValue, Profile, Record, Transcript
from toolyard.text.parsing import read_json

FORCED_TURN = (
    "Thought: Stopped after trying too many times.\nAction: finish\n"
    'Action Input: {"answer": "I cannot handle the task."}'
)
# How the released loop begins its complaint about a reply that it cannot read.
OFFICIAL_COMPLAINT = "Your output format does not match"


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """One turn after the query: the assistant's, a tool's (`function`) or the user's.

    `kind` says why the user speaks: `format` (a complaint), `reply` (to a question) or `change` (another request);
    `error` is the kind of fault that a tool answered with; `recovered` marks a faulty round whose first call was
    made all the same.
    """

    source: str
    value: str
    kind: str = ""
    error: str = ""
    recovered: bool = False

    @property
    def round(self) -> Round:
        """The round that an assistant's turn is; its format is judged by what the model wrote."""
        found = read_round(self.value)
        return recover_round(found) if self.recovered else found


@dataclass(frozen=True, slots=True)
class Trajectory:
    """All that scoring reads. `turns` are the profile's; `rounds` are the model's own in either profile."""

    turns: tuple[AgentTurn, ...]
    rounds: tuple[Round, ...]
    passed: bool
    answer: str
    diff: Record | None
    rounds_used: int
    # what a perfect agent saw and changed in the same world
    reference: Record | None = None

    @property
    def assistant(self) -> tuple[str, ...]:
        """The assistant's texts."""
        return tuple(turn.value for turn in self.turns if turn.source == "assistant")

    def observations(self) -> tuple[tuple[str, JsonValue], ...]:
        """(tool, result) of every call that a tool answered, as data where it is JSON."""
        found, place, tool = [], 0, ""
        for turn in self.turns:
            if turn.source == "assistant":
                tool = self.rounds[place].action if place < len(self.rounds) else ""
                place += 1
            elif turn.source == "function":
                value = read_json(turn.value)
                found.append((tool, turn.value if isinstance(value, Failure) else value))
        return tuple(found)

    def texts_seen(self) -> tuple[str, ...]:
        """What tools and the user said after the query."""
        return tuple(
            turn.value for turn in self.turns if turn.source != "assistant" and turn.kind != "format"
        )


def parse(_sample: ToolEyesSample, transcript: Transcript, profile: Profile) -> Trajectory:
    """The trajectory of a run or of a saved file, as the profile sees it."""
    turns = _agent_turns(transcript)
    saved = bool(transcript.notes.get("saved"))
    forced = _was_forced(turns, transcript)
    rounds = tuple(turn.round for turn in turns if turn.source == "assistant")
    if saved and forced and rounds:
        # The turn that the released loop wrote in the model's place is no round of the model's.
        rounds = rounds[:-1]
    passed = not forced and bool(rounds) and rounds[-1].action.lower() == FINISH
    world, reference = transcript.notes.get("world"), transcript.notes.get("reference")
    return Trajectory(
        turns=_official_turns(turns, forced) if profile == "official" and not saved else turns,
        rounds=rounds,
        passed=passed,
        answer=finish_answer(rounds[-1]) if passed else "",
        diff=world if isinstance(world, Mapping) else None,
        rounds_used=int(transcript.notes.get("rounds", len(rounds))),
        reference=reference if isinstance(reference, Mapping) else None,
    )


def _agent_turns(transcript: Transcript) -> tuple[AgentTurn, ...]:
    conversation = transcript.notes.get("conversation")
    if conversation is None:
        return tuple(AgentTurn("assistant", completion.text) for completion in transcript.completions)
    return tuple(
        AgentTurn(
            str(entry.get("from", "")),
            str(entry.get("value", "")),
            str(entry.get("kind") or _entry_kind(entry)),
            str(entry.get("error") or ""),
            bool(entry.get("recovered")),
        )
        for entry in conversation
    )


def _entry_kind(entry: Record) -> str:
    if entry.get("from") != "user":
        return ""
    return "format" if str(entry.get("value", "")).startswith(OFFICIAL_COMPLAINT) else "reply"


def _was_forced(turns: tuple[AgentTurn, ...], transcript: Transcript) -> bool:
    if not transcript.notes.get("saved"):
        # A prompt that does not fit the context ends the released loop, too.
        return bool(transcript.notes.get("forced")) or transcript.error is not None
    return bool(turns) and turns[-1].source == "assistant" and is_forced(turns[-1].value)


def _official_turns(turns: tuple[AgentTurn, ...], forced: bool) -> tuple[AgentTurn, ...]:
    rewritten = tuple(
        AgentTurn(
            turn.source, stored_text(turn.value) if turn.source == "assistant" else turn.value, turn.kind
        )
        for turn in turns
    )
    return (*rewritten, AgentTurn("assistant", FORCED_TURN)) if forced else rewritten
