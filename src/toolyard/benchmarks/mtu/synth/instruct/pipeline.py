"""MTU-Instruct from annotated corpora, without a model (Section 2.2 and Appendix B)."""

from __future__ import annotations

from pathlib import Path

from toolyard.benchmarks.mtu.synth.clustering.chart import cluster_svg
from toolyard.benchmarks.mtu.synth.clustering.plot import cluster_points, cluster_vectors
from toolyard.benchmarks.mtu.synth.corpora.topics import HELD_OUT, LICENCES
from toolyard.benchmarks.mtu.synth.instruct.composing import composed
from toolyard.benchmarks.mtu.synth.instruct.filters import parameters, suitable, verified
from toolyard.benchmarks.mtu.synth.instruct.numbering import numbered
from toolyard.benchmarks.mtu.synth.instruct.output import KINDS, write
from toolyard.benchmarks.mtu.synth.instruct.rows import ALL, corpora_of, corpus_files, dialogue_rows
from toolyard.benchmarks.mtu.synth.instruct.settings import settled
from toolyard.benchmarks.mtu.synth.instruct.standardising import library_of, standardised
from toolyard.benchmarks.mtu.synth.instruct.synthesis import synthesised, tagged
from toolyard.benchmarks.mtu.synth.instruct.tables import rates, tables
from toolyard.core.benchmark import Choice
from toolyard.lines import write_whole
from toolyard.synth.stages import Context, Each, Pipeline, Provenance, Rows, Source, Whole

READ = ("source", "licence", "services", "topics", "mended", "schema", "turns")
STANDARD = ("split", "composed", "origins", "documents", "others", "originals")

SOURCE = Source("dialogues", 1, READ, dialogue_rows, ("corpora", "exclude"), corpus_files)
SUITABLE = Each("suitable", 1, ("source", "services", "mended", "turns"), (), suitable)
STANDARDISE = Whole("standardise", 2, READ, STANDARD, standardised, ("corpora", "held-out"))
PARAMETERS = Each("parameters", 1, ("turns", "documents"), ("turns",), parameters)
VERIFY = Each("verify", 2, ("turns", "documents"), ("turns",), verified)
SETTINGS = Each("settings", 2, ("turns", "documents"), ("turns", "setting", "composed"), settled)
COMPOSE = Whole("compose", 2, ("turns", "setting"), (), composed, ("joined", "appended"))
SYNTHESISE = Each(
    "synthesise",
    3,
    ("turns", "documents", "others", "composed"),
    ("turns", "documents", "made_hard"),
    synthesised,
    ("hard-share",),
)
NUMBER = Whole("number", 1, ("setting", "split", "documents", "others"), (), numbered)
TAG = Each("tag", 1, ("turns", "documents", "others", "setting"), ("hard",), tagged)


def write_with_map(rows: Rows, folder: Path, context: Context) -> None:
    """Every file of the data set, and the map of the tool clusters (Figure 8)."""
    if not len(rows):
        write(rows, folder, context)
    else:
        library = library_of(context)
        write(rows, folder, context, library.documents)
        clusters = library.clusters
        points = cluster_points(clusters, cluster_vectors(clusters, context.embed))
        write_whole(folder / "clusters.svg", cluster_svg(points).encode())


def provenance(context: Context) -> Provenance:
    """The corpora, each under its own licence."""
    names = corpora_of(context)
    return Provenance(
        "Dialogues of public corpora, annotated by their makers; tools, calls, thoughts and observations follow from "
        "the annotation by rules, no model took part. Each source has files of its own, under its own licence.",
        {name: LICENCES.get(name, "the user's own") for name in names},
    )


CORPORA = Pipeline(
    "corpora",
    "mtu",
    (
        SOURCE,
        SUITABLE,
        STANDARDISE,
        PARAMETERS,
        VERIFY,
        SETTINGS,
        COMPOSE,
        SYNTHESISE,
        NUMBER,
        TAG,
    ),
    write_with_map,
    provenance,
    tables,
    choices=(
        Choice("corpora", "which corpora of the sources folder to use, separated by commas", ALL),
        Choice("held-out", "topics of the out-of-domain split, separated by commas", ",".join(HELD_OUT)),
        Choice("exclude", "MTU-Eval files or folders whose dialogues are left out, separated by commas", ""),
        Choice("joined", "turns joined of several, as a share of a source's single turns", "0.4"),
        Choice(
            "appended",
            "dialogues with another request asked along, as a share of those of several turns",
            "0.25",
        ),
        Choice(
            "hard-share", "single turns without a fitting tool, or with a nonsense name, as a share", "0.06"
        ),
        Choice("files", "which files to write", "all", KINDS),
    ),
    needs_sources=True,
    rates=rates,
)
