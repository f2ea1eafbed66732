"""URL/URL, beyond the documents: short addresses can be read again and taken back."""

from typing import TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Url
from toolyard.world.tools.url.url import GROUP, PREFIX, SHORT


class Pair(TypedDict):
    short_url: Url
    long_url: Url


class Removed(TypedDict):
    short_url: Url
    removed: bool


@GROUP.tool(extra=True)
def list_short_urls(world: World) -> list[Pair]:
    """The short addresses that were made, each with the long one that it stands for."""
    return [{"short_url": short, "long_url": long} for short, long in world.store(SHORT).items()]


@GROUP.tool(extra=True, examples=[{"short_url": "https://sho.rt/abc1234"}])
def expand_url(world: World, *, short_url: Url) -> Pair:
    """The long address that a short one stands for.

    short_url: Short address, or its code alone.
    """
    key = _find_key(world, short_url)
    return {"short_url": key, "long_url": world.store(SHORT)[key]}


@GROUP.tool(extra=True, examples=[{"short_url": "https://sho.rt/abc1234"}])
def remove_short_url(world: World, *, short_url: Url) -> Removed:
    """Takes a short address back; it stands for nothing afterwards.

    short_url: Short address, or its code alone.
    """
    key = _find_key(world, short_url)
    del world.store(SHORT)[key]
    return {"short_url": key, "removed": True}


def _find_key(world: World, text: str) -> str:
    found, view = text.strip(), world.store(SHORT)
    for key in (found, PREFIX + found):
        if key in view:
            return key
    raise not_found("short address", text[:80], known=list(view), listed_by=f"{GROUP}/list_short_urls")
