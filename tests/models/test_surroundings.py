"""Keys, addresses and prices that stand around a MODEL argument, and arguments that no request could carry."""

import json
import os
from pathlib import Path

import pytest

from cases import cases
from toolyard.core.errors import UsageError
from toolyard.models.environment_settings import address_line, complete_model, load_variables, read_prices
from toolyard.models.http.openai import read_address
from toolyard.models.loading import load_model, price_of
from toolyard.models.spec import ModelSpec
from toolyard.owntools.sources.source_loading import header_values

OWN = "https://llm.example.com/v1"


def address(text: str, **environment: str) -> tuple[str, str | None]:
    found = read_address(ModelSpec.parse(text), environment)
    return found.base_url, found.key


def test_openai_base_url_replaces_the_default_host_and_gets_the_default_key() -> None:
    known = {"OPENAI_API_KEY": "k-1", "OPENAI_BASE_URL": OWN}
    assert address("openai/m", **known) == (OWN, "k-1")
    assert address("responses/m", **known) == (OWN, "k-1")
    assert address(f"openai/m?base_url={OWN}", **known) == (OWN, "k-1")
    assert address("openai/m?base_url=http://localhost:8000/v1", **known) == (
        "http://localhost:8000/v1",
        None,
    )
    hosted = "https://api.openai.com/v1"
    assert address(f"openai/m?base_url={hosted}", **known) == (hosted, None), "the key is the other address's"
    assert address("openai/m", OPENAI_API_KEY="k-1") == (hosted, "k-1")
    assert address("openai/m", OPENAI_BASE_URL=OWN) == (OWN, None), "a server of one's own may want no key"


def test_the_address_becomes_part_of_the_model_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", OWN)
    assert complete_model("openai/m") == f"openai/m?base_url={OWN}"
    assert complete_model("openai/m?price=1,2") == f"openai/m?price=1,2&base_url={OWN}"
    assert complete_model("openai/m?base_url=http://x/v1") == "openai/m?base_url=http://x/v1"
    assert complete_model("local") == "local"
    assert address_line(complete_model("openai/m")) == f"openai/m is asked at {OWN} (OPENAI_BASE_URL)"
    assert address_line("openai/m?base_url=http://x/v1") == ""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://user:word@llm.example.com/v1")
    with pytest.raises(UsageError, match="user name or password"):
        complete_model("openai/m")


def test_prices_come_from_a_list_with_its_date(tmp_path: Path) -> None:
    path = tmp_path / "model_prices_2026-11-02.json"
    listed = {
        "m": {"input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07},
        "openai/n": {
            "input_cost_per_token": 1e-6,
            "output_cost_per_token": 0,
            "cache_read_input_token_cost": 1e-7,
        },
        "half": {"input_cost_per_token": 1e-6},
        "odd": {"input_cost_per_token": "free", "output_cost_per_token": True},
    }
    path.write_text(json.dumps(listed))
    prices = read_prices(path)
    assert prices.date == "2026-11-02"
    assert complete_model("openai/m", prices) == "openai/m?price=0.15,0.6"
    assert complete_model("openai/n", prices) == "openai/n?price=1,0,0.1"
    assert complete_model("openai/m?price=7,8", prices) == "openai/m?price=7,8"
    found = price_of(complete_model("openai/m", prices))
    assert found is not None and found.output_per_million == 0.6
    for name, said in (
        ("halt", "did you mean half?"),
        ("half", "wants input_cost"),
        ("odd", "wants input_cost"),
    ):
        with pytest.raises(UsageError, match=said):
            complete_model(f"openai/{name}", prices)
    path.write_text(json.dumps({"date": "2026-10-01", **listed}))
    assert read_prices(path).date == "2026-10-01"
    undated = tmp_path / "prices.json"
    undated.write_text("{}")
    os.utime(undated, (1_790_000_000, 1_790_000_000))
    assert read_prices(undated).date == "2026-09-21 (of the file)"


@pytest.mark.parametrize("content", ["[]", "{", "[" * 100_000, "\udc80"])
def test_a_list_that_is_none_is_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "prices.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match="--prices"):
        read_prices(path)


def test_variables_come_from_a_file_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_BEFORE", "stays")
    for name in ("KEY_ONE", "KEY_TWO"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / ".env"
    path.write_text("# keys\nKEY_ONE = 'a b'\nexport KEY_TWO=c=d\n\nSET_BEFORE=other\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no KEY_ONE"):
        load_model("openai/m?base_url=http://x/v1&key_env=KEY_ONE")
    load_variables(path)
    assert (os.environ["KEY_ONE"], os.environ["KEY_TWO"], os.environ["SET_BEFORE"]) == ("a b", "c=d", "stays")
    monkeypatch.delenv("KEY_ONE")
    monkeypatch.delenv("KEY_TWO")
    path.write_text("A=b\nsk-0123456789abcdef\n")
    with pytest.raises(UsageError, match="line 2: wanted NAME=value") as error:
        load_variables(path)
    assert "0123456789" not in str(error.value)
    with pytest.raises(UsageError, match="cannot be read"):
        load_variables(tmp_path / "missing")


@pytest.mark.parametrize(
    ("model", "way"), cases(__file__, "a_provider_without_a_kind_of_its_own_is_told_the_way")
)
def test_a_provider_without_a_kind_of_its_own_is_told_the_way(model: str, way: str) -> None:
    with pytest.raises(UsageError, match=way):
        load_model(model)


@pytest.mark.parametrize("url", cases(__file__, "an_address_that_no_request_can_be_sent_to_is_one_line"))
def test_an_address_that_no_request_can_be_sent_to_is_one_line(url: str) -> None:
    with pytest.raises(UsageError):
        load_model(f"openai/m?base_url={url}")


@pytest.mark.parametrize("name", ["X\r\nEvil", "X Y", "Ü", "", ":", "a:b", "X\0"])
def test_a_header_that_cannot_be_sent_is_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADER_VALUE", "fine")
    with pytest.raises(UsageError, match="--header"):
        header_values([f"{name}=HEADER_VALUE"])


@pytest.mark.parametrize("value", ["a\r\nb: c", "ü", "a\x7fb"])
def test_a_header_whose_value_cannot_be_sent_is_one_line(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADER_VALUE", value)
    with pytest.raises(UsageError, match="holds characters that no header can") as error:
        header_values(["X-Key=HEADER_VALUE"])
    assert value not in str(error.value)
