"""What is known about a category as a whole: a record in the `__init__` of its folder, found by the folder's name.

CATEGORY = Category(kinds=("places",), takes=("places", "dates"), fields={"": {"trip": 4}})
"""

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

# In `Category.fields`: all subcategories.
ALL = ""
# What a tool returns: it computes it, looks it up in a package, or it is drawn from the seed of the world.
Content = Literal["computed", "reference", "simulated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """What the tools of a category have in common.

    content          what its tools return, but for those named below
    computed         tools that compute what they return: a subcategory, or one with names ("Stock/add_date get_today_date")
    reference        tools that look it up, written alike: right as the package that it comes from
    simulated        tools whose values are drawn from the seed, written alike
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

    content: Content = "simulated"
    computed: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    simulated: tuple[str, ...] = ()
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

    def content_of(self, subcategory: str, name: str) -> Content:
        """What a tool returns, as the nearest entry says: its own, its subcategory's, the category's."""
        listed: Mapping[Content, tuple[str, ...]] = {
            "computed": self.computed,
            "reference": self.reference,
            "simulated": self.simulated,
        }
        whole: Content = self.content
        for content, parts in listed.items():
            for part in parts:
                group, _, names = part.partition("/")
                if group == subcategory and name in names.split():
                    return content
                if part == subcategory:
                    whole = content
        return whole


@functools.cache
def category(name: str) -> Category:
    """The record of a category; a plain one where its folder has none."""
    folder = importlib.import_module(f"toolyard.world.tools.{name.lower()}")
    found = getattr(folder, "CATEGORY", None)
    return found if isinstance(found, Category) else Category()


def are_related_categories(one: str, other: str) -> bool:
    """Whether two categories are of one kind."""
    return one == other or not set(category(one).kinds).isdisjoint(category(other).kinds)
