"""Tables that need all scores: errors (Table 16), turns and tools (Figure 5), hard types (Table 8)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from toolyard.benchmarks.mtu.data.hard_types import RULES, hard_types
from toolyard.benchmarks.mtu.data.rows import MULTI_TURN, SETTINGS
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.errors import ACTION_LABELS, CLASSES, PARAMETER_LABELS
from toolyard.benchmarks.mtu.scoring.metrics import FIGURES_OF, METRICS
from toolyard.core.benchmark import Derived, Size, Table
from toolyard.core.metrics import Row
from toolyard.core.types import Profile, Record, Score, Transcript
from toolyard.stats.bootstrap import metric_values

Graded = tuple[MtuSample, Transcript, Score]
LAST_TURN = 8
TOOL_BINS = ((0, 2), (3, 4), (5, 6), (7, 9), (10, 14), (15, 1000))


def analysis(graded: Sequence[Graded], profile: Profile) -> tuple[Table, ...]:  # noqa: ARG001
    """Every table for the scored turns."""
    scored = [item for item in graded if item[2].unscored is None]
    if not scored:
        return ()
    tables = [
        _error_table(scored),
        _sub_type_table(scored),
        _accuracy_table(scored, "Tool selection by turn of the dialogue (Figure 5a)", "turn", turn_key),
        _accuracy_table(
            scored, "Tool selection by number of listed tools (Figure 5b)", "listed tools", listed_tools_key
        ),
        _accuracy_table(scored, "Tool selection by number of wanted calls", "wanted calls", _gold_call_count),
        _hard_type_table(scored),
    ]
    return tuple(tables) + _history_tables(scored)


def _errors_by_setting(scored: Sequence[Graded]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {setting: Counter() for setting in _settings_present(scored)}
    for sample, _, score in scored:
        setting = sample.groups["setting"]
        found[setting].update(score.errors.get(setting, {}))
    return found


def _error_table(scored: Sequence[Graded]) -> Table:
    rows = []
    turns = Counter(sample.groups["setting"] for sample, _, _ in scored)
    for setting, counts in _errors_by_setting(scored).items():
        action = [counts[name] for name in CLASSES[:3]]
        rest = (counts["parameter"], counts["format"], counts.total(), turns[setting])
        rows.append((setting, *action, sum(action), *rest))
    columns = ("setting", "missed", "excessive", "incorrect", "action", "parameter", "format", "sum", "turns")
    return Table("Errors by class (Table 16)", columns, tuple(rows))


def _sub_type_table(scored: Sequence[Graded]) -> Table:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sample, _, score in scored:
        for kind in ("action", "parameter"):
            for label, count in score.errors.get(kind, {}).items():
                counts[f"{kind}: {label}"][sample.groups["setting"]] += count
    present = _settings_present(scored)
    labels = [f"action: {name}" for name in ACTION_LABELS] + [
        f"parameter: {name}" for name in PARAMETER_LABELS
    ]
    rows = tuple((label, *(counts[label][setting] for setting in present)) for label in labels)
    return Table(
        "Errors by sub-type (Tables 13-15)",
        ("sub-type", *present),
        rows,
        note="Parameter sub-types count parameters, action sub-types turns and calls.",
    )


def _settings_present(scored: Sequence[Graded]) -> list[str]:
    found = {sample.groups["setting"] for sample, _, _ in scored}
    return [setting for setting in SETTINGS if setting in found]


def _accuracy_table(
    scored: Sequence[Graded], title: str, column: str, bin_of: Callable[[MtuSample], str | None]
) -> Table:
    """The share of turns with the right tools, by a property of the turn and by setting."""
    hits: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for sample, _, score in scored:
        key = bin_of(sample)
        if key is not None:
            hits[key][sample.groups["setting"]].append(score.values["tools_right"] or 0.0)
    present = _settings_present(scored)
    rows = []
    for key in sorted(hits, key=lambda text: (len(text.split("-")[0]), text)):
        members = [value for setting in present for value in hits[key][setting]]
        shares = [_share_or_none(hits[key][setting]) for setting in present]
        rows.append((key, len(members), _share_or_none(members), *shares))
    return Table(title, (column, "turns", "all", *present), tuple(rows))


def _share_or_none(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def turn_key(sample: MtuSample) -> str | None:
    """Which turn of its dialogue a sample is; the last key is open-ended."""
    if sample.groups["setting"] not in MULTI_TURN:
        return None
    turn = sample.gold["turn"] + 1
    return str(turn) if turn < LAST_TURN else f"{LAST_TURN}-"


def listed_tools_key(sample: MtuSample) -> str:
    """How many tools a prompt lists, as a range."""
    count = len(sample.input["tools"])
    low, high = next(limits for limits in TOOL_BINS if limits[0] <= count <= limits[1])
    return f"{low}-{high}" if high < 1000 else f"{low}-"


def _gold_call_count(sample: MtuSample) -> str:
    return str(len(sample.gold["calls"]))


def _open_ended_key(key: str | None) -> str | None:
    return f"{key[:-1]}+" if key is not None and key.endswith("-") else key


SIZES = (
    Size("turn of the dialogue", lambda sample, _: _open_ended_key(turn_key(sample)), "turn_success"),
    Size("wanted calls per turn", lambda sample, _: _gold_call_count(sample), "turn_success"),
    Size("listed tools", lambda sample, _: _open_ended_key(listed_tools_key(sample)), "turn_success"),
)


def _hard_type_table(scored: Sequence[Graded]) -> Table:
    right: dict[str, list[float]] = defaultdict(list)
    exact: dict[str, list[float]] = defaultdict(list)
    for sample, _, score in scored:
        for name in ("all turns", *hard_types(sample)):
            right[name].append(score.values["right"] or 0.0)
            exact[name] += [value] if (value := score.values["exact"]) is not None else []
    rows = tuple(
        (name, len(right[name]), _share_or_none(right[name]), _share_or_none(exact[name]))
        for name in ("all turns", *RULES)
    )
    return Table(
        "Turn success by hard type (Table 8, and the types named in the text)",
        ("hard type", "turns", "turn success", "exact"),
        rows,
        note="Types by the rules in hard.py; a turn may have several.",
    )


def derived_metrics(scored: Sequence[Graded]) -> Derived:
    """The two other corpora of Table 5, whose dialogues have several sources, and Table 16's shares of errors."""
    found: dict[tuple[str, str], float | None] = {}
    for setting, counts in _errors_by_setting(scored).items():
        if counts.total():
            found |= {(setting, name): counts[name] / counts.total() for name in CLASSES}
    for corpus in ("ToolTalk", "API-Bank"):
        members = [item for item in scored if item[0].groups.get("source", "").startswith(corpus)]
        if members:
            rows = [Row(score, sample.cluster, sample.groups) for sample, _, score in members]
            wanted = [metric for metric in METRICS if metric.name in (*FIGURES_OF["M-S"], "average")]
            found |= {(corpus, name): value for name, value in metric_values(wanted, rows).items()}
    return found


def _history_tables(scored: Sequence[Graded]) -> tuple[Table, ...]:
    """How far the model's own histories went apart from the recorded ones; only after `--history own`."""
    notes: list[tuple[Record, float]] = [
        (transcript.notes, score.values["right"] or 0.0)
        for _, transcript, score in scored
        if "turns_apart" in transcript.notes
    ]
    if not notes:
        return ()
    rows = []
    for label, wanted in (("as recorded", False), ("apart from the record", True)):
        members = [(note, right) for note, right in notes if (note["turns_apart"] > 0) is wanted]
        observed = sum(note["calls_with_observation"] for note, _ in members)
        refused = sum(note["calls_with_error"] for note, _ in members)
        rows.append((label, len(members), _share_or_none([right for _, right in members]), observed, refused))
    columns = ("history so far", "turns", "turn success", "earlier calls with observation", "with an error")
    return (Table("Turns after the model's own history", columns, tuple(rows)),)
