"""Clusters of tools: never across verbs or within a service, whatever the order, and in agreement with SGD-X."""

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool, Verb
from toolyard.benchmarks.mtu.synth.instruct.tool_library import (
    THRESHOLD,
    Cluster,
    _means_of_travel,
    cluster_tools,
    reduction_table,
    standard_names,
    tool_key,
    tool_text,
    verb_class,
    words_of,
)
from toolyard.core.errors import DataError
from toolyard.models.embed.embedding import Embedder, hash_vectors, load_embedder
from toolyard.text.documents import Parameter

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))

from mtu_cluster_labels import (
    READINGS,
    TEXTS,
    Labelled,
    adjusted_rand_index,
    agreement,
    choose,
    contingency,
    halves,
    homogeneity,
    labelled_tools,
)


def tool(name: str, description: str = "", service: str = "a", verb: Verb | None = None) -> CorpusTool:
    return CorpusTool(name, service, description, verb=verb)


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return load_embedder("minilm")


@pytest.fixture(scope="module")
def labelled(shared: Path) -> tuple[Labelled, ...]:
    return labelled_tools(shared / "data" / "corpora" / "sgd")


def partition(clusters: tuple[Cluster, ...]) -> set[frozenset[tuple[str, str]]]:
    return {frozenset(tool_key(member) for member in cluster.members) for cluster in clusters}


@each_case("name, description, verb, expected")
def test_verb_or_word_gives_the_class(name: str, description: str, verb: Verb | None, expected: str) -> None:
    assert verb_class(tool(name, description, verb=verb)) == expected


def test_camel_snake_and_spaced_names_have_the_same_words() -> None:
    expected = ["find", "one", "way", "flight"]
    assert words_of("FindOneWayFlight") == words_of("find_one_way_flight") == words_of("find one-way flight")
    assert words_of("FindOneWayFlight") == expected


def test_a_search_and_a_purchase_are_never_one_tool_even_at_the_largest_threshold(minilm: Embedder) -> None:
    tools = [
        tool("FindBus", "Find a bus between two cities", "a"),
        tool("BuyBusTicket", "Buy a ticket for a bus between two cities", "b"),
        tool("SearchBuses", "Search for buses between two cities", "c"),
    ]
    assert partition(cluster_tools(tools, minilm, threshold=2.0)) == {
        frozenset({("a", "FindBus"), ("c", "SearchBuses")}),
        frozenset({("b", "BuyBusTicket")}),
    }


def test_a_tool_between_two_of_one_service_joins_only_one_of_them(minilm: Embedder) -> None:
    tools = [
        tool("RequestPayment", "Ask somebody for money", "pay"),
        tool("SendPayment", "Send somebody money", "pay"),
        *(tool("TransferMoney", "Send somebody money", f"bank{number}") for number in range(40)),
    ]
    clusters = cluster_tools(tools, minilm, threshold=2.0)
    assert sorted(len(cluster.members) for cluster in clusters) == [1, 41]


def test_the_centroid_is_the_member_nearest_to_all(minilm: Embedder) -> None:
    tools = [
        tool("FindFilm", "Find a film", "a"),
        tool("FindFilms", "Find a film", "b"),
        tool("FindOldFilmsInBlackAndWhite", "Find a silent film", "c"),
    ]
    (cluster,) = cluster_tools(tools, minilm, threshold=2.0)
    assert cluster.centroid.name != "FindOldFilmsInBlackAndWhite"


def test_a_tool_that_stands_twice_is_refused() -> None:
    with pytest.raises(DataError, match="'FindBus' of service 'a' stands twice"):
        cluster_tools([tool("FindBus"), tool("FindBus")], hash_vectors)


WORDS = st.sampled_from(["find", "buy", "bus", "ticket", "film", "play", "song", "hotel"])
TOOLS = st.lists(
    st.builds(
        tool,
        st.lists(WORDS, min_size=1, max_size=3).map("_".join),
        st.lists(WORDS, max_size=4).map(" ".join),
        st.sampled_from(["a", "b", "c", "d"]),
    ),
    max_size=14,
    unique_by=tool_key,
)


@settings(deadline=None)
@given(TOOLS, st.floats(0, 1.5), st.randoms(use_true_random=False))
def test_the_order_of_tools_is_free(tools: list[CorpusTool], threshold: float, rng: random.Random) -> None:
    shuffled = rng.sample(tools, len(tools))
    assert cluster_tools(tools, hash_vectors, threshold) == cluster_tools(shuffled, hash_vectors, threshold)


@settings(deadline=None)
@given(TOOLS, st.floats(0, 2))
def test_every_tool_is_in_one_cluster_of_its_class(tools: list[CorpusTool], threshold: float) -> None:
    clusters = cluster_tools(tools, hash_vectors, threshold)
    assert sorted(tool_key(each) for one in clusters for each in one.members) == sorted(map(tool_key, tools))
    for cluster in clusters:
        assert cluster.centroid in cluster.members
        assert len({verb_class(each) for each in cluster.members}) == 1
        services = [each.service for each in cluster.members]
        assert len(set(services)) == len(services)


def test_homogeneity_and_rand_index_of_known_partitions() -> None:
    same = contingency(["a", "a", "b", "b"], [0, 0, 1, 1])
    assert (homogeneity(same), adjusted_rand_index(same)) == (1.0, 1.0)
    lumped = contingency(["a", "a", "b", "b"], [0, 0, 0, 0])
    assert homogeneity(lumped) == pytest.approx(0.0)
    assert adjusted_rand_index(lumped) == pytest.approx(0.0)
    # By hand: of 6 pairs 2 share a label, 3 a cluster and 1 both, which is what chance gives: 2 * 3 / 6.
    crossed = contingency(["a", "a", "b", "b"], [0, 0, 0, 1])
    assert adjusted_rand_index(crossed) == pytest.approx((1 - 1) / (2.5 - 1))
    split = contingency(["a", "a", "b", "b"], [0, 0, 1, 2])
    assert homogeneity(split) == pytest.approx(1.0)
    assert adjusted_rand_index(split) == pytest.approx((1 - 1 / 3) / (1.5 - 1 / 3))


def test_sgd_x_gives_528_tools_under_46_88_and_some_labels_between(labelled: tuple[Labelled, ...]) -> None:
    labels = {name: len({reading(each) for each in labelled}) for name, reading in READINGS.items()}
    assert (len(labelled), labels["intent"], labels["service"]) == (528, 46, 88)
    assert 46 < labels["domain"] < 88


def test_the_halves_share_no_service_and_together_are_all(labelled: tuple[Labelled, ...]) -> None:
    for unit in ("service", "domain"):
        parts = halves(labelled, 0, unit)
        assert not {each.base for each in parts.selection} & {each.base for each in parts.held_out}
        assert len(parts.selection) + len(parts.held_out) == len(labelled)


def test_text_and_threshold_are_of_the_first_half(labelled: tuple[Labelled, ...], minilm: Embedder) -> None:
    chosen = choose(halves(labelled, 0).selection, minilm)
    assert TEXTS[chosen.text] is tool_text
    assert chosen.threshold == THRESHOLD


@pytest.mark.parametrize("reading", ["intent", "domain"])
def test_clusters_agree_with_labels_of_services_nothing_was_chosen_on(
    labelled: tuple[Labelled, ...], minilm: Embedder, reading: str
) -> None:
    held_out = halves(labelled, 0).held_out
    reached = agreement(cluster_tools([each.tool for each in held_out], minilm), held_out, reading)
    assert reached.homogeneity >= 0.9
    assert reached.adjusted_rand_index >= 0.65


def test_a_schema_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"train/schema\.json is not there"):
        labelled_tools(tmp_path)


def small_clusters(minilm: Embedder) -> tuple[Cluster, ...]:
    park = Parameter("park")
    return cluster_tools(
        [
            CorpusTool("FindTrail", "a", "Find a trail in a park", (park,)),
            CorpusTool("SearchTrails", "b", "Search for trails in a park", (park,)),
            CorpusTool("BookGuide", "a", "Book a guide for a day"),
        ],
        minilm,
    )


def test_the_reduction_stands_beside_the_papers(minilm: Embedder) -> None:
    assert reduction_table(small_clusters(minilm)).rows == ((3, 3, 2, 1.5, 1.5, 20.0),)


def cluster_of(*tools: CorpusTool) -> Cluster:
    return Cluster(tools[0], tools)


def test_clusters_with_equal_centroids_get_different_names() -> None:
    hair, dentist, doctor = (tool("FindProvider", service=service) for service in ("hair", "teeth", "ill"))
    searched = tool("SearchDentist", service="other")
    clusters = [cluster_of(hair), cluster_of(dentist, searched), cluster_of(doctor)]
    assert standard_names(clusters) == ["FindProvider_hair", "FindProvider", "FindProvider_ill"]
    clusters = [cluster_of(hair, searched), cluster_of(dentist, tool("findprovider", service="x"))]
    assert standard_names(clusters) == ["FindProvider", "FindProvider_teeth"]


def test_trains_and_buses_are_never_one_tool() -> None:
    assert [_means_of_travel(name) for name in ("find_bus", "FindTrains", "SearchBuses", "GetRide", "find_hotel")] == [
        "bus", "train", "bus", "taxi", "",
    ]  # fmt: skip
