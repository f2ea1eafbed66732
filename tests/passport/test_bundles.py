"""Bundles: verified as made, every change found, strangers' files refused in one line, nothing written by them."""

import hashlib
import io
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cases import each_case
from toolyard.cli.app import app
from toolyard.core.errors import DataError
from toolyard.lines import encode_readable
from toolyard.passport.board import read_board
from toolyard.passport.bundle_file import INDEX, MEMBERS, PARTS, bundle_bytes, bundle_index, read_bundle
from toolyard.passport.bundle_packing import bundle_run
from toolyard.passport.bundle_verification import verify_bundle
from toolyard.passport.run_scrubbing import RunScrubber
from toolyard.run.api import evaluate

Members = dict[str, bytes]
RUNS = {"nestools": "scripted/random", "toolbehonest": "scripted/random"}


@pytest.fixture(scope="module", params=RUNS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = tmp_path_factory.mktemp("runs")
    return evaluate(request.param, RUNS[request.param], limit=3, runs=runs).folder


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    runs = tmp_path_factory.mktemp("sound")
    return bundle_run(evaluate("nestools", "scripted/random", limit=3, runs=runs).folder).content


def members_of(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Members | list[tuple[zipfile.ZipInfo | str, bytes]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, content)
    return file.getvalue()


def resealed(members: Members, **changes: Callable[[Any], Any]) -> bytes:
    """A bundle whose parts were changed by somebody who also mended the hashes."""
    for name, change in changes.items():
        part = next(each for each in PARTS if each.startswith(name))
        content = members[part]
        if part.endswith("l"):
            lines = change([json.loads(line) for line in content.splitlines()])
            members[part] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        else:
            members[part] = encode_readable(change(json.loads(content)))
    members[INDEX] = bundle_index(members, json.loads(members["manifest.json"]))
    return zipped(members)


def read(content: bytes, place: Path) -> Any:
    path = place / "some.bundle.zip"
    path.write_bytes(content)
    return read_bundle(path)


def test_a_bundle_of_a_scripted_run_is_confirmed(folder: Path, tmp_path: Path) -> None:
    out, answers = tmp_path / "a.zip", len((folder / "transcripts.jsonl").read_text().splitlines())
    made = CliRunner().invoke(app, ["bundle", str(folder), "--out", str(out), "--json"])
    assert (made.exit_code, json.loads(made.stdout)["answers"]) == (0, answers)
    found = CliRunner().invoke(app, ["verify", str(out), "--json"])
    told = json.loads(found.stdout)
    assert found.exit_code == 0
    assert (told["verdict"], told["compared"], told["changed"]) == ("confirmed", answers, [])
    assert f"{answers} of {answers} scores" in told["confirmed"]
    assert told["sha256"] == json.loads(made.stdout)["sha256"]


def test_the_same_run_gives_the_same_bytes(folder: Path) -> None:
    first, second = bundle_run(folder), bundle_run(folder)
    assert first.content == second.content
    members = members_of(first.content)
    assert sorted(members) == sorted(MEMBERS)
    assert str(folder.parent).encode() not in b"".join(members.values())


@pytest.mark.parametrize("name", MEMBERS)
def test_one_changed_byte_is_found(name: str, sound: bytes, tmp_path: Path) -> None:
    members = members_of(sound)
    content = members[name] or b"\n"
    for place in {0, len(content) // 2, len(content) - 1}:
        changed = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        with pytest.raises(DataError, match="not a sound bundle"):
            read(zipped({**members, name: changed}), tmp_path)


def test_a_byte_changed_in_the_file_is_found(sound: bytes, tmp_path: Path) -> None:
    middle = len(sound) // 3
    with pytest.raises(DataError, match="not a sound bundle"):
        read(sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :], tmp_path)


def other_version(manifest: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "identity": {**manifest["identity"], "version": "0.9.0"}}


def other_data(manifest: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "identity": {**manifest["identity"], "data_sha256": "0" * 64}}


def better_scores(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lines[0]["profiles"]["paper"]["values"]["tree"] = 0.75
    return lines


def other_answer(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lines[0]["profiles"]["paper"]["graded"] = "something else"
    return lines


@pytest.mark.parametrize(
    ("part", "change", "said"),
    [
        ("manifest", other_version, "benchmark version: the bundle has 0.9.0"),
        ("manifest", other_data, "data sha256: the bundle has 0000"),
        ("scores", better_scores, "1 of 3 scores"),
        ("scores", other_answer, "paper graded differ"),
        ("scores", lambda lines: lines[1:], "1 answers have no score"),
    ],
)
def test_what_changed_is_said(
    part: str, change: Callable[[Any], Any], said: str, sound: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(resealed(members_of(sound), **{part: change}))
    found = CliRunner().invoke(app, ["verify", str(path)])
    assert found.exit_code == 3
    assert said in found.stdout and "verdict: changed" in found.stdout


@pytest.mark.parametrize("word", ["limit", "answers"])
def test_the_best_part_of_a_run_is_not_the_run(word: str, sound: bytes, tmp_path: Path) -> None:
    changes: dict[str, dict[str, Callable[[Any], Any]]] = {
        "answers": {"scores": lambda lines: lines[1:], "transcripts": lambda lines: lines[1:]},
        "limit": {"manifest": lambda found: {**found, "identity": {**found["identity"], "limit": 2}}},
    }
    found = verify_bundle(read(resealed(members_of(sound), **changes[word]), tmp_path))
    assert found.verdict == "changed"
    said = {
        "answers": "1 answers are missing (the run was to have 3)",
        "limit": "1 answers are beyond its settings",
    }
    assert said[word] in found.changed[0]


def test_samples_that_a_run_chose_by_name_are_said(tmp_path: Path) -> None:
    run = evaluate("nestools", "scripted/random", ids=("1", "2"), runs=tmp_path / "runs")
    found = verify_bundle(read(bundle_run(run.folder).content, tmp_path))
    assert found.verdict == "confirmed"
    assert "why these samples: the run chose them by --ids" in found.unchecked


@each_case("data, said")
def test_data_that_are_not_here_leave_scores_unchecked(
    data: str, said: str, sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.zip"
    path.write_bytes(resealed(members_of(sound), manifest=lambda manifest: {**manifest, "data": data}))
    found = CliRunner().invoke(app, ["verify", str(path)])
    assert (found.exit_code, said in found.stdout) == (4, True), found.stdout


def test_an_answer_that_was_scrubbed_or_left_out_is_unchecked(sound: bytes, tmp_path: Path) -> None:
    members = members_of(sound)
    first = json.loads(members["scores.jsonl"].splitlines()[0])["sample"]
    content = resealed(members, scores=better_scores, manifest=lambda found: {**found, "scrubbed": [first]})
    found = verify_bundle(read(content, tmp_path))
    assert (found.verdict, found.compared) == ("unchecked", 2)
    assert "1 scores of answers that were scrubbed" in found.unchecked
    content = resealed(members_of(sound), transcripts=lambda lines: lines[1:])
    found = verify_bundle(read(content, tmp_path))
    assert (found.verdict, found.compared, found.open) == ("unchecked", 2, 1)


def test_keys_and_personal_data_are_taken_out() -> None:
    scrubber = RunScrubber('"ann@harbour.no"', {"MY_API_KEY": "k3y-of-9f8e7d6c5b4a", "PATH": "/usr/bin"})
    text = (
        "sk-abcdefghijklmnop1234 k3y-of-9f8e7d6c5b4a ann@harbour.no bob@harbour.no x@example.org "
        "+47 22 33 44 55 /home/ann/runs http://bob:secret@host/v1 2 + 22222222222"
    )
    assert scrubber.text(text) == (
        "[key] [key] ann@harbour.no [e-mail] x@example.org [phone] [home]/runs http://[key]@host/v1 2 + 22222222222"
    )


SECRET = "Abc123Def456Ghi789jkl"


@each_case(
    "text, clean",
    besides=[
        (f"https://a.b/?api_key={SECRET}&x=1", "https://a.b/?api_key=[key]&x=1"),
        (f"https://a.b/?x=1&key={SECRET}", "https://a.b/?x=1&key=[key]"),
        (f"?access_token={SECRET}", "?access_token=[key]"),
        (f'{{"api_key": "{SECRET}"}}', '{"api_key": "[key]"}'),
        (f'{{\\"password\\": \\"{SECRET}\\"}}', '{\\"password\\": \\"[key]\\"}'),
        (f"X-Api-Key: {SECRET}", "X-Api-Key: [key]"),
        (f"authorization: bearer {SECRET}", "authorization: bearer [key]"),
        (f"glpat-{SECRET} gsk_{SECRET} npm_{SECRET} ya29.{SECRET}", "[key] [key] [key] [key]"),
        (f"token={SECRET[::-1]}", None),
    ],
)
def test_keys_and_addresses_are_known_by_where_they_stand(text: str, clean: str | None) -> None:
    assert RunScrubber(f'"{SECRET[::-1]}"', {}).text(text) == (text if clean is None else clean)


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY_2", "DB_PASSWD", "CLOUD_CREDENTIALS", "TOKEN", "my_secrets"]
)
def test_variables_of_the_environment_that_hold_keys(name: str) -> None:
    assert RunScrubber("", {name: "gh12jk34lm56no78"}).text("so gh12jk34lm56no78.") == "so [key]."
    assert (
        RunScrubber("", {"TOKENIZERS_X": "gh12jk34lm56no78"}).text("gh12jk34lm56no78") == "gh12jk34lm56no78"
    )


def test_a_field_that_is_called_a_key_holds_one() -> None:
    value = {"arguments": {"api_key": SECRET, "city": SECRET, "token": "API_call_1"}}
    wanted = {"arguments": {"api_key": "[key]", "city": SECRET, "token": "API_call_1"}}
    assert RunScrubber("", {}).value(value) == wanted


def test_a_run_is_bundled_without_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "9f8e7d6c5b4a3210ffee"
    monkeypatch.setenv("SOME_TOKEN", secret)
    run = evaluate("nestools", lambda _: f"I am {secret}, bob@harbour.no", limit=2, runs=tmp_path / "runs")
    made = bundle_run(run.folder)
    text = b"".join(members_of(made.content).values())
    assert secret.encode() not in text and b"bob@" not in text
    assert len(made.scrubbed) == 2
    assert verify_bundle(read(made.content, tmp_path)).verdict == "confirmed"


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("scores.jsonl")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def replaced(members: Members, name: str, content: bytes) -> bytes:
    """A bundle with one part of somebody else's, whose hash is right."""
    index = json.loads(members[INDEX])
    index["sha256"][name] = hashlib.sha256(content).hexdigest()
    return zipped({**members, name: content, INDEX: encode_readable(index)})


def many_trials(members: Members) -> bytes:
    def change(manifest: dict[str, Any]) -> dict[str, Any]:
        return {**manifest, "identity": {**manifest["identity"], "trials": 10_000}}

    return resealed(members, manifest=change)


def in_64_bits(members: Members) -> bytes:
    """A second directory, which zipfile would follow, hidden before the end."""
    content = zipped(members)
    return content[:-22] + b"PK\6\7" + bytes(16) + content[-22:]


HOSTILE: dict[str, Callable[[Members], bytes]] = {
    "nothing": lambda _: b"",
    "no zip": lambda _: b"hello" * 100,
    "cut": lambda members: zipped(members)[:-30],
    "a comment": lambda members: zipped(members) + b"x",
    "a path upwards": lambda members: zipped({**members, "../../evil.py": b"x"}),
    "a path upwards instead": lambda members: zipped(
        {
            ("../scores.jsonl" if name == "scores.jsonl" else name): content
            for name, content in members.items()
        }
    ),
    "an absolute path": lambda members: zipped({**members, "/tmp/evil.py": b"x"}),
    "a member twice": lambda members: zipped([*members.items(), ("scores.jsonl", b"")]),
    "a member twice, another missing": lambda members: zipped(
        [*((name, content) for name, content in members.items() if name != INDEX), ("scores.jsonl", b"")]
    ),
    "a member missing": lambda members: zipped({name: members[name] for name in PARTS}),
    "a link": lambda members: zipped(
        [
            *((name, content) for name, content in members.items() if name != "scores.jsonl"),
            (link(), b"/etc/passwd"),
        ]
    ),
    "a bomb": lambda members: zipped({**members, "scores.jsonl": bytes(257 * 2**20)}),
    "lists without end": lambda members: replaced(
        members, "samples.json", b"[" + b"[]," * 10_000_000 + b"[]]"
    ),
    "deep lists": lambda members: replaced(members, "manifest.json", b"[" * 100_000 + b"]" * 100_000),
    "many members": lambda _: zipped({f"{number}": b"" for number in range(2000)}),
    "a hidden directory": in_64_bits,
    "foreign JSON": lambda members: replaced(members, "manifest.json", b'{"name": "other"}'),
    "a list": lambda members: replaced(members, "manifest.json", b"[]"),
    "no JSON": lambda members: replaced(members, "samples.json", b"\xff\xfe"),
    "scores of another kind": lambda members: replaced(members, "scores.jsonl", b'{"sample": 1}\n'),
    "a score twice": lambda members: resealed(members, scores=lambda lines: [*lines, lines[0]]),
    "transcripts of another kind": lambda members: replaced(
        members, "transcripts.jsonl", b'{"sample": "1"}\n'
    ),
    "evidence of another kind": lambda members: replaced(members, "evidence.jsonl", b"7\n"),
    "another form": lambda members: zipped({**members, INDEX: b'{"bundle": 2}'}),
    "an index that is a list": lambda members: zipped({**members, INDEX: b"[1]"}),
    "wrong hashes": lambda members: zipped({**members, "scores.jsonl": members["scores.jsonl"] + b"\n"}),
    "many trials": many_trials,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_bundle_is_refused_in_one_line(
    kind: str, sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    path = place / "hostile.zip"
    path.write_bytes(HOSTILE[kind](members_of(sound)))
    found = CliRunner().invoke(app, ["verify", str(path)])
    with pytest.raises(DataError) as refused:
        read_bundle(path)
    assert found.exit_code == 1
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 600
    assert [each.name for each in tmp_path.rglob("*")] == ["here", "hostile.zip"]


@pytest.mark.parametrize("name", ["missing.zip", "."])
def test_what_is_no_file_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be read \(it (is no file|does not exist)\)"):
        read_bundle(tmp_path / name)


def test_an_embedder_of_a_bundle_gets_no_text(sound: bytes, tmp_path: Path) -> None:
    def change(manifest: dict[str, Any]) -> dict[str, Any]:
        named = "openai/x?base_url=http://127.0.0.1:9/v1"
        return {**manifest, "identity": {**manifest["identity"], "embedder": named}}

    found = verify_bundle(read(resealed(members_of(sound), manifest=change), tmp_path))
    assert (found.verdict, found.compared) == ("unchecked", 0)
    assert any("no bundle may choose" in line for line in found.unchecked)


def test_bundle_bytes_do_not_depend_on_the_order_of_answers(sound: bytes, tmp_path: Path) -> None:
    found = read(sound, tmp_path)
    backwards = type(found.pack)(
        found.pack.manifest, found.pack.samples, found.pack.transcripts[::-1], found.pack.evidence[::-1]
    )
    assert bundle_bytes(backwards, found.scores) == bundle_bytes(found.pack, found.scores)


def bundle_of(model: str, place: Path) -> bytes:
    return bundle_run(evaluate("nestools", model, limit=3, runs=place / "runs").folder).content


def board_of(files: dict[str, bytes], place: Path, *words: str) -> Result:
    folder = place / "bundles"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return CliRunner().invoke(app, ["board", str(folder), "--out", str(place / "board.html"), *words])


def named(manifest: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "identity": {**manifest["identity"], "model": "<script>x"}}


def one_unscored(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for score in lines[0]["profiles"].values():
        score |= {"unscored": "provider", "values": {}, "counts": {}, "errors": {}}
    return lines


def test_a_board_ranks_what_was_scored_again(sound: bytes, tmp_path: Path) -> None:
    files = {
        "a.zip": sound,
        "again.zip": sound,
        "best.zip": bundle_of("scripted/oracle", tmp_path),
        "better.zip": resealed(members_of(sound), scores=better_scores),
        "cut.zip": sound[:-40],
        "other.zip": resealed(members_of(sound), manifest=named),
        "failed.zip": resealed(members_of(sound), scores=one_unscored, transcripts=lambda x: x[1:]),
        "picked.zip": resealed(members_of(sound), scores=lambda x: x[1:], transcripts=lambda x: x[1:]),
    }
    made = board_of(files, tmp_path, "--json")
    assert made.exit_code == 0, made.output
    found = json.loads(made.stdout)
    (rows,) = found["boards"].values()
    assert [row["file"] for row in rows] == ["best.zip", "other.zip", "a.zip"]
    assert (rows[0]["value"], rows[0]["interval"][1], rows[0]["answers"]) == (1.0, 1.0, 3)
    assert {name: why.split()[0] for name, why in found["left_out"].items()} == {
        "again.zip": "the", "better.zip": "changed:", "cut.zip": str(tmp_path / "bundles" / "cut.zip"),
        "failed.zip": "1",
        "picked.zip": "changed:",
    }  # fmt: skip
    page = (tmp_path / "board.html").read_text()
    assert "&lt;script&gt;x" in page and "<script>x" not in page


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (other_version, "benchmark version (1."),
        (other_data, "data ("),
        (lambda found: {**found, "identity": {**found["identity"], "options": {}}}, "options ("),
        (lambda found: {**found, "identity": {**found["identity"], "perturb": "noise=1"}}, "perturb ("),
    ],
)
def test_boards_refuse_to_mix(change: Callable[[Any], Any], what: str, sound: bytes, tmp_path: Path) -> None:
    made = board_of({"a.zip": sound, "b.zip": resealed(members_of(sound), manifest=change)}, tmp_path)
    assert made.exit_code == 1
    assert f"a.zip and b.zip differ in nestools's {what}" in str(made.exception)
    assert not (tmp_path / "board.html").exists()


def test_a_board_refuses_other_questions(sound: bytes, tmp_path: Path) -> None:
    run = evaluate("nestools", "scripted/random", limit=2, runs=tmp_path / "runs")
    with pytest.raises(DataError, match="questions"):
        (tmp_path / "a.zip").write_bytes(sound)
        (tmp_path / "b.zip").write_bytes(bundle_run(run.folder).content)
        read_board(tmp_path)
    with pytest.raises(DataError, match="nowhere does not exist"):
        read_board(tmp_path / "nowhere")
