"""Vega-Lite specifications put together from Python, as far as our charts need it.

    dots = View(rows).mark("point", filled=True).encode(x=field("value:Q", scale={"domain": [0, 100]}))
    layer(rules, dots).properties(width=390, height=step(23))

A specification is plain JSON, so a view is an object with its keys and a way to add some; what a key means says
https://vega.github.io/vega-lite/docs/. Tests check every chart against the published schema.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Channel: TypeAlias = Mapping[str, object]
Rows: TypeAlias = Sequence[Mapping[str, object]]

TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}
# Channels that say where a mark ends share the type of the channel that says where it begins.
ENDS = ("x2", "y2")
DATA, ENCODING = "data", "encoding"


def field(shorthand: str, **settings: object) -> Channel:
    """A channel that shows a field: "value:Q" for numbers, ":N" for names, ":O" for names in order."""
    name, _, kind = shorthand.rpartition(":")
    return {"field": name, "type": TYPES[kind], **settings}


def constant(value: object, **settings: object) -> Channel:
    """A channel at one place of its scale."""
    return {"datum": value, **settings}


def step(size: float) -> Mapping[str, float]:
    """A width or height of so many pixels for each name."""
    return {"step": size}


@dataclass(frozen=True, slots=True)
class View:
    """One specification; every method gives another one with more keys."""

    spec: Mapping[str, object]

    def mark(self, kind: str, **settings: object) -> "View":
        """The view drawn with that mark."""
        return self.properties(mark={"type": kind, **settings})

    def encode(self, **channels: Channel) -> "View":
        """The view with more channels."""
        known = self.spec.get(ENCODING)
        added = {name: _drop_type(channel) if name in ENDS else channel for name, channel in channels.items()}
        return self.properties(encoding={**(known if isinstance(known, Mapping) else {}), **added})

    def properties(self, **keys: object) -> "View":
        """The view with these keys."""
        return View({**self.spec, **keys})


def view(rows: Rows) -> View:
    """A view of rows that nothing draws yet."""
    return View({DATA: {"values": list(rows)}})


def layer(*views: View) -> View:
    """The views over one another."""
    return _combine_views("layer", views)


def views_side_by_side(*views: View, spacing: float) -> View:
    """The views in one row."""
    return _combine_views("hconcat", views).properties(spacing=spacing)


def grid(*views: View, columns: int, spacing: Mapping[str, float]) -> View:
    """The views in rows of so many columns."""
    return _combine_views("concat", views).properties(columns=columns, spacing=spacing)


def facet_view(each: View, by: Channel, columns: int) -> View:
    """One panel for each value of a field."""
    inner = {key: value for key, value in each.spec.items() if key != DATA}
    return View({DATA: each.spec[DATA], "facet": by, "spec": inner, "columns": columns})


def _drop_type(channel: Channel) -> Channel:
    return {key: value for key, value in channel.items() if key != "type"}


def _combine_views(how: str, views: Sequence[View]) -> View:
    """The views under one key; rows that all of them show are written once."""
    first = views[0].spec.get(DATA)
    if first is None or any(each.spec.get(DATA) is not first for each in views):
        return View({how: [each.spec for each in views]})
    bare = [{key: value for key, value in each.spec.items() if key != DATA} for each in views]
    return View({DATA: first, how: bare})
