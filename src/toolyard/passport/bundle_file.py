"""A bundle: one zip file with the answers and scores of a run, and the hash of each of its members.

    bundle.json         what was run (benchmark, versions, model, data) and the sha256 of every other member
    manifest.json       the run's manifest, without paths, templates, keys and personal data
    samples.json        {"7": "1f00ac..."}: the digest of each sample's question; the questions themselves stay out
    transcripts.jsonl   one line per answer, without its prompt
    evidence.jsonl      one line per judge reply or similarity
    scores.jsonl        the run's own scores

bundle.json follows from the other members, so that no byte of it can be changed unseen. The same run gives the same bytes.
"""

import errno
import hashlib
import io
import stat
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from toolyard.core.errors import DataError
from toolyard.core.types import Record
from toolyard.core.untrusted.json_size import reason_too_large
from toolyard.core.untrusted.typed_fields import typed_field
from toolyard.core.untrusted.unpacking import DAMAGED, open_zip, read_zip_member
from toolyard.lines import encode, encode_readable
from toolyard.run.store.packs import FORM, LARGEST_PACK, Pack, checked_pack
from toolyard.run.store.records import read_score

BUNDLE_FORM = 1
INDEX = "bundle.json"
PARTS = ("evidence.jsonl", "manifest.json", "samples.json", "scores.jsonl", "transcripts.jsonl")
MEMBERS = (INDEX, *PARTS)
# Of the file itself; it is held whole, so that nobody can change it while it is read.
LARGEST_FILE = 64 * 2**20
# The earliest time that a zip file can state: none of ours means anything.
NO_TIME = (1980, 1, 1, 0, 0, 0)
# Kept of a text of others that a message quotes.
QUOTED = 80


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle, each line of the right form."""

    pack: Pack
    scores: tuple[Record, ...]
    scrubbed: frozenset[str]
    sha256: str


def bundle_bytes(pack: Pack, scores: Iterable[Record]) -> bytes:
    """The file that holds a run; the same bytes for the same run."""
    order = sorted(pack.transcripts, key=lambda line: (line["sample"], line["trial"]))
    parts = {
        "manifest.json": encode_readable(pack.manifest),
        "samples.json": encode_readable(dict(sorted(pack.samples.items()))),
        "transcripts.jsonl": b"".join(map(encode, order)),
        "evidence.jsonl": b"".join(sorted(map(encode, pack.evidence))),
        "scores.jsonl": b"".join(map(encode, scores)),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted({**parts, INDEX: bundle_index(parts, pack.manifest)}.items()):
            member = zipfile.ZipInfo(name, NO_TIME)
            member.compress_type, member.external_attr, member.create_system = (
                archive.compression,
                0o644 << 16,
                3,
            )
            archive.writestr(member, content)
    return file.getvalue()


def bundle_index(parts: Mapping[str, bytes], manifest: Record) -> bytes:
    """The content of bundle.json, all of which follows from the other members."""
    identity = manifest["identity"]
    about = {
        name: identity.get(name, "") for name in ("benchmark", "version", "model", "data_sha256", "world")
    }
    hashes = {name: hashlib.sha256(parts[name]).hexdigest() for name in PARTS}
    return encode_readable(
        {
            "bundle": BUNDLE_FORM, **about, "data": manifest["data"], "judge": manifest["judge"],
            "package_version": manifest.get("package_version", ""), "sha256": hashes,
        }
    )  # fmt: skip


def read_bundle(path: Path) -> Bundle:
    """The bundle in a file; DataError, one line, where it is damaged, altered or none."""
    try:
        data = _file_content(path)
        parts = _read_members(data)
        return _check_bundle(parts, hashlib.sha256(data).hexdigest())
    except OSError as error:
        why = error.strerror or "no file"
        raise DataError(f"{path} cannot be read ({why}); give a file that `toolyard bundle` made") from None
    except (DataError, orjson.JSONDecodeError, *DAMAGED, TypeError) as error:
        why = " ".join(str(error).split())[:300]
        raise DataError(f"{path} is not a sound bundle: {why}; ask for the file again") from None


def _file_content(path: Path) -> bytes:
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "it is no file" if path.exists() else "it does not exist")
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise DataError(f"it has more than {LARGEST_FILE:,} bytes")
    return data


def _read_members(data: bytes) -> dict[str, bytes]:
    """The members of a zip file that has ours and no others; nothing is written to disk."""
    with open_zip(io.BytesIO(data), len(MEMBERS) + 1) as archive:
        listed = archive.infolist()
        names = sorted(info.filename for info in listed)
        if names != sorted(MEMBERS):
            strange = next((name for name in names if name not in MEMBERS), "")
            found = repr(strange[:QUOTED]) if strange else f"{len(names)} members, one missing or twice"
            raise DataError(f"found {found}, wanted {', '.join(MEMBERS)} once each and nothing else")
        if any(stat.S_ISLNK(info.external_attr >> 16) for info in listed):
            raise DataError("a member is a link")
        if sum(info.file_size for info in listed) > LARGEST_PACK:
            raise DataError(f"it unpacks to more than {LARGEST_PACK:,} bytes")
        # What the directory says about sizes may be a lie: none may have more than it says.
        return {info.filename: read_zip_member(archive, info.filename, info.file_size) for info in listed}


def _check_bundle(parts: Mapping[str, bytes], sha256: str) -> Bundle:
    index = _read_json_member(parts, INDEX)
    if not isinstance(index, dict) or index.get("bundle") != BUNDLE_FORM:
        found = index.get("bundle") if isinstance(index, dict) else type(index).__name__
        raise DataError(f"bundle.json: found form {str(found)[:QUOTED]}, wanted {BUNDLE_FORM}")
    stated = typed_field(index, "sha256", dict)
    for name in PARTS:
        if stated.get(name) != hashlib.sha256(parts[name]).hexdigest():
            raise DataError(f"{name} is not what bundle.json says (sha256 differs)")
    manifest = _read_json_member(parts, "manifest.json")
    head = {"form": FORM, "manifest": manifest, "samples": _read_json_member(parts, "samples.json")}
    transcripts = [{"transcript": line} for line in _json_lines(parts, "transcripts.jsonl")]
    evidence = [{"evidence": line} for line in _json_lines(parts, "evidence.jsonl")]
    pack = checked_pack([head, *transcripts, *evidence])
    if parts[INDEX] != bundle_index(parts, manifest):
        raise DataError("bundle.json is not what follows from the other members")
    scores = tuple(_json_lines(parts, "scores.jsonl"))
    _refuse_odd_scores(pack, scores)
    scrubbed = typed_field(manifest, "scrubbed", list, [])
    return Bundle(pack, scores, frozenset(map(str, scrubbed)), sha256)


def _refuse_odd_scores(pack: Pack, scores: tuple[Record, ...]) -> None:
    keys = set()
    for line in scores:
        key = typed_field(line, "sample", str), typed_field(line, "trial", int)
        for profile in typed_field(line, "profiles", dict).values():
            read_score(*key, profile)
        keys.add(key)
    if len(keys) < len(scores):
        raise DataError("scores.jsonl: an answer has two lines")
    answered = {line["sample"] for line in pack.transcripts}
    trials = int(pack.manifest["identity"].get("trials", 1))
    # Samples times trials are planned before anything is scored.
    if trials * len(answered) > 2 * len(pack.transcripts):
        raise DataError(f"manifest.json: {trials:,} trials, but {len(pack.transcripts):,} answers")


def _read_json_member(parts: Mapping[str, bytes], name: str) -> Any:
    why = reason_too_large(parts[name])
    if why:
        raise DataError(f"{name} is too large ({why})")
    try:
        return orjson.loads(parts[name])
    except orjson.JSONDecodeError as error:
        raise DataError(f"{name} is not JSON ({error})") from None


def _json_lines(parts: Mapping[str, bytes], name: str) -> list[Record]:
    why = reason_too_large(parts[name])
    if why:
        raise DataError(f"{name} is too large ({why})")
    found: list[Record] = []
    for number, line in enumerate(parts[name].splitlines(), 1):
        try:
            found.append(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            raise DataError(f"{name}, line {number} is not JSON ({error})") from None
    return found
