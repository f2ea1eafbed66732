"""Where an endpoint is, without the keys that people write into addresses.

http://host/v1                      shown and kept as it is
http://host/sk-0123456789abcdef/v1  shown and kept as http://host/key-a1b2c3d4/v1
http://user:word@host/v1            refused, like ?api_key=...: a key belongs into the environment
"""

import hashlib
import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from toolyard.core.errors import UsageError

KEY_PREFIX = re.compile(
    r"sk[-_][-\w.]{8,}|(?:pk|rk|gsk|xai|hf|ghp|nvapi|key|token)[-_](?=.*[0-9])[-\w.]{8,}|(?:AIza|eyJ)[-\w.]{16,}"
)
# What stands in the place of a key is no key.
STAND_IN = re.compile(r"key-[0-9a-f]{8}")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
KEY_PARAMETER = re.compile(r"key|token|secret|passw|pwd|auth|credential|^sig|signature|^code$", re.IGNORECASE)
# A word of this many letters and digits, mixed, is nobody's name for a model or a version.
RANDOM_WORD = 16


def looks_like_key(text: str) -> bool:
    """Whether a part of an address is more likely a secret than a name."""
    if STAND_IN.fullmatch(text):
        return False
    if KEY_PREFIX.fullmatch(text) or UUID.fullmatch(text):
        return True
    return any(
        len(word) >= RANDOM_WORD and re.search("[0-9]", word) and re.search("[A-Za-z]", word)
        for word in re.split(r"[^A-Za-z0-9]+", text)
    )


def shown_url(url: str) -> str:
    """The address with a short digest in the place of every part of its path that looks like a key."""
    host, path, query = _split_address(url)
    return host + "/".join(_mask_key(part) if _is_key(part) else part for part in path.split("/")) + query


def hidden_parts(url: str) -> tuple[str, ...]:
    """The parts of an address that `shown_url` does not show."""
    return tuple(unquote(part) for part in _split_address(url)[1].split("/") if _is_key(part))


def _split_address(url: str) -> tuple[str, str, str]:
    """Scheme and host, path, query; put together they are the address again."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        scheme, rest = "", url
    before, question, query = rest.partition("?")
    host, slash, path = before.partition("/") if mark else ("", "", before)
    return f"{scheme}{mark}{host}{slash}", path, f"{question}{query}"


def _is_key(part: str) -> bool:
    return looks_like_key(unquote(part))


def _mask_key(part: str) -> str:
    return f"key-{hashlib.sha256(unquote(part).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def refuse_keys(url: str) -> None:
    """Stops at an address that carries a password or a key where it would be written down."""
    parts = _split_url(url)
    if "@" in parts.netloc or (not parts.netloc and "@" in url.partition("?")[0]):
        raise UsageError(f"base_url holds a user name or password; leave it out and {ADVICE}")
    if parts.fragment:
        raise UsageError("base_url ends in #...; leave that out, it is never sent")
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if KEY_PARAMETER.search(name) or looks_like_key(value):
            raise UsageError(f"base_url holds a key in ?{name[:40]}=; leave it out and {ADVICE}")


ADVICE = "name the environment variable that has the key: key_env=VAR"


def _split_url(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise UsageError(
            f"base_url is not a web address ({str(error)[:80]}); wanted http(s)://HOST/v1"
        ) from None
    return parts


def join_url(base_url: str, path: str) -> str:
    """The address of a path below a base URL, whose query stays at the end."""
    before, mark, query = base_url.partition("?")
    return f"{before.rstrip('/')}/{path}{mark}{query}"
