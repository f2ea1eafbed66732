"""A run's answers in one small file: compressed, without prompts, to be scored again by whatever scorer is installed.

    {"form": 2, "manifest": {...}, "samples": {"7": "1f00ac..."}}           what the run was, and each sample's digest
    {"transcript": {"sample": "7", "trial": 0, "completions": [...], ...}}   one line per answer
    {"evidence": {...}}                                                      one line per judge reply or similarity

Prompts are left out, as they hold the text of data that are not ours to give away. A sample whose question has changed
since is known by its digest and left out when the file is unpacked; one whose gold alone was repaired is scored by
today's gold (a plan that is played beside the model counts as question). Files of form 1 have digests over question
and gold, and are still read. Answers to questions whose tools are called hold in the world that they were given in.
"""

import hashlib
import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from toolyard.benchmarks import load_benchmark
from toolyard.core.declared_world import FIRST_VERSION, VERSION
from toolyard.core.errors import DataError
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import Evidence, JsonValue, Record, Sample
from toolyard.core.untrusted.typed_fields import typed_field, typed_values
from toolyard.core.untrusted.unpacking import unpack_xz
from toolyard.lines import encode
from toolyard.run.grade.evidence import Instruments
from toolyard.run.plan.data_sources import refuse_strange_address
from toolyard.run.plan.former_manifests import upgrade_manifest
from toolyard.run.plan.manifest_shape import UNKNOWN, manifest_problem
from toolyard.run.plan.minutes import reached_in, reached_samples
from toolyard.run.play.execute import RunResult, begin_run, score_run
from toolyard.run.run import Run, stored_settings
from toolyard.run.store import records
from toolyard.run.store.run_directory import RunStore

# Of one file, unpacked; the largest that we know has a tenth of it.
LARGEST_PACK = 256 * 2**20
FORM = 2
FORMS = (1, FORM)
# What a manifest tells about how answers came about; the rest is made anew.
CARRIED = (
    "similarity", "serving", "usage", "cost", "price", "engine", "started", "finished", "package_version",
)  # fmt: skip
# A path of the machine that the run was made on; its last part names the model.
MACHINE_PATH = re.compile(r"(?<=[/=:])/(?:[^/?&]+/)+")


# Remarks on gold that change neither what is asked nor what is wanted.
REMARKS = frozenset({"situation", "world", "reply"})


@dataclass(frozen=True, slots=True)
class Pack:
    """The answers of a run, as a file holds them."""

    manifest: Record
    samples: Mapping[str, str]
    transcripts: tuple[Record, ...]
    evidence: tuple[Record, ...]
    form: int = FORM

    @property
    def benchmark(self) -> str:
        """The benchmark that was run."""
        return str(self.manifest["identity"]["benchmark"])

    @property
    def out_of_date(self) -> str:
        """Why the answers stand for nothing any more: they were given in another world; empty where they hold."""
        world = str(self.manifest["identity"].get("world", FIRST_VERSION))
        style = str(self.manifest["identity"]["style"])
        if world == VERSION or load_benchmark(self.benchmark).task.scene_in(style) is None:
            return ""
        return f"the model answered in world {world}, this is world {VERSION}; ask it again"


def pack_folder(folder: Path, data: str, place: str | None = None) -> bytes:
    """The run in a folder as a compressed file; `data` is what its data are called, without a path.

    `place` is where the data are on this machine, unless the manifest says it. Another version of the scorer may have
    made the run; other data may not.
    """
    pack = pack_run(answered_run(folder, place), data)
    head = {"form": pack.form, "manifest": pack.manifest, "samples": pack.samples}
    lines = [{"transcript": item} for item in pack.transcripts]
    kept = [{"evidence": item} for item in pack.evidence]
    return lzma.compress(b"".join(map(encode, [head, *lines, *kept])), preset=9 | lzma.PRESET_EXTREME)


def pack_run(run: Run, data: str) -> Pack:
    """The answers of a run, whose data are called `data`."""
    manifest = dict(run.store.manifest() or {})
    # The user's templates may be the words of others.
    manifest |= {"data": data, "templates": {}, "identity": _drop_paths(manifest["identity"])}
    answered = [item for item in run.store.transcripts().values() if item.error is None]
    if not answered:
        raise DataError(f"{run.folder} holds no answers; finish the run first")
    lines = (records.transcript_line(replace(item, messages=())) for item in answered)
    evidence = (orjson.loads(encode(item)) for item in _last_evidence(run))
    return Pack(manifest, _digests_by_sample(run, FORM), tuple(lines), tuple(evidence))


def _last_evidence(run: Run) -> list[Evidence]:
    """What the run's own instruments said last to each question, and what every other judge did."""
    evidence = run.store.evidence()
    own = run.instruments().valid(evidence)
    said = (item for item in evidence if item.reply and item.error is None)
    others = {
        (item.sample, item.trial, item.key, item.model, item.temperature, item.judge_trial): item
        for item in said
    }
    taken = {id(item) for item in own.values()}
    return [*own.values(), *(item for item in others.values() if id(item) not in taken)]


def answered_run(folder: Path, place: str | None = None) -> Run:
    """The run with the samples that it answered, whatever version of the scorer is installed."""
    store = RunStore(folder)
    manifest = store.required_manifest()
    settings = stored_settings(manifest, folder)
    if place is None:
        refuse_strange_address(settings.benchmark, settings.data)
    # Planned under a name that is not there, so that nothing of the folder is held against it.
    planned = Run.plan(replace(settings, data=place or settings.data, runs=folder / "packing"))
    if planned.config.data_sha256 != manifest["identity"]["data_sha256"]:
        raise DataError(
            f"{folder} was answered on other data than {planned.config.data} holds here (sha256 differs); "
            "pack it where it was made"
        )
    return replace(planned, store=store)


def _drop_paths(identity: Record) -> Record:
    return {**identity, "model": MACHINE_PATH.sub("", str(identity["model"]))}


def _digests_by_sample(run: Run, form: int) -> dict[str, str]:
    """Sample -> what tells its question from another, as files of a form have it.

    Where tools are called, the results of the plan are stored beside the answer, so that the plan counts as well.
    """
    plays = run.setup.benchmark.task.scene_in(run.setup.options.style) is not None
    found = {}
    for sample in run.samples:
        plan = getattr(sample.gold, "plan", None) if plays else None
        found[sample.id] = _short_digest([sample.input, _gold_without_remarks(sample) if form == 1 else plan])
    return found


def _gold_without_remarks(sample: Sample) -> object:
    gold = sample.gold
    if isinstance(gold, Mapping):
        return {name: value for name, value in gold.items() if name not in REMARKS}
    return gold


def _short_digest(content: object) -> str:
    data = encode(content, orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(data).hexdigest()[:16]


def read_pack(path: Path) -> Pack:
    """The content of a file that `pack_run` made."""
    try:
        lines = [orjson.loads(line) for line in unpack_xz(path.read_bytes(), LARGEST_PACK).splitlines()]
        return checked_pack(lines)
    except (OSError, orjson.JSONDecodeError, DataError) as error:
        raise DataError(f"{path} cannot be read as packed answers ({error}); make it again") from None


def checked_pack(lines: list[JsonValue]) -> Pack:
    """The answers that the lines of a file stand for, each of the right form."""
    head = lines[0] if lines and isinstance(lines[0], dict) else {}
    if head.get("form") not in FORMS:
        raise DataError(f"it holds no packed answers of form {FORM}")
    manifest = typed_field(head, "manifest", dict)
    wrong = manifest_problem({**UNKNOWN, **manifest})
    if wrong:
        raise DataError(f"manifest: {wrong}")
    rest = [line for line in lines[1:] if isinstance(line, dict)]
    pack = Pack(
        upgrade_manifest(manifest),
        typed_values(head, "samples", str),
        tuple(line["transcript"] for line in rest if "transcript" in line),
        tuple(line["evidence"] for line in rest if "evidence" in line),
        head["form"],
    )
    for transcript in pack.transcripts:
        records.read_transcript(transcript)
    for evidence in pack.evidence:
        records.read_evidence(evidence)
    return pack


def unpack_run(pack: Pack, folder: Path, data: str | None = None) -> RunResult:
    """The run in a folder of its own, scored by the installed scorer on the samples that are still the same.

    `data` is where the data are, unless their name in the pack says it.
    """
    if pack.out_of_date:
        raise DataError(f"{folder.name}: {pack.out_of_date}")
    manifest = {**pack.manifest, "data": data or pack.manifest["data"]}
    settings = replace(stored_settings(manifest, folder), ids=(), limit=None, minutes=None)
    if data is None:
        refuse_strange_address(settings.benchmark, settings.data)
    whole = Run.plan(settings)
    kept = answered_samples(whole, pack)
    if not kept:
        raise DataError(
            f"{folder.name}: every sample of {manifest['data']} has changed since it was answered; run it again"
        )
    everything = len(kept) == len(whole.samples)
    run = whole if everything else Run.plan(replace(settings, ids=kept))
    return run_async(_restore_run(run, pack))


def planned_answers(pack: Pack, folder: Path, data: str | None = None) -> list[tuple[str, int]]:
    """Every (sample, trial) that the pack's settings lead to; `folder` is a place that does not exist."""
    manifest = {**pack.manifest, "data": data or pack.manifest["data"]}
    run, reached = Run.plan(replace(stored_settings(manifest, folder), minutes=None)), reached_in(manifest)
    if reached is None or reached.items >= reached.of:
        return run.wanted
    names = {item.id for item in reached_samples(run.benchmark, run.samples, run.config.seed, reached.items)}
    return [key for key in run.wanted if key[0] in names]


def answered_samples(run: Run, pack: Pack) -> tuple[str, ...]:
    """The samples of a run that the pack answers, sorted; one whose question has changed since is not among them."""
    answered = {line["sample"] for line in pack.transcripts}
    same = [
        name
        for name, digest in _digests_by_sample(run, pack.form).items()
        if pack.samples.get(name) == digest
    ]
    return tuple(sorted(answered.intersection(same)))


async def _restore_run(run: Run, pack: Pack) -> RunResult:
    names = {sample.id for sample in run.samples}
    with run.store.locked():
        manifest = begin_run(run)
        carried = {name: pack.manifest[name] for name in CARRIED if name in pack.manifest}
        run.store.write_manifest({**manifest, **carried})
        if not run.store.transcripts():
            with run.store.append_transcripts() as append:
                for line in pack.transcripts:
                    if line["sample"] in names:
                        append(records.read_transcript(line))
            with run.store.append_evidence() as append_evidence:
                for line in pack.evidence:
                    append_evidence(records.read_evidence(line))
        config, used = run.config, str(carried.get("similarity") or run.config.embedder)
        instruments = Instruments(None, config.judge, used, run.setup.judge_decoding, named=False)
        return await score_run(run, instruments)
