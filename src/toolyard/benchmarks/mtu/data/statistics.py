"""What a data folder holds: the counts of Table 7 and Figure 4, for the data given."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from toolyard.benchmarks.mtu.data import corpus_dialogues as corpora
from toolyard.benchmarks.mtu.data.hard_types import RULES, hard_types
from toolyard.benchmarks.mtu.data.lengths import NOTE, length_values
from toolyard.benchmarks.mtu.data.rows import SETTINGS, samples_by_dialogue
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.baselines import tool_names
from toolyard.core.benchmark import Table
from toolyard.core.exhibits import BOX_PARTS
from toolyard.stats.box_statistics import five_numbers
from toolyard.stats.means import rounded_mean
from toolyard.text.names import name_words

# Table 7: dialogues of the paper's own splits (train, normal, hard).
PAPER_DIALOGUES: Mapping[str, tuple[int | None, int | None, int | None]] = {
    "S-S": (14277, 52, 56),
    "S-M": (13641, 55, 39),
    "M-S": (19007, 54, 31),
    "M-M": (7442, 42, 37),
    "OOD": (None, 65, None),
}
# Figures 3 and 4: topics by domain; the words are ours, and assign a tool by its name.
DOMAINS: Mapping[str, Mapping[str, str]] = {
    "Place": {
        "Restaurant": "restaurant restaurants food reservation table",
        "Hotel": "hotel hotels house",
        "Attraction": "attraction attractions museum",
        "Library": "book books library membership fees",
    },
    "Media": {"Movie": "movie movies screening creative theater", "Music": "music song media playlist songs"},
    "Traffic": {
        "Flight": "flight flights oneway roundtrip",
        "Taxi": "taxi ride cab",
        "Renter": "car cars rental",
        "Train": "train trains",
        "Bus": "bus buses",
    },
    "Daily Life": {
        "Home": "temperature room light device thermostat lights",
        "Contact": "contact contacts",
        "Alarm": "alarm alarms",
        "Calendar": "calendar event events schedule reminder",
        "Weather": "weather forecast",
    },
    "Money": {"Bank": "bank balance account transfer", "Payment": "payment pay money"},
    "Information": {
        "Event": "tickets ticket concert",
        "Appointment": "appointment appointments",
        "Sport": "sport sports game score match",
        "Message": "message messages email location share",
    },
    "Disease": {
        "Therapist": "therapist",
        "Hair": "hair stylist",
        "Doctor": "doctor patient provider",
        "Dentist": "dentist dental",
    },
    "Others": {
        "Apartment": "apartment apartments home homes property",
        "World Record": "record world",
        "Auto Repair": "auto repair vehicle",
        "Pizza": "pizza",
        "Coffee": "coffee",
    },
}
_TOPIC_OF = {
    word: (domain, topic)
    for domain, topics in DOMAINS.items()
    for topic, words in topics.items()
    for word in words.split()
}


def statistics(path: Path, samples: tuple[MtuSample, ...]) -> tuple[Table, ...]:
    """Dialogues by setting and difficulty, lengths, domains, hard types; corpora with both policies."""
    form = corpora.detect_corpus(path)
    return (*sample_tables(samples), *([] if form is None else [_policy_table(path, form)]))


def sample_tables(samples: Sequence[MtuSample]) -> tuple[Table, ...]:
    """What can be said of samples wherever they come from."""
    lengths = lengths_table("Lengths (Figures 10 and 11)", length_values(samples), NOTE)
    return _dialogue_table(samples), _figure_4(samples), lengths, _domain_table(samples), _hard_types(samples)


def lengths_table(title: str, lengths: Mapping[str, Mapping[str, Sequence[float]]], note: str = "") -> Table:
    """Distributions in five numbers each, by what is measured and setting."""
    rows = tuple(
        (measure, setting, len(values), rounded_mean(values), *(round(value, 1) for value in found))
        for measure, settings in lengths.items()
        for setting, values in settings.items()
        if (found := five_numbers(values)) is not None
    )
    columns = ("length", "setting", "n", "mean", *BOX_PARTS)
    return Table(title, columns, rows, note, heads=2)


def _dialogue_table(samples: Sequence[MtuSample]) -> Table:
    rows = []
    for setting in SETTINGS:
        members = [sample for sample in samples if sample.groups["setting"] == setting]
        if not members:
            continue
        dialogues = samples_by_dialogue(members)
        levels = Counter(turns[0].groups.get("difficulty", "unknown") for turns in dialogues.values())
        calls = [len(sample.gold["calls"]) for sample in members]
        listed = [len(sample.input["tools"]) for sample in members]
        rows.append(
            (
                setting,
                len(dialogues),
                levels["normal"],
                levels["hard"],
                levels["unknown"],
                *PAPER_DIALOGUES[setting],
                len(members),
                sum(1 for count in calls if count),
                sum(calls),
                rounded_mean(listed),
            )
        )
    columns = (
        "setting",
        "dialogues",
        "normal",
        "hard",
        "unmarked",
        "paper train",
        "paper normal",
        "paper hard",
    )
    return Table(
        "Dialogues by setting (Table 7)",
        (*columns, "turns", "turns with a call", "calls", "tools listed per turn"),
        tuple(rows),
        note="The release marks no difficulty; S-S and S-M are recovered from their ids. OOD: 65 in the paper.",
    )


def _figure_4(samples: Sequence[MtuSample]) -> Table:
    dialogues = list(samples_by_dialogue(samples).values())
    listed = {name for sample in samples for name in tool_names(sample.input["tools"])}
    called = {call["name"] for sample in samples for call in sample.gold["calls"]}
    topics = {_topic_of_tool(name) for name in listed | called} - {None}
    used = [{call["name"] for turn in turns for call in turn.gold["calls"]} for turns in dialogues]
    calls = [len(sample.gold["calls"]) for sample in samples if sample.gold["calls"]]
    rows = (
        ("dialogues", len(dialogues), "54798 (54367 train, 431 test)"),
        ("topics recognised", len(topics), "31 (26 and 5 OOD)"),
        ("tools listed", len(listed), "136 (122 and 14 OOD)"),
        ("tools listed or called", len(listed | called), None),
        ("turns per dialogue", rounded_mean([len(turns) for turns in dialogues]), 2.6),
        ("tools called per dialogue", rounded_mean([len(names) for names in used]), 5.6),
        ("calls per turn with a call", rounded_mean(calls), 2.2),
        (
            "words per user turn",
            rounded_mean([len(sample.input["user"].split()) for sample in samples]),
            None,
        ),
    )
    return Table(
        "Counts (Figure 4)",
        ("count", "data given", "paper, all splits"),
        rows,
        note="The paper counts train and test together; tools per dialogue there may count listed tools.",
    )


def _topic_of_tool(name: str) -> tuple[str, str] | None:
    """The topic whose words the tool's name holds; the last word decides, as in BookHotel."""
    found = [_TOPIC_OF[word] for word in reversed(name_words(name)) if word in _TOPIC_OF]
    return found[0] if found else None


def _domain_table(samples: Sequence[MtuSample]) -> Table:
    tools: dict[str, set[str]] = defaultdict(set)
    topics: dict[str, set[str]] = defaultdict(set)
    touched: Counter[str] = Counter()
    for turns in samples_by_dialogue(samples).values():
        names = {name for turn in turns for name in _called_names(turn)}
        for name in names:
            domain, topic = _topic_of_tool(name) or ("not recognised", "")
            tools[domain].add(name)
            topics[domain].add(topic)
        called = {call["name"] for turn in turns for call in turn.gold["calls"]}
        touched.update({(_topic_of_tool(name) or ("not recognised", ""))[0] for name in called})
    order = [*DOMAINS, "not recognised"]
    rows = tuple(
        (domain, len(topics[domain] - {""}), len(tools[domain]), touched[domain])
        for domain in order
        if tools[domain]
    )
    return Table(
        "Domains (Figure 4)",
        ("domain", "topics", "tools", "dialogues that call one"),
        rows,
        note="Tools are assigned by words in their names; the paper's own assignment is not released.",
    )


def _called_names(turn: MtuSample) -> Iterable[str]:
    yield from tool_names(turn.input["tools"])
    yield from (call["name"] for call in turn.gold["calls"])


def _hard_types(samples: Sequence[MtuSample]) -> Table:
    counts: dict[str, Counter[str]] = {name: Counter() for name in RULES}
    for sample in samples:
        for name in hard_types(sample):
            counts[name][sample.groups["setting"]] += 1
    present = [name for name in SETTINGS if any(sample.groups["setting"] == name for sample in samples)]
    rows = tuple((name, *(counts[name][setting] for setting in present)) for name in RULES)
    return Table(
        "Turns by hard type (Table 8, and the types named in the text)",
        ("hard type", *present),
        rows,
        note="By the rules in hard_types.py; a turn may have several types.",
    )


def _policy_table(path: Path, form: str) -> Table:
    rows = []
    everything = corpora.read_dialogues(path, form)
    for source in dict.fromkeys(dialogue.source for dialogue in everything):
        count = sum(dialogue.source == source for dialogue in everything)
        for policy in corpora.POLICIES:
            samples = [
                sample for sample in corpora.load(path, form, policy) if sample.groups["source"] == source
            ]
            calls = sum(bool(sample.gold["calls"]) for sample in samples)
            kept = len(samples_by_dialogue(samples))
            rows.append((source, policy, count, kept, len(samples), calls, len(samples) - calls))
    return Table(
        "Conversion to multi-turn single-tool (Table 5)",
        ("source", "policy", "dialogues", "kept", "examples", "with a call", "without"),
        tuple(rows),
        note="The paper does not say which subset it used.",
    )
