"""OpenAPI documents and services of strangers: no key and no request leaves the address that the user named."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faults.foreign_sources import (
    ANSWERS,
    DOCUMENTS,
    Service,
    document,
    in_pieces,
    parameter,
    sent,
    serve_foreign,
    servers_at,
)
from toolyard.core.errors import ToolyardError, UsageError
from toolyard.owntools.mirror.mirror_files import make_mirror
from toolyard.owntools.mirror.mirror_plan import MirrorPlan
from toolyard.owntools.sources import load_source

KEY = "Bearer harbour-light-71"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Service, Service]]:
    made = [serve_foreign(), serve_foreign()]
    yield made[0][0], made[1][0]
    for _, server in made:
        server.shutdown()
        server.server_close()


@pytest.fixture
def services(servers: tuple[Service, Service], monkeypatch: pytest.MonkeyPatch) -> tuple[Service, Service]:
    """The service that the user means, and another one that must get nothing."""
    for each in servers:
        each.seen.clear()
        each.answer = None
    monkeypatch.setenv("HARBOUR_TOKEN", KEY)
    return servers


def recorded(made: dict[str, Any], folder: Path, base: str) -> MirrorPlan:
    file = folder / "service.json"
    file.write_text(json.dumps(made))
    source = load_source(str(file), headers=["Authorization=HARBOUR_TOKEN"], base=base)
    return make_mirror(source, folder / "twin", number=1)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_document_leads_away(name: str, tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, other = services
    try:
        plan = recorded(DOCUMENTS[name](other.host), tmp_path, f"{mine.address}/api")
    except ToolyardError as error:
        assert "\n" not in str(error)
        plan = None
    assert other.seen == []
    for method, path, headers in mine.seen:
        assert method == "GET"
        assert path.startswith("/api/")
        lines = headers.splitlines()
        assert f"Authorization: {KEY}" in lines
        assert f"Host: {mine.host}" in lines
        assert not any(line.startswith(("X-Evil", "Authorization: Bearer evil")) for line in lines)
    assert plan is None or len(plan.recorded) <= 2


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if "server" in name])
def test_a_header_is_refused_for_an_address_that_only_the_document_names(
    name: str, tmp_path: Path, services: tuple[Service, Service]
) -> None:
    mine, other = services
    made = {**DOCUMENTS[name](mine.host), "servers": [{"url": f"{other.address}/api"}]}
    with pytest.raises(UsageError, match=r"only to an address that you name.*--base-url"):
        recorded(made, tmp_path, "")
    assert other.seen == mine.seen == []


def test_a_server_within_the_base_is_used(tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, _ = services
    recorded(servers_at("operation", "/api/v2")(""), tmp_path, f"{mine.address}/api")
    assert [path for _, path, _ in mine.seen] == ["/api/v2/x"]


@pytest.mark.parametrize("url", ["/", "/v2", "/apis", "/api/../admin", "/api/%2e%2e/admin", "http://{own}/"])
def test_a_server_outside_is_not_called(url: str, tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, _ = services
    made = servers_at("operation", url)(mine.host)
    made = json.loads(json.dumps(made).replace("{own}", mine.host))
    (call,) = recorded(made, tmp_path, f"{mine.address}/api").recorded
    assert mine.seen == []
    assert call.error.startswith("refused_address")
    assert "--base-url" in call.error


def test_a_header_that_the_user_sets_is_no_argument(
    tmp_path: Path, services: tuple[Service, Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, _ = services
    file = tmp_path / "service.json"
    listed = [parameter("x-harbour-key", "header", "evil"), parameter("X-Lang", "header", "en")]
    file.write_text(json.dumps(document("/x", parameters=listed)))
    source = load_source(str(file), headers=["X-Harbour-Key=HARBOUR_TOKEN"], base=mine.address)
    assert [each.name for each in source.tools[0].parameters] == ["X-Lang"]
    assert source.remarks == ("the header parameter x-harbour-key of get /x is left out: --header sets it",)
    make_mirror(source, tmp_path / "twin", number=1)
    ((_, _, headers),) = mine.seen
    assert f"X-Harbour-Key: {KEY}" in headers.splitlines()
    assert "evil" not in headers


def test_operations_of_one_name_are_told_apart(tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, _ = services
    same = {"operationId": "get_berth"}
    made = {"openapi": "3.1.0", "paths": {"/read": {"get": same}, "/purge": {"delete": same, "post": same}}}
    recorded(made, tmp_path, mine.address)
    assert [(method, path) for method, path, _ in mine.seen] == [("GET", "/read")]


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_of_a_hostile_service_are_errors_of_one_call(
    name: str, tmp_path: Path, services: tuple[Service, Service]
) -> None:
    mine, _ = services
    mine.answer, wanted = ANSWERS[name]
    (call,) = recorded(document("/x"), tmp_path, mine.address).recorded
    assert call.error.startswith(wanted), call.error


def test_an_answer_in_pieces_is_kept_whole(tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, _ = services
    mine.answer = in_pieces
    (call,) = recorded(document("/x"), tmp_path, mine.address).recorded
    assert call.error == ""
    assert len(call.result["berths"]) == 2_000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, other = services
    mine.answer = sent(status, b"", Location=f"{other.address}/x")
    (call,) = recorded(document("/x"), tmp_path, mine.address).recorded
    assert call.error.startswith(f"http_{status}")
    assert other.seen == []


@pytest.mark.parametrize(
    "base", ["ftp://x/", "http://", "x", "http://a@b/", "http://a/?x=", "http://a/#x", "http://a b/", "//a"]
)
def test_a_base_address_that_is_none_is_one_line(base: str, tmp_path: Path) -> None:
    file = tmp_path / "service.json"
    file.write_text(json.dumps(document("/x")))
    with pytest.raises(UsageError, match="is not an address of a service"):
        load_source(str(file), base=base)


def test_a_key_that_a_service_echoes_is_not_kept(tmp_path: Path, services: tuple[Service, Service]) -> None:
    own, _ = services
    own.answer = lambda handler: sent(200, json.dumps({"headers": str(handler.headers)}).encode())(handler)
    plan = recorded(document("/berths"), tmp_path, own.address)
    assert [call.error for call in plan.recorded] == [""]
    assert KEY in "".join(headers for _, _, headers in own.seen)
    assert not any(KEY in file.read_text() for file in (tmp_path / "twin").rglob("*") if file.is_file())
