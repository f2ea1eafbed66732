"""A key that an endpoint sends back is written nowhere, in whichever spelling and place it comes."""

import asyncio
import base64
import json
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from chat_endpoint import Body, ChatEndpoint, answer_of_bytes, serve
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Decoding, Message, Request
from toolyard.models.embed.embedding import load_embedder
from toolyard.models.key_scrubbing import Scrubber
from toolyard.models.loading import load_model
from toolyard.report.report_files import write_report
from toolyard.run.run import Run
from toolyard.run.settings import Settings

KEY = "sk-PLANTED/0123456789+abcdefXYZ_9"
HELLO = Request((Message("user", "hello"),), Decoding(logprobs=True))

SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "bearer": lambda key: f"Authorization: Bearer {key}",
    "url": lambda key: quote(key, safe=""),
    "url, every letter": lambda key: "".join(f"%{ord(letter):02X}" for letter in key),
    "url, twice": lambda key: quote(quote(key, safe=""), safe=""),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of the header": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "base64 of user and key": lambda key: base64.urlsafe_b64encode(f"me:{key}\n".encode()).decode(),
    "JSON inside a string": lambda key: json.dumps({"key": key}),
    "JSON escapes": lambda key: "".join(f"\\u{ord(letter):04x}" for letter in key),
    "some JSON escapes": lambda key: "".join(
        f"\\u{ord(letter):04X}" if place % 3 else letter for place, letter in enumerate(key)
    ),
    "HTML entities": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "HTML entities in hexadecimal": lambda key: "".join(f"&#x{ord(letter):x};" for letter in key),
    "letters apart": lambda key: " ".join(key),
    "letters on lines": lambda key: "\n".join(key),
    "cut by a line end": lambda key: f"{key[:11]}\r\n    {key[11:]}",
    "invisible signs between": lambda key: "\u200b".join(key),
    "invisible signs, as JSON writes them": lambda key: json.dumps("\u200b".join(key)),
    "a line end, as JSON writes it": lambda key: json.dumps(f"{key[:11]}\n\t\n{key[11:]}"),
    "a line end, JSON within JSON": lambda key: json.dumps(json.dumps(f"{key[:9]}\n\u2028{key[9:]}")),
    "hexadecimal": lambda key: key.encode().hex(),
    "hexadecimal with colons": lambda key: key.encode().hex(":"),
    "backwards": lambda key: key[::-1],
    "capitals": lambda key: key.upper(),
    "first part": lambda key: f"{key[:20]}...",
    "last part": lambda key: f"...{key[-18:]}",
}


def squeezed(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isascii() and letter.isalnum())


def traces(key: str) -> Iterator[str]:
    """What must not be found among the letters and digits of anything written."""
    raw = key.encode()
    coded = [base64.b64encode(b"\0" * shift + raw).decode()[4:-4] for shift in range(3)]
    codes = [f"{ord(letter):02x}" for letter in key]
    decimal = "".join(str(ord(letter)) for letter in key)
    escaped = ["".join(codes), "".join(f"u00{code}" for code in codes), "".join(f"x{code}" for code in codes)]
    for form in (key, key[::-1], decimal, *escaped, *coded):
        letters = squeezed(form)
        yield from (letters[start : start + 14] for start in range(0, len(letters) - 13))


TRACES = frozenset(traces(KEY))


def leaks(text: str, wanted: frozenset[str] = TRACES) -> list[str]:
    plain = re.sub(r"\\+(?:u20[0-9a-f]{2}|[nt])", "", text)
    letters = "/".join(map(squeezed, (text, unquote(unquote(text)), plain)))
    return sorted(trace for trace in wanted if trace in letters)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_spelling_is_recognised(spelling: str) -> None:
    found = Scrubber(KEY).text(f"before {SPELLINGS[spelling](KEY)} after")
    assert found.startswith("before ") and found.endswith(" after")
    assert "[key]" in found
    assert leaks(found) == []


def test_the_search_of_these_tests_sees_what_is_there() -> None:
    for spelling, write in SPELLINGS.items():
        if spelling not in ("some JSON escapes",):
            assert leaks(write(KEY)) != [], spelling


@pytest.mark.parametrize(
    "key", ["EMPTY", "none", "ollama", "x", "lm-studio", "not-needed", "sk-no-key-required"]
)
def test_a_placeholder_changes_no_answer(key: str) -> None:
    answer = "The list is EMPTY, none needed; not needed: x. Run ollama or LM studio. No key required, SK."
    assert Scrubber(key).text(answer) == answer


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert Scrubber(KEY).text(text) == text
    assert Scrubber().value({"a": [text]}) == {"a": [text]}


def test_a_body_that_is_kept_as_it_came_holds_no_pieces_of_the_key() -> None:
    scrub = Scrubber(KEY)
    events = [{"choices": [{"delta": {"tool_calls": [{"function": {"arguments": each}}]}}]} for each in KEY]
    streamed = "".join(f"data: {json.dumps(event)}\n\n" for event in [*events, {"choices": []}])
    tokens = json.dumps(
        {"logprobs": [{"token": letter, "top": [{"token": "x"}]} for letter in KEY], "text": "kept"}
    )
    for body in (streamed, tokens, streamed.replace("\n\n", "\r\n\r\n")):
        cleaned = scrub.body(body)
        pieces = re.findall(r'"(?:arguments|token)": "([^"]*)"', cleaned)
        assert KEY not in "".join(pieces)
        assert set(pieces) <= {"[key]", "x"}
    assert '"text": "kept"' in scrub.body(tokens)
    honest = 'data: {"choices": [{"delta": {"content": "Os"}}]}\n\ndata: [DONE]\n\n'
    assert scrub.body(honest) == honest
    assert scrub.body('{"a":  1}') == '{"a":  1}'


@each_case("extra")
def test_extra_parameters_hold_no_key(extra: object) -> None:
    with pytest.raises(UsageError, match="extra= holds a key") as refused:
        load_model(f"openai/m?base_url=http://127.0.0.1:9/v1&extra={quote(json.dumps(extra))}")
    assert "0123456789" not in str(refused.value)


def test_what_is_nested_without_end_is_cut() -> None:
    value: object = KEY
    for _ in range(5000):
        value = [value]
    assert "PLANTED" not in str(Scrubber(KEY).value(value))


def answered(**message: object) -> Callable[[str], web.Response]:
    def respond(key: str) -> web.Response:
        filled = json.loads(json.dumps(message).replace("KEY", json.dumps(key)[1:-1]))
        return web.json_response({"choices": [{"message": filled}]})

    return respond


def whole(key: str, **extra: object) -> web.Response:
    return web.json_response({"choices": [{"message": {"content": "x"}, **extra}], **extra})


def tokens(key: str) -> web.Response:
    written = [{"token": letter, "logprob": -1.0} for letter in key]
    tops = [{"token": "a", "logprob": -1.0, "top_logprobs": [{"token": key, "logprob": -2.0}]}]
    return whole(key, logprobs={"content": [*written, *tops]})


PLACES: dict[str, Callable[[str], web.Response]] = {
    "content": answered(content="KEY"),
    "content in parts": lambda key: web.json_response(
        {
            "choices": [
                {
                    "message": {
                        "content": [{"type": "text", "text": key[i : i + 5]} for i in range(0, len(key), 5)]
                    }
                }
            ]
        }
    ),
    "reasoning": answered(content="", reasoning_content="I was given KEY"),
    "arguments": answered(
        content=None, tool_calls=[{"id": "1", "function": {"name": "f", "arguments": '{"k": "KEY"}'}}]
    ),
    "a name of an argument": answered(
        content=None, tool_calls=[{"function": {"name": "f", "arguments": {"KEY": 1}}}]
    ),
    "name and id of a call": answered(content=None, tool_calls=[{"id": "KEY", "function": {"name": "KEY"}}]),
    "tokens": tokens,
    "model": lambda key: whole(key, model=key),
    "finish reason": lambda key: whole(key, finish_reason=key),
    "refusal": answered(content=None, refusal="KEY"),
    "no choices": lambda key: web.json_response({"id": key, "choices": []}),
    "no JSON": lambda key: web.Response(text=f"<html>{key}</html>", content_type="text/html"),
    "content type": lambda key: web.Response(
        body=b"?", headers={"Content-Type": f"text/{quote(key, safe='')}"}
    ),
    "error with 200": lambda key: web.json_response({"error": {"message": f"wrong key {key}", "code": 401}}),
    "400": lambda key: web.json_response({"error": {"message": key, "param": key, "code": key}}, status=400),
    "400, text": lambda key: web.json_response({"error": f"wrong {key}"}, status=400),
    "400, list": lambda key: web.json_response({"detail": [{"loc": [key], "msg": key}]}, status=400),
    "401": lambda key: web.json_response({"error": {"message": f"Incorrect API key: {key}"}}, status=401),
    "401, page": lambda key: web.Response(
        text=f"<p>{' ' * 250}{key}</p>", status=401, content_type="text/html"
    ),
    "404": lambda key: web.json_response({"message": key}, status=404),
    "429 without money": lambda key: web.json_response(
        {"error": {"message": key, "code": "insufficient_quota"}}, status=429
    ),
    "500": lambda key: web.Response(text=f"Traceback: {key}", status=500),
    "moved": lambda key: web.Response(
        status=302, headers={"Location": f"https://other/?k={quote(key, safe='')}"}
    ),
}


@pytest.mark.parametrize("spelling", ["plain", "base64", "letters apart", "JSON escapes", "url"])
@pytest.mark.parametrize("place", PLACES)
def test_no_place_lets_the_key_through(place: str, spelling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    endpoint = ChatEndpoint(lambda body: PLACES[place](SPELLINGS[spelling](KEY)))
    try:
        _, (completion,) = endpoint.ask(HELLO, settings="&key_env=PLANTED_KEY")
        seen = [repr(completion), completion.text, completion.reasoning]
        seen += [str(call) for call in completion.tool_calls]
        seen.append("".join(token.token for token in completion.logprobs))
    except ProviderError as error:
        seen = [str(error), "".join(traceback.format_exception(error))]
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert [leak for text in seen for leak in leaks(text)] == []


def test_a_response_that_is_no_http_keeps_the_key_out_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    data = f"HTTP/1.1 {KEY} {KEY}\r\nX-{KEY}: \x01{KEY}\r\n\r\n".encode()
    with pytest.raises(ProviderError) as caught:
        answer_of_bytes(data, HELLO, "&key_env=PLANTED_KEY")
    assert caught.value.kind == "connection"
    assert leaks("".join(traceback.format_exception(caught.value))) == []


def test_the_key_itself_in_the_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "planted-words")
    with pytest.raises(UsageError, match="base_url holds the key itself") as caught:
        load_model("openai/m?base_url=http://h/planted-words/v1&key_env=PLANTED_KEY")
    assert "planted-words" not in str(caught.value)


@pytest.mark.parametrize("field", ["embedder", "options"])
def test_what_is_written_down_word_by_word_must_not_hold_a_key(field: str, tmp_path: Path) -> None:
    model = "openai/e?base_url=http://h/sk-PLANTED0123456789abcdef/v1"
    value = model if field == "embedder" else {"user": model}
    with pytest.raises(UsageError, match="key_env=VAR") as caught:
        Run.plan(Settings("tooleyes", "scripted/oracle", runs=tmp_path, **{field: value}))  # type: ignore[arg-type]
    assert "PLANTED" not in str(caught.value)


def test_an_embedding_endpoint_keeps_the_key_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return web.json_response({"error": {"message": f"no {KEY}"}}, status=400)

    async def run() -> None:
        async with serve(handler) as url:
            embed = load_embedder(f"openai/e?base_url={url}&key_env=PLANTED_KEY", keep=False)
            await asyncio.to_thread(embed, ["a"])

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert leaks("".join(traceback.format_exception(caught.value))) == []


def written_bytes(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files != []
    return {str(path.relative_to(folder)): path.read_bytes().decode("latin-1") for path in files}


PATH_KEY = "sk-PATHSECRET0123456789abcdef"


def test_a_whole_run_writes_the_key_nowhere(tmp_path: Path) -> None:
    """Model and judge send both keys back with every answer, each time in another place and spelling."""
    places = ("content", "arguments", "tokens", "model", "reasoning", "400", "500")
    echoes = [(place, spelling) for spelling in SPELLINGS for place in places]
    served = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        place, spelling = echoes[len(served) * 7 % len(echoes)]
        served.append(place)
        key = PATH_KEY if len(served) % 3 == 0 else KEY
        return PLACES[place](SPELLINGS[spelling](key))

    async def run() -> tuple[int, str]:
        async with serve(handler, prefix=f"/{PATH_KEY}") as url:
            model = f"openai/m?base_url={url}&key_env=PLANTED_KEY&price=1,1"
            words = ["run", "tooleyes", "-m", model, "--judge", model, "--limit", "12", "--runs", "runs"]
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "toolyard", *words, "--cache", "cache",
                cwd=tmp_path, env={**os.environ, "PLANTED_KEY": KEY},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            output, _ = await child.communicate()
            return child.returncode or 0, output.decode()

    code, terminal = asyncio.run(run())
    assert code in (0, 2), terminal
    assert len(served) > 12
    for run_folder in (tmp_path / "runs").iterdir():
        write_report(run_folder)
    files = written_bytes(tmp_path)
    assert {"cache/completions.sqlite"} < set(files)
    assert any(name.endswith("report.html") for name in files)
    everything = {"terminal": terminal, **files}
    path_traces = frozenset(traces(PATH_KEY)) | TRACES
    found = {name: leaks(text, path_traces)[:3] for name, text in everything.items()}
    assert {name: traced for name, traced in found.items() if traced} == {}
