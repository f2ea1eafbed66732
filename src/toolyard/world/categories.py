"""What is known about a category as a whole: a record in the `__init__` of its folder, found by the folder's name.

CATEGORY = Category(kinds=("places",), takes=("places", "dates"), fields={"": {"trip": 4}})
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field

# In `Category.fields`: all subcategories.
ALL = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """What the tools of a category have in common.

    kinds            the kinds of things it is about; categories of one kind are related
    takes            what of anybody's may interest it: "places", "dates"
    fed              whether people give it what they found elsewhere
    invented         whether what it shows is random or made up
    public_people    whether the persons that it names can be looked up elsewhere
    on_the_web       whether a web search could tell what it tells; not where it acts, computes or judges
    general          whether its tools could be bent to almost any job
    chat             whether people would ask for it in a dialogue
    about            subcategories that are about the things of another category
    fields           subcategory -> fields of work it belongs to, each with its place there
    """

    kinds: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    fed: bool = True
    invented: bool = False
    public_people: bool = False
    on_the_web: bool = True
    general: bool = False
    chat: bool = True
    about: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@functools.cache
def category(name: str) -> Category:
    """The record of a category; a plain one where its folder has none."""
    folder = importlib.import_module(f"toolyard.world.worlds.{name.lower()}")
    found = getattr(folder, "CATEGORY", None)
    return found if isinstance(found, Category) else Category()


def related(one: str, other: str) -> bool:
    """Whether two categories are of one kind."""
    return one == other or not set(category(one).kinds).isdisjoint(category(other).kinds)
