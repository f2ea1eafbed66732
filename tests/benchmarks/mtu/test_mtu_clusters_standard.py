"""Standard names: every member's call keeps all its values, and no document contradicts a call."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolyard.benchmarks.mtu.synth.clustering.clusters import Cluster, Key, cluster_tools, key_of
from toolyard.benchmarks.mtu.synth.clustering.standard_names import (
    PARAMETER_THRESHOLD,
    Rename,
    cosine_of,
    may_be_partners,
    standard_names,
    standardise,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool, DialogueCall
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import standard_call
from toolyard.benchmarks.mtu.synth.instruct.tool_library import (
    document_prompt,
    merge_tools,
    parse_document,
    renamed_tool,
    tool_document,
)
from toolyard.core.types import Failure
from toolyard.models.embed.embedding import Embedder, hash_vectors, load_embedder
from toolyard.text.documents import from_mtu

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))

from mtu_cluster_labels import Labelled, aligned, halves, labelled_tools, precision, recall, safe_threshold


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return load_embedder("minilm")


@pytest.fixture(scope="module")
def labelled(shared: Path) -> tuple[Labelled, ...]:
    return labelled_tools(shared / "data" / "corpora" / "sgd")


def cluster_of(*tools: CorpusTool) -> Cluster:
    return Cluster(tools[0], tools, 1.0, "query")


FERRY = CorpusTool(
    "FindFerry",
    "sea",
    "Find a ferry",
    required=(CorpusParameter("from_port", description="Port where the ferry leaves"),),
    optional=(CorpusParameter("date", description="Date of the crossing"),),
    results=(CorpusParameter("fare", description="Price of the crossing"),),
)
BOAT = CorpusTool(
    "SearchBoats",
    "lake",
    "Search for boats",
    required=(
        CorpusParameter("departure_port", description="Port where the boat departs"),
        CorpusParameter("with_dog", type="boolean", description="Whether a dog comes along"),
    ),
    results=(
        CorpusParameter("departure_port", description="Port where the boat departs"),
        CorpusParameter("price", description="Price of the trip"),
    ),
)


def test_partners_take_the_centroids_names_and_the_rest_is_added(minilm: Embedder) -> None:
    renames = standardise([cluster_of(FERRY, BOAT)], minilm)
    rename = renames["lake", "SearchBoats"]
    assert rename.name == "FindFerry"
    assert rename.parameters == {"departure_port": "from_port", "with_dog": "with_dog"}
    assert rename.results == {"departure_port": "from_port", "price": "fare"}
    both = merge_tools("FindFerry", [renamed_tool(tool, renames[key_of(tool)]) for tool in (FERRY, BOAT)])
    assert [each.name for each in both.required] == ["from_port"]
    assert [each.name for each in both.optional] == ["date", "with_dog"]


def test_a_call_is_written_in_standard_terms_with_its_results(minilm: Embedder) -> None:
    renames = standardise([cluster_of(FERRY, BOAT)], minilm)
    call = DialogueCall(
        "SearchBoats", {"departure_port": "Como", "with_dog": True}, ({"price": "9"},), service="lake"
    )
    assert standard_call(call, renames) == DialogueCall(
        "FindFerry", {"from_port": "Como", "with_dog": True}, [{"fare": "9"}]
    )


def test_a_parameter_outside_the_document_never_overwrites_another(minilm: Embedder) -> None:
    renames = standardise([cluster_of(FERRY, BOAT)], minilm)
    written = standard_call(
        DialogueCall("SearchBoats", {"from_port": "a", "departure_port": "b"}, service="lake"), renames
    )
    assert written.arguments == {"from_port_2": "a", "from_port": "b"}


def test_a_call_of_no_known_tool_keeps_its_name() -> None:
    assert standard_call(DialogueCall("Nothing", {"x": 1}, service="sea"), {}) == DialogueCall(
        "Nothing", {"x": 1}
    )


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        (CorpusParameter("leaving_date"), CorpusParameter("departure_date"), True),
        (CorpusParameter("from_station"), CorpusParameter("to_station"), False),
        (CorpusParameter("check_in_date"), CorpusParameter("check_out_date"), False),
        (CorpusParameter("check_in_date"), CorpusParameter("number_of_days"), False),
        (CorpusParameter("origin"), CorpusParameter("destination_city"), False),
        (CorpusParameter("seats", "integer"), CorpusParameter("place"), False),
        (CorpusParameter("milk", choices=("S", "L")), CorpusParameter("cream", choices=("1", "2")), False),
        (CorpusParameter("milk", choices=("S", "L")), CorpusParameter("cream", choices=("L", "M")), True),
        (CorpusParameter("hotel_name"), CorpusParameter("location"), False),
        (CorpusParameter("arriveBy"), CorpusParameter("date_of_journey"), False),
        (CorpusParameter("artist"), CorpusParameter("singer_name"), True),
    ],
)
def test_opposite_ends_other_kinds_and_other_values_are_never_partners(
    one: CorpusParameter, other: CorpusParameter, may: bool
) -> None:
    assert may_be_partners(one, other) is may
    assert may_be_partners(other, one) is may


def test_what_could_be_either_of_two_is_left_alone(minilm: Embedder) -> None:
    first = CorpusTool("A", "a", "", (CorpusParameter("first_guest", description="Name of the guest"),))
    both = (
        CorpusParameter("guest_one", description="Name of the guest"),
        CorpusParameter("guest_two", description="Name of the guest"),
    )
    renames = standardise([cluster_of(first, CorpusTool("B", "b", "", both))], minilm)
    assert set(renames["b", "B"].parameters.values()) == {"guest_one", "guest_two"}


def test_required_is_what_all_require_and_choices_are_what_any_allows() -> None:
    one = CorpusTool("A", "a", "", (CorpusParameter("size", choices=("S",)), CorpusParameter("dish")))
    two = CorpusTool(
        "B", "b", "", (CorpusParameter("dish"),), (CorpusParameter("size", choices=("S", "L"), default="L"),)
    )
    both = merge_tools("A", [one, two])
    assert [each.name for each in both.required] == ["dish"]
    assert both.optional == (CorpusParameter("size", choices=("S", "L")),)


def test_equal_names_of_other_types_are_two_parameters() -> None:
    one = CorpusTool("A", "a", "", (CorpusParameter("count"),))
    two = CorpusTool("B", "b", "", (CorpusParameter("count", "integer"),))
    renames = standardise([cluster_of(one, two)], hash_vectors)
    assert renames["b", "B"].parameters == {"count": "count_2"}


def test_clusters_with_equal_centroids_get_different_names() -> None:
    hair, dentist, doctor = (CorpusTool("FindProvider", service, "") for service in ("hair", "teeth", "ill"))
    searched = CorpusTool("SearchDentist", "other", "")
    clusters = [cluster_of(hair), cluster_of(dentist, searched), cluster_of(doctor)]
    assert standard_names(clusters) == ["FindProvider_hair", "FindProvider", "FindProvider_ill"]
    clusters = [cluster_of(hair, searched), cluster_of(dentist, CorpusTool("findprovider", "x", ""))]
    assert standard_names(clusters) == ["FindProvider", "FindProvider_teeth"]


def check_nothing_is_lost(renames: Mapping[Key, Rename], tools: Sequence[CorpusTool]) -> None:
    groups: dict[str, list[CorpusTool]] = {}
    for tool in tools:
        rename = renames[key_of(tool)]
        groups.setdefault(rename.name, []).append(renamed_tool(tool, rename))
    documented = {name: merge_tools(name, members) for name, members in groups.items()}
    assert len({name.casefold() for name in documented}) == len(documented)
    for tool in tools:
        every = [*tool.required, *tool.optional]
        call = DialogueCall(
            tool.name,
            {each.name: index for index, each in enumerate(every)},
            ({each.name: index for index, each in enumerate(tool.results)},),
            service=tool.service,
        )
        written = standard_call(call, renames)
        assert written.results is not None
        standard = documented[written.name]
        required = {each.name for each in standard.required}
        allowed = required | {each.name for each in standard.optional}
        assert list(written.arguments.values()) == list(call.arguments.values())
        assert list(written.results[0].values()) == list(range(len(tool.results)))
        assert set(written.arguments) <= allowed
        assert set(written.results[0]) <= {each.name for each in standard.results}
        back = {new: old for old, new in renames[key_of(tool)].parameters.items()}
        assert required <= {renames[key_of(tool)].parameters[each.name] for each in tool.required}
        assert {back[name]: value for name, value in written.arguments.items()} == dict(call.arguments)
        check_values_stay_allowed(tool, standard, back)


def check_values_stay_allowed(tool: CorpusTool, standard: CorpusTool, back: dict[str, str]) -> None:
    own = {each.name: each for each in (*tool.required, *tool.optional)}
    for each in (*standard.required, *standard.optional):
        if each.choices and each.name in back:
            assert set(own[back[each.name]].choices) <= set(each.choices)
            assert own[back[each.name]].choices


def test_no_call_of_sgd_and_its_paraphrases_loses_a_value(
    labelled: tuple[Labelled, ...], minilm: Embedder
) -> None:
    tools = [each.tool for each in labelled]
    check_nothing_is_lost(standardise(cluster_tools(tools, minilm), minilm), tools)


def test_providers_of_different_kinds_keep_their_own_parameters(
    labelled: tuple[Labelled, ...], minilm: Embedder
) -> None:
    tools = [each.tool for each in labelled if each.tool.service == each.base]
    renames = standardise(cluster_tools(tools, minilm), minilm)
    booked = [renames[f"Services_{number}", "BookAppointment"] for number in (1, 2, 3, 4)]
    names = {(rename.name, own) for rename in booked for own in rename.parameters.values()}
    for own in ("stylist_name", "dentist_name", "doctor_name", "therapist_name"):
        assert any(name == own for _, name in names)


NAMES = st.sampled_from(["date", "Date", "day", "from", "to", "size", "date_2"])
PARAMETERS = st.builds(
    CorpusParameter,
    NAMES,
    st.sampled_from(["string", "integer"]),
    st.sampled_from(["", "day of the trip", "size of the trip"]),
    st.sampled_from([(), ("1",), ("1", "2"), ("3",)]),
)


@st.composite
def clusters_of_tools(draw: st.DrawFn) -> Cluster:
    members = []
    for number in range(draw(st.integers(1, 4))):
        every = draw(st.lists(PARAMETERS, max_size=5, unique_by=lambda each: each.name))
        middle = draw(st.integers(0, len(every)))
        results = tuple(draw(st.lists(PARAMETERS, max_size=4, unique_by=lambda each: each.name)))
        name = draw(st.sampled_from(["Find", "find", "Get"]))
        members.append(
            CorpusTool(name, f"s{number}", "", tuple(every[:middle]), tuple(every[middle:]), results)
        )
    return cluster_of(*members)


@settings(deadline=None)
@given(clusters_of_tools())
def test_no_call_of_any_cluster_loses_a_value(cluster: Cluster) -> None:
    check_nothing_is_lost(standardise([cluster], hash_vectors, threshold=0.3), cluster.members)


def test_the_threshold_of_parameters_is_the_choice_of_the_first_half_and_holds_on_the_other(
    labelled: tuple[Labelled, ...], minilm: Embedder
) -> None:
    parts = halves(labelled, 0)
    assert safe_threshold(parts.selection, minilm, 0) == PARAMETER_THRESHOLD
    counts = aligned(
        parts.held_out, cosine_of((each.tool for each in parts.held_out), minilm), PARAMETER_THRESHOLD, 0
    )
    assert precision(counts) >= 0.95
    assert recall(counts) >= 0.75


def test_a_document_has_the_five_keys_of_figure_9_in_order() -> None:
    document = tool_document(
        CorpusTool(
            "SetAlarm",
            "clock",
            "Sets an alarm",
            (CorpusParameter("time", description="When it rings", format="HH:MM"),),
            (CorpusParameter("repeat", "boolean", "Whether it repeats", (True, False), False),),
        )
    )
    assert list(document.items()) == [
        ("name", "SetAlarm"),
        ("description", "Sets an alarm"),
        (
            "required_parameters",
            [{"name": "time", "type": "string", "description": "When it rings", "format": "HH:MM"}],
        ),
        (
            "optional_parameters",
            [
                {
                    "name": "repeat",
                    "type": "boolean",
                    "description": "Whether it repeats",
                    "default": False,
                    "choices": [True, False],
                }
            ],
        ),
        ("result_parameters", []),
    ]
    assert from_mtu(document).required == ("time",)


REPLY = """Here it is:
```json
{"name": "find_trail", "description": "Trails of a park",
 "required_parameters": [{"name": "park", "type": "string", "description": "The park"}],
 "optional_parameters": [{"name": "length", "type": "int", "description": "At most this long", "default": 5}],
 "result_parameters": [{"name": "trail", "type": "string", "description": "Its name"}], "note": "ignored"}
```"""


def test_a_reply_is_read_into_the_five_keys_and_nothing_else() -> None:
    document = parse_document(REPLY, "find_trail", ["park", "length"])
    assert isinstance(document, dict)
    assert list(document) == [
        *("name", "description", "required_parameters", "optional_parameters", "result_parameters")
    ]
    assert document["optional_parameters"][0]["type"] == "integer"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", "empty"),
        ("I cannot.", "not_found"),
        ("<think>hm", "thinking_not_closed"),
        ('{"description": "x"}', "wrong_form"),
        ('{"name": "find_trail"}', "wrong_form"),
        ('{"name": "find_trail", "description": "x", "required_parameters": 3}', "wrong_form"),
        (REPLY.replace("find_trail", "FindTrail"), "wrong_name"),
        (REPLY.replace('"int"', '"whole"'), "unknown_type"),
        (REPLY.replace('"length"', '"park"'), "repeated_parameter"),
        (REPLY.replace('"length"', '"longest"'), "missing_parameter"),
    ],
)
def test_a_bad_reply_fails_with_its_reason(reply: str, kind: str) -> None:
    failure = parse_document(reply, "find_trail", ["park", "length"])
    assert isinstance(failure, Failure)
    assert failure.kind == kind


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "type", "description", "enum", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(["name", "description", "required_parameters"]), VALUES), st.booleans()
)
def test_no_reply_raises(value: dict[str, object], quoted: bool) -> None:
    parse_document(repr(value) if quoted else f"x {value} y", "find_trail")


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert isinstance(parse_document(text + "{'name': \ud800"), dict | Failure)


def test_the_request_for_a_document_shows_name_and_calls() -> None:
    prompt = document_prompt("find_trail", [{"park": "{{name}}"}])
    assert "Tool: find_trail" in prompt
    assert '{"parameters":{"park":"{{name}}"},"results":null}' in prompt
