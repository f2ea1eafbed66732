"""A MODEL argument, taken apart once: what it says, what is written down of it, and what is refused."""

import pytest

from cases import cases
from toolyard.core.errors import UsageError
from toolyard.models.base import Price
from toolyard.models.loading import identity_of, price_of
from toolyard.models.spec import ModelSpec
from toolyard.run.plan.run_config import display_name

KEY = "sk-PLANTED0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "identity", "display"), cases(__file__, "identity_and_display_stay_as_they_were_typed")
)
def test_identity_and_display_stay_as_they_were_typed(text: str, identity: str, display: str) -> None:
    spec = ModelSpec.parse(text)
    assert (spec.identity, spec.display) == (identity, display)
    assert (identity_of(text), display_name(text)) == (identity, display)
    assert ModelSpec.parse(spec.identity).identity == identity
    assert spec.printable == text
    assert not spec.holds_key


def test_prices() -> None:
    assert price_of("openai/m?price=0.15,0.6") == Price(0.15, 0.6)
    assert price_of("openai/m") is None
    assert price_of("local") == price_of("scripted/oracle") == Price(0.0, 0.0)
    assert price_of("inspect/openai/gpt") is None
    assert price_of("python/respond@1") is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("openai/m?price=cheap", "IN,OUT"),
        ("openai/m?price=1", "IN,OUT"),
        ("openai/m?price=-1,nan", "number from 0 up"),
        ("openai/m?temperature=1", "there are base_url, key_env, price"),
        ("openai/m?base_url=http://user:pass@h/v1", "user name or password"),
        ("openai/m?base_url=http%3A%2F%2Fuser%40h/v1", "user name or password"),
        ("openai/m?base_url=user:pass@h/v1", "user name or password"),
        (f"openai/m?base_url=https://h/v1?api_key={KEY}", r"\?api_key=.*key_env=VAR"),
        ("openai/m?base_url=https://h/v1?token=abc", r"\?token=.*key_env=VAR"),
        (f"openai/m?base_url=https://h/v1?x={KEY}", r"\?x=.*key_env=VAR"),
        (f"openai/m?base_url=https://h/v1%23{KEY}", "#"),
        ("openai/m?base_url=http://h:99999999/v1", "not a web address"),
        ("openai/m?base_url=http://[::1/v1", "not a web address"),
        (f"openai/{KEY}", "a key, not a model"),
        (f"openai/m?key_env={KEY}", "environment variable"),
    ],
)
def test_what_is_wrong_is_one_line_without_the_key(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        price_of(text)
    assert "\n" not in str(caught.value)
    assert "PLANTED" not in str(caught.value)
    assert "pass" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize(
    "key", [KEY, "0f8fad5b-d9cb-469f-a165-70867728950e", "hf_abcdefgh12345678", "AbCdEf0123456789XyZ"]
)
def test_a_key_in_a_path_is_shown_and_filed_as_a_digest(key: str) -> None:
    spec = ModelSpec.parse(f"openai/m?base_url=https://h/{key}/v1&price=1,2")
    assert spec.holds_key
    assert key not in spec.identity + spec.printable + spec.display + repr(spec)
    assert spec.printable.startswith("openai/m?base_url=https://h/key-")
    assert ModelSpec.parse(spec.printable).identity == spec.identity
    other = ModelSpec.parse(f"openai/m?base_url=https://h/{key[:-1]}0x/v1")
    assert other.identity != spec.identity


@pytest.mark.parametrize("url", cases(__file__, "an_ordinary_address_is_shown_as_it_is"))
def test_an_ordinary_address_is_shown_as_it_is(url: str) -> None:
    assert ModelSpec.parse(f"openai/m?base_url={url}").identity == f"openai/m?base_url={url}"
