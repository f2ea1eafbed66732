"""MTU-Instruct from annotated corpora, without a model (Section 2.2 and Appendix B)."""

from __future__ import annotations

from pathlib import Path

from toolyard.benchmarks.mtu.synth.clustering.cluster_map import cluster_points, cluster_svg, cluster_vectors
from toolyard.benchmarks.mtu.synth.corpora.topics import LICENCES
from toolyard.benchmarks.mtu.synth.instruct.card_tables import rates, tables
from toolyard.benchmarks.mtu.synth.instruct.completed_turns import add_thoughts, tag_hard_types
from toolyard.benchmarks.mtu.synth.instruct.composing import add_setting_and_variants, compose_dialogues
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    WHAT_TO_READ,
    corpora_of,
    corpus_files,
    dialogue_rows,
    library_of,
    standardise_rows,
)
from toolyard.benchmarks.mtu.synth.instruct.data_files import FILES, write
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import parameters, suitable, verify_values
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import number_rows
from toolyard.core.benchmark import Choice
from toolyard.lines import write_whole
from toolyard.synth.stages import Context, Each, Pipeline, Provenance, Rows, RowSource, Whole

READ = ("source", "licence", "services", "topics", "mended", "schema", "turns")
STANDARD = ("split", "composed", "origins", "documents", "others", "originals")
TURNS = ("turns", "documents")

# The stages that both pipelines have.
SOURCE = RowSource("dialogues", 1, READ, dialogue_rows, ("corpora", "exclude"), corpus_files)
PARAMETERS = Each("parameters", 1, TURNS, ("turns",), parameters)
VERIFY = Each("verify", 2, TURNS, ("turns",), verify_values)
NUMBER = Whole("number", 1, ("setting", "split", "documents", "others"), (), number_rows)
TAG = Each("tag", 1, (*TURNS, "others", "setting"), ("hard",), tag_hard_types)

STAGES = (
    SOURCE,
    Each("suitable", 1, ("source", "services", "mended", "turns"), (), suitable),
    Whole("standardise", 2, READ, STANDARD, standardise_rows, ("corpora", "held-out")),
    PARAMETERS,
    VERIFY,
    Each("settings", 2, TURNS, ("turns", "setting", "composed"), add_setting_and_variants),
    Whole("compose", 3, ("turns", "setting", "origins"), (), compose_dialogues, ("joined", "appended")),
    Each(
        "synthesise", 3, (*TURNS, "others", "composed"), (*TURNS, "made_hard"), add_thoughts, ("hard-share",)
    ),
    NUMBER,
    TAG,
)
SHARES = (
    Choice("joined", "turns joined of several, as a share of a source's single turns", "0.4"),
    Choice(
        "appended", "dialogues with another request asked along, as a share of those of several turns", "0.25"
    ),
    Choice("hard-share", "single turns without a fitting tool, or with a nonsense name, as a share", "0.06"),
)


def write_with_map(rows: Rows, folder: Path, context: Context) -> None:
    """Every file of the data set, and the map of the tool clusters (Figure 8)."""
    if not len(rows):
        write(rows, folder, context)
        return
    library = library_of(context)
    write(rows, folder, context, library.documents)
    clusters = library.clusters
    points = cluster_points(clusters, cluster_vectors(clusters, context.embed))
    write_whole(folder / "clusters.svg", cluster_svg(points).encode())


def provenance(context: Context) -> Provenance:
    """The corpora, each under its own licence."""
    return Provenance(
        "Dialogues of public corpora, annotated by their makers; tools, calls, thoughts and observations follow from "
        "the annotation by rules, no model took part. Each source has files of its own, under its own licence.",
        {name: LICENCES.get(name, "the user's own") for name in corpora_of(context)},
    )


CORPORA = Pipeline(
    "corpora",
    "mtu",
    STAGES,
    write_with_map,
    provenance,
    tables,
    choices=(*WHAT_TO_READ, *SHARES, FILES),
    needs_sources=True,
    rates=rates,
)
