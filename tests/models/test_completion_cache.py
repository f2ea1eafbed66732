"""The completion cache: the same request is sent once, and nothing that failed is kept."""

import asyncio
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from chat_endpoint import Body, chat, serve
from toolyard.core.errors import DataError, ProviderError
from toolyard.core.types import Completion, Decoding, Message, Request, TokenLogprob, Usage
from toolyard.models.base import Price
from toolyard.models.cache.completion_cache import CachedModel, request_key
from toolyard.models.loading import load_model

HELLO = Request((Message("user", "hello"),), Decoding(), sample="s", seed=1)


class Counting:
    """Answers with the number of the call, or with what a test put into `answers`."""

    name = "counting"
    price = Price(1, 2)

    def __init__(self, *answers: Completion | ProviderError) -> None:
        self.calls = 0
        self.answers = list(answers)

    async def generate(self, request: Request) -> Completion:
        self.calls += 1
        answer = self.answers.pop(0) if self.answers else Completion(str(self.calls), latency=0.5)
        if isinstance(answer, ProviderError):
            raise answer
        return answer

    async def close(self) -> None:
        self.calls = -1


def ask(model: CachedModel, request: Request = HELLO) -> Completion:
    return asyncio.run(model.generate(request))


def test_the_same_request_is_sent_once_and_comes_back_whole(tmp_path: Path) -> None:
    whole = Completion(
        "x\ud800",
        "length",
        Usage(3, 4),
        0.5,
        "m",
        ({"id": "c"},),
        (TokenLogprob("a", -0.5, (("a", -0.5),)),),
        "because",
    )
    inner = Counting(whole)
    assert ask(CachedModel(inner, tmp_path)) == whole
    again = CachedModel(inner, tmp_path)
    assert ask(again) == replace(whole, latency=0.0, kept=True)
    assert (whole.paid, ask(again).paid) == (Usage(3, 4), Usage())
    assert (inner.calls, again.hits) == (1, 2)
    assert (again.name, again.price) == ("counting", Price(1, 2))


CHANGES = {
    "messages": replace(HELLO, messages=(Message("user", "hello!"),)),
    "role": replace(HELLO, messages=(Message("system", "hello"),)),
    "temperature": replace(HELLO, decoding=Decoding(temperature=0.5)),
    "top_p": replace(HELLO, decoding=Decoding(top_p=0.5)),
    "max_tokens": replace(HELLO, decoding=Decoding(max_tokens=5)),
    "stop": replace(HELLO, decoding=Decoding(stop=("x",))),
    "logprobs": replace(HELLO, decoding=Decoding(logprobs=True)),
    "sample": replace(HELLO, sample="other"),
    "trial": replace(HELLO, trial=1),
    "turn": replace(HELLO, turn=1),
    "seed": replace(HELLO, seed=2),
    "tools": replace(HELLO, tools=({"type": "function"},)),
}


def test_the_key_contains_all_that_changes_a_request() -> None:
    keys = {request_key("m", request) for request in (HELLO, *CHANGES.values())}
    assert len(keys) == 1 + len(CHANGES)
    assert request_key("m", HELLO) != request_key("m@other-host", HELLO)


def test_failures_and_prompts_that_did_not_fit_are_never_kept(tmp_path: Path) -> None:
    inner = Counting(ProviderError("timeout", "late"), Completion("better"))
    model = CachedModel(inner, tmp_path)
    with pytest.raises(ProviderError):
        ask(model)
    assert ask(model).text == "better"
    assert ask(model).text == "better"
    assert inner.calls == 2
    inner = Counting(Completion("", "context_overflow"), Completion("larger context"))
    model = CachedModel(inner, tmp_path / "short")
    assert [ask(model).text, ask(model).text] == ["", "larger context"]


@pytest.mark.parametrize(
    "torn", [b"", b'{"text": "ha', b"[]", b'{"text": 3}', b'{"text": "a", "usage": [1]}', "text", 7, None]
)
def test_a_torn_entry_is_asked_anew(tmp_path: Path, torn: object, caplog: pytest.LogCaptureFixture) -> None:
    inner = Counting(Completion("first"), Completion("second"))
    model = CachedModel(inner, tmp_path)
    ask(model)
    with sqlite3.connect(tmp_path / "completions.sqlite") as database:
        database.execute("UPDATE kept SET value = ?", (torn,))
    database.close()
    assert [ask(model).text, ask(model).text] == ["second", "second"]
    assert [record.getMessage() for record in caplog.records] == [
        "a kept completion of counting cannot be read; it is asked for again"
    ]


@pytest.mark.parametrize("damage", [b"this is no database " * 100, "middle"])
def test_a_damaged_file_is_put_aside_and_begun_anew(
    tmp_path: Path, damage: bytes | str, caplog: pytest.LogCaptureFixture
) -> None:
    model = CachedModel(Counting(), tmp_path)
    for number in range(50):
        ask(model, replace(HELLO, sample=str(number)))
    file = tmp_path / "completions.sqlite"
    whole = file.read_bytes()
    file.write_bytes(damage if isinstance(damage, bytes) else whole[:100] + b"\xff" * (len(whole) - 100))
    assert ask(model).text == "51"
    assert ask(CachedModel(Counting(), tmp_path)).text == "51"
    assert (tmp_path / "completions.sqlite.damaged").exists()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "begun anew" in caplog.text


FILL = """
import asyncio, sys
from pathlib import Path
from toolyard.core.types import Decoding, Message, Request
from toolyard.models.base import CallableModel
from toolyard.models.cache.completion_cache import CachedModel

async def fill():
    model = CachedModel(CallableModel(lambda messages: "x" * 5000), Path(sys.argv[1]), identity="counting")
    for number in range(100):
        await model.generate(Request((Message("user", "hello"),), Decoding(), sample=str(number), seed=1))

asyncio.run(fill())
"""


def test_runs_may_share_a_folder(tmp_path: Path) -> None:
    runs = [subprocess.Popen([sys.executable, "-c", FILL, str(tmp_path)]) for _ in range(3)]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    model = CachedModel(Counting(), tmp_path)
    for number in range(100):
        assert ask(model, replace(HELLO, sample=str(number))).text == "x" * 5000
    assert model.hits == 100


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="--cache"):
        CachedModel(Counting(), tmp_path / "file" / "cache")


def test_load_model_keeps_completions_by_endpoint(tmp_path: Path) -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return chat("served")

    async def run() -> tuple[int, int]:
        async with serve(handler) as one, serve(handler) as two:
            first, again, other = (
                load_model(f"openai/m?base_url={url}", cache=tmp_path) for url in (one, one, two)
            )
            for model in (first, again, other):
                await model.generate(HELLO)
                await model.close()
            assert isinstance(again, CachedModel) and isinstance(other, CachedModel)
            return again.hits, other.hits

    assert asyncio.run(run()) == (1, 0)
