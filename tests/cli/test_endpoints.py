"""The command line before endpoints that refuse, charge or stand elsewhere: one line, an exit code, few requests."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import toolyard_command
from plain_service import Sent, chat_answer, letters_of, plain_service

Reply = Callable[[str, bytes], Sent]


@contextmanager
def endpoint(reply: Reply) -> Iterator[tuple[str, list[Any]]]:
    """A server that gives these replies, its base URL and the requests that it saw."""
    with plain_service(reply) as service:
        yield f"{service.address}/v1", service.seen


def answer(path: str, body: bytes) -> Sent:
    """An answer that counts a token for every letter."""
    return chat_answer("[]", read=letters_of(body))


def refusing(status: int, text: str, kind: str = "application/json") -> Reply:
    return lambda path, body: (status, kind, text.encode())


def toolyard(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    unset = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return toolyard_command.toolyard(*words, env={**unset, **environment})


def run(tmp_path: Path, model: str, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    words = ("--runs", str(tmp_path), "--name", "r", "--no-report", "--concurrency", "1", "--limit", "6")
    return toolyard("run", "nestools", "-m", model, *words, *more, **environment)


@pytest.mark.parametrize(
    ("reply", "said", "requests"),
    [
        (refusing(200, "<!doctype html><title>Sign in</title>", "text/html"), "answered with a web page ('Sign in')", 1),
        (refusing(401, '{"error": {"message": "no"}}'), "refused the key (401", 1),
        (refusing(404, '{"error": {"message": "no"}}'), "answered 404", 1),
        (refusing(400, '{"error": {"message": "no"}}'), "the first 3 samples all failed", 3),
        (refusing(200, '{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}'), "answered none", 5),
    ],
    ids=["a web page", "401", "404", "400", "charged for nothing"],
)  # fmt: skip
def test_an_endpoint_that_will_never_answer_stops_the_run_with_the_reason(
    tmp_path: Path, reply: Reply, said: str, requests: int
) -> None:
    with endpoint(reply) as (url, seen):
        done = run(tmp_path, f"openai/m?base_url={url}")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("toolyard: ")
    assert said in last
    assert "Traceback" not in done.stderr
    assert len(seen) == requests


def test_a_limit_that_is_reached_exits_with_5_and_says_how_to_go_on(tmp_path: Path) -> None:
    with endpoint(answer) as (url, seen):
        model = f"openai/m?base_url={url}&price=1000,1000"
        done = run(tmp_path, model, "--max-cost", "20", "--max-tokens", "50")
        asked = len(seen)
        assert done.returncode == 5, done.stderr
        last = done.stderr.splitlines()[-1]
        assert last.startswith("toolyard: stopped at --max-cost 20 with $")
        assert f"{6 - asked} of 6 samples remain; to go on, give the same command with a higher limit" in last
        assert run(tmp_path, model, "--max-cost", "1000", "--max-tokens", "50").returncode == 0
    assert len(seen) == 6


STUDIES = [("ways", "--ways", "default,native,code"), ("curve", "--sizes", "8,16,32")]


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study[0])
def test_a_limit_is_for_all_runs_and_sessions_of_a_study(tmp_path: Path, study: tuple[str, str, str]) -> None:
    verb, *chosen = study

    def play(folder: str, *more: str) -> subprocess.CompletedProcess[str]:
        words = ("--runs", str(tmp_path / folder), "--limit", "3", "--concurrency", "1", "--max-tokens", "50")
        return toolyard(
            verb, "nestools", "-m", f"openai/m?base_url={url}&price=1000000,0", *chosen, *words, *more
        )

    charged: list[int] = []

    def charge(path: str, body: bytes) -> Sent:
        charged.append(letters_of(body) // 4)
        return chat_answer("[]", read=charged[-1])

    with endpoint(charge) as (url, _):
        assert play("free").returncode == 0
        number, limit = len(charged), sum(charged) * 6 // 10
        charged.clear()
        for _ in range(2):
            done = play("limited", "--max-cost", str(limit))
            assert done.returncode == 5, done.stderr
            assert f"toolyard: stopped at --max-cost {limit} with $" in done.stderr.splitlines()[-1]
        assert limit / 3 < sum(charged) <= limit
        assert play("limited", "--max-cost", "1000000").returncode == 0
    assert len(charged) == number, "nothing was asked twice"


def test_a_limit_without_a_price_is_a_mistake(tmp_path: Path) -> None:
    done = run(tmp_path, "openai/m?base_url=http://127.0.0.1:9/v1", "--max-cost", "1")
    assert (done.returncode, "--max-cost needs a price" in done.stderr) == (1, True)


def test_address_key_and_price_come_from_the_surroundings(tmp_path: Path) -> None:
    prices, variables = tmp_path / "prices_2026-11-02.json", tmp_path / "keys.env"
    prices.write_text(json.dumps({"m": {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}}))
    with endpoint(answer) as (url, seen):
        variables.write_text(f"OPENAI_BASE_URL={url}\nOPENAI_API_KEY=k-from-the-file\n")
        done = run(tmp_path, "openai/m", "--env-file", str(variables), "--prices", str(prices))
    assert done.returncode == 0, done.stderr
    assert f"openai/m is asked at {url} (OPENAI_BASE_URL)" in done.stderr
    assert "(prices of 2026-11-02)" in done.stderr
    assert {headers["Authorization"] for _, _, headers in seen} == {"Bearer k-from-the-file"}
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert manifest["prices"] == {"file": "prices_2026-11-02.json", "date": "2026-11-02"}
    assert manifest["cost"] > 0
    assert manifest["identity"]["model"] == f"openai/m?base_url={url}"
    assert "k-from-the-file" not in (tmp_path / "r" / "manifest.json").read_text()


def test_a_limit_holds_for_certificates_over_all_sessions(tmp_path: Path) -> None:
    with endpoint(answer) as (url, seen):
        words = ("--out", str(tmp_path), "--probes", "12", "--surface", "chat", "--concurrency", "4")
        model = f"openai/m?base_url={url}&price=1000,1000"
        for _ in range(2):
            done = toolyard("certify", model, *words, "--max-cost", "0.8")
            assert done.returncode == 5, done.stderr
            assert "probes remain; to go on" in done.stderr.splitlines()[-1]
    path = next(tmp_path.glob("*/spending.jsonl"))
    spent = [json.loads(line)["usage"] for line in path.read_text().splitlines()]
    costs = sorted(sum(usage.values()) / 1000 for usage in spent)
    assert len(costs) == len(seen) > 0
    assert sum(costs[:-2]) <= 0.8, "at most the two requests in flight at first exceed it"


def test_a_judge_that_cannot_be_read_costs_the_judged_metrics_alone(tmp_path: Path) -> None:
    said = {"choices": [{"message": {"content": "I liked it a lot."}, "finish_reason": "stop"}]}
    with endpoint(refusing(200, json.dumps(said))) as (url, _):
        words = ("--runs", str(tmp_path), "--no-report", "--json", "--limit", "2", "--embedder", "hash")
        done = toolyard(
            "run", "tooleyes", "-m", "scripted/oracle", "--judge", f"openai/j?base_url={url}", *words
        )
    assert done.returncode == 2, done.stderr
    assert "a reply of the judge cannot be read" in done.stderr
    assert "found 'I liked it a lot.', wanted Scoring Reason" in done.stderr
    summary = json.loads(done.stdout)["profiles"]["paper"]
    assert (summary["samples"], summary["unscored_reasons"]) == (0, {"judge_unparsable": 2})
    assert summary["figures"]["format_alignment"] == 1.0
    assert summary["figures"]["answer_pass"] == 1.0
    assert summary["figures"]["overall"] is None
