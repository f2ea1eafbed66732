"""What a serving stack's answers add up to: every lost point with the part of the stack it belongs to; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb

from toolyard.certify import damage_signs as signs
from toolyard.certify.defects import DEFECTS, LAYERS, MODEL, MODEL_FAULTS, SUSPICIONS, Defect
from toolyard.certify.endpoint_turn import EndpointTurn
from toolyard.certify.probe import Probe
from toolyard.certify.probe_answers import ProbeAnswer
from toolyard.certify.probe_verdict import Judged, judge_answer
from toolyard.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """One probe's end. `layer` and `why` are empty where it passed or was left out (`skipped`).

    `defects` holds every defect found; `suspected` marks a loss that only a difference between surfaces shows.
    """

    probe: str
    surface: str
    feature: str
    passed: bool
    solved: bool
    layer: str = ""
    why: str = ""
    defects: tuple[str, ...] = ()
    suspected: bool = False
    skipped: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Certificate:
    """All outcomes for one model."""

    model: str
    outcomes: tuple[ProbeOutcome, ...]

    @property
    def counted(self) -> tuple[ProbeOutcome, ...]:
        """The probes that were answered and count."""
        return tuple(outcome for outcome in self.outcomes if not outcome.skipped)

    @property
    def passed(self) -> int:
        """How many probes passed whole."""
        return sum(outcome.passed for outcome in self.counted)

    @property
    def defects(self) -> dict[str, int]:
        """How many probes show each defect, in the order of the catalogue."""
        found = Counter(name for outcome in self.counted for name in outcome.defects)
        return {name: found[name] for name in DEFECTS if found[name]}

    @property
    def suspicions(self) -> dict[str, int]:
        """How many losses only a difference between surfaces shows."""
        found = Counter(outcome.why for outcome in self.counted if outcome.suspected)
        return {name: found[name] for name in SUSPICIONS if found[name]}

    @property
    def lost(self) -> dict[str, int]:
        """Points lost by each part of the stack."""
        found = Counter(outcome.layer for outcome in self.counted if not outcome.passed)
        return {layer: found[layer] for layer in LAYERS}

    @property
    def skipped(self) -> dict[str, int]:
        """Why probes were left out, and how many."""
        return dict(Counter(outcome.skipped for outcome in self.outcomes if outcome.skipped))

    @property
    def sound(self) -> bool:
        """Whether something was asked and no defect was found; what the model cannot do is none."""
        return bool(self.counted) and not self.defects

    def to_json(self) -> dict[str, JsonValue]:
        """Everything, in plain values."""
        return {
            "model": self.model, "sound": self.sound, "probes": len(self.outcomes), "counted": len(self.counted),
            "passed": self.passed, "lost": self.lost, "defects": self.defects, "suspicions": self.suspicions,
            "skipped": self.skipped, "outcomes": [asdict(outcome) for outcome in self.outcomes],
        }  # fmt: skip


def make_certificate(model: str, probes: Iterable[Probe], answers: Mapping[str, ProbeAnswer]) -> Certificate:
    """The certificate that the kept answers give."""
    judged = {probe.name: judge_answer(probe, answers.get(probe.name)) for probe in probes}
    return Certificate(model, tuple(_outcome_of_probe(item, judged) for item in judged.values()))


def _outcome_of_probe(item: Judged, judged: Mapping[str, Judged]) -> ProbeOutcome:
    """The outcome of one probe, compared with the same task on other surfaces."""
    probe = item.probe
    if item.skipped:
        return ProbeOutcome(
            probe.name,
            probe.surface,
            probe.task.feature,
            False,
            False,
            skipped=item.skipped,
            detail=item.detail,
        )
    defects = _certain_defects(item, judged)
    passed = item.solved and not defects
    layer, why, suspected = ("", "", False) if passed else _attribute_loss(item, defects, judged)
    return ProbeOutcome(
        probe.name, probe.surface, probe.task.feature, passed, item.solved, layer, why, defects, suspected,
        detail="" if passed else item.detail,
    )  # fmt: skip


def _certain_defects(item: Judged, judged: Mapping[str, Judged]) -> tuple[str, ...]:
    """The defects for certain: those of the answer itself, and those that another surface proves."""
    whole = _solved_on_surface(judged, item.probe.surface.removesuffix("-stream"), item)
    found = list(item.defects)
    if not item.solved and item.probe.is_streamed and whole is not None and _is_cut(item.turns, whole.turns):
        found.append("stream_chunks_lost")
    elif item.damage and not item.solved and _solved_on_surface(judged, "prompt", item) is not None:
        found += item.damage
    return tuple(dict.fromkeys(found))


def _solved_on_surface(judged: Mapping[str, Judged], surface: str, item: Judged) -> Judged | None:
    """The same task on another surface, if it was solved there."""
    other = judged.get(f"{surface}/{item.probe.task.name}")
    return other if other is not None and other is not item and other.solved else None


def _is_cut(pieces: Sequence[EndpointTurn], wholes: Sequence[EndpointTurn]) -> bool:
    """Whether a streamed first turn is the whole one with something missing."""
    piece, whole = pieces[0], wholes[0]
    if signs.is_part_of_text(piece.text, whole.text) and not piece.calls:
        return True
    pairs = zip(piece.calls, whole.calls, strict=False)
    return any(signs.is_part_of_text(str(one.arguments), str(other.arguments)) for one, other in pairs)


def _attribute_loss(
    item: Judged, defects: tuple[str, ...], judged: Mapping[str, Judged]
) -> tuple[str, str, bool]:
    """The part of the stack, the reason, and whether it is a suspicion only."""
    if defects:
        first = min(defects, key=list(DEFECTS).index)
        return DEFECTS[first].layer, first, False
    if item.probe.native and item.probe.task.tools and _shows_no_tools(item, judged):
        return DEFECTS["tools_not_shown"].layer, "tools_not_shown", False
    if item.probe.is_streamed and _solved_on_surface(
        judged, item.probe.surface.removesuffix("-stream"), item
    ):
        return SUSPICIONS["stream_only_loss"].layer, "stream_only_loss", True
    if item.probe.native and _solved_on_surface(judged, "prompt", item):
        return SUSPICIONS["native_only_loss"].layer, "native_only_loss", True
    return MODEL, item.fault, False


def _shows_no_tools(item: Judged, judged: Mapping[str, Judged]) -> bool:
    """Whether the counts of this surface prove that its tools never reach the prompt: no model could use them."""
    counted = judged.get(f"{item.probe.surface.removesuffix('-stream')}/count_tools")
    return counted is not None and "tools_not_shown" in counted.defects


def explain_reason(name: str) -> str:
    """A reason in words."""
    defect: Defect | None = DEFECTS.get(name) or SUSPICIONS.get(name)
    return defect.says if defect is not None else MODEL_FAULTS.get(name, name)


@dataclass(frozen=True, slots=True)
class Paired:
    """The same probes at two endpoints: how many each passed alone, and the exact p-value of McNemar's test."""

    probes: int
    both: int
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    neither: int
    p_value: float

    def to_json(self) -> dict[str, JsonValue]:
        """All of it, in plain values."""
        return {**asdict(self), "difference": (len(self.only_here) - len(self.only_there)) / self.probes}


def paired_difference(here: Certificate, there: Certificate) -> Paired | None:
    """The paired difference over probes that counted at both; None where there are none."""
    other = {outcome.probe: outcome.passed for outcome in there.counted}
    pairs = [(item.probe, item.passed, other[item.probe]) for item in here.counted if item.probe in other]
    if not pairs:
        return None
    only_here = tuple(name for name, one, two in pairs if one and not two)
    only_there = tuple(name for name, one, two in pairs if two and not one)
    both = sum(one and two for _, one, two in pairs)
    neither = len(pairs) - both - len(only_here) - len(only_there)
    return Paired(
        len(pairs), both, only_here, only_there, neither, mcnemar_p_value(len(only_here), len(only_there))
    )


def mcnemar_p_value(first: int, second: int) -> float:
    """The two-sided exact p-value of a split of discordant pairs, by the binomial distribution."""
    discordant = first + second
    if not discordant:
        return 1.0
    tail = sum(comb(discordant, place) for place in range(min(first, second) + 1)) / 2**discordant
    return float(min(1.0, 2 * tail))
