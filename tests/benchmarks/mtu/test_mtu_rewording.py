"""Training rows under other names, and the one concrete reference of the default prompt."""

from random import Random

from cases import cases
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.training.other_names import SYNONYMS, reword_names
from toolyard.benchmarks.mtu.task.prompt import reference_example

BUS = cases(__file__, "bus")
TICKET = cases(__file__, "ticket")


def test_all_that_names_a_tool_or_a_parameter_follows() -> None:
    names = reword_names([BUS, TICKET], Random(3))
    bus, ticket = names.document(BUS), names.document(TICKET)
    calls = (
        DialogueCall("FindBus", {"from_city": "Lund", "departure_date": "2024-01-11"}),
        DialogueCall("BuyBusTicket", {"price": "FindBus.fare_price"}),
    )
    turn = names.turn(
        DialogueTurn("A bus from Lund", thought="FindBus, since the from city is known.", calls=calls)
    )
    first, second = turn.calls
    assert first.name == bus["name"] != "FindBus"
    assert list(first.arguments) == [
        bus["required_parameters"][0]["name"],
        bus["optional_parameters"][0]["name"],
    ]
    assert second.arguments == {
        ticket["required_parameters"][1]["name"]: f"{bus['name']}.{bus['result_parameters'][0]['name']}"
    }
    assert ticket["required_parameters"][0] == bus["required_parameters"][0]
    assert turn.thought.startswith(f"{bus['name']}, since the ")
    assert "from_city" not in str(bus)


def test_names_differ_from_draw_to_draw_and_never_meet() -> None:
    drawn = [reword_names([BUS, TICKET], Random(seed)) for seed in range(40)]
    assert len({names.tools["FindBus"] for names in drawn}) > 20
    for names in drawn:
        assert len(set(names.tools.values())) == 2
        assert len({other.casefold() for other in names.fields["FindBus"].values()}) == 4


def test_no_word_stands_for_itself() -> None:
    assert not [word for word, others in SYNONYMS.items() if word in others or not others]


def test_the_reference_in_the_prompt_is_one_of_the_rows_own() -> None:
    assert reference_example([TICKET, BUS]) == "FindBus.fare_price"
    assert reference_example([{"name": "Ping", "result_parameters": ["answer"]}]) == "Ping.answer"
    assert (
        reference_example(["no document", {"name": 7, "result_parameters": ["x"]}]) == "tool_name.result_name"
    )
