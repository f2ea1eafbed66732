"""Entity/Wiki_data search_by_code: the part of SPARQL that asks for matching triples.

SELECT ?city ?cityLabel WHERE { wd:Q142 wdt:P36 ?city . } LIMIT 5
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.wide import films_with
from toolyard.world.worlds.entity.entities import GROUP, Triple, label_of, labels, triples, triples_of
from toolyard.world.worlds.entity.relations import relations

_TOKEN = re.compile(
    r'"[^"]{0,300}"(?:@\w+)?|[?$]\w+|(?:wd|wdt|p|ps|rdfs|schema|bd|wikibase):\w+|[.;{}]|[^\s.;{}]+'
)
_MOST_PATTERNS, _MOST_ROWS = 8, 2000
Binding = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple whose parts are variables (?x), ids or texts."""

    head: str
    relation: str
    tail: str


def _patterns(body: str) -> Iterator[Pattern]:
    """The triple patterns of a WHERE block; SERVICE, FILTER and OPTIONAL keywords are passed over."""
    parts: list[str] = []
    skipping = False
    for part in _TOKEN.findall(body):
        if part.upper() in ("SERVICE", "FILTER"):
            skipping = True
        elif part == "}":
            skipping = False
        elif skipping or part == "{" or part.upper() == "OPTIONAL":
            continue
        elif part in ".;":
            yield from _pattern(parts)
            parts = parts[:1] if part == ";" else []
        else:
            parts.append(part)
    yield from _pattern(parts)


def _pattern(parts: list[str]) -> Iterator[Pattern]:
    if len(parts) >= 3:
        yield Pattern(*(_plain(part) for part in parts[:3]))


def _plain(token: str) -> str:
    if token.startswith('"'):
        return token[1:].split('"')[0]
    return token.replace("$", "?").split(":", 1)[-1] if ":" in token else token.replace("$", "?")


def _matches(pattern: Pattern, bound: Binding) -> Iterator[dict[str, str]]:
    wanted = [bound.get(part, part) for part in (pattern.head, pattern.relation, pattern.tail)]
    for triple in (*_with_relation(wanted[1]), *_of_films(wanted)):
        found = dict(bound)
        for part, value in zip(wanted, triple, strict=True):
            if part.startswith("?"):
                if found.setdefault(part, value) != value:
                    break
            elif part != value:
                break
        else:
            yield found


def _of_films(wanted: list[str]) -> list[Triple]:
    """The films that a person made or played in; they are many and made into triples for this person only."""
    head, relation, tail = wanted
    if relation not in ("P57", "P161") or not head.startswith("?") or tail.startswith("?"):
        return []
    films = films_with(label_of(tail), relation)
    known = {label_of(triple.head) for triple in triples_of(relation) if triple.tail == tail}
    return [Triple(film["qid"], relation, tail) for film in films if film["title"] not in known]


def _with_relation(relation: str) -> tuple[Triple, ...]:
    if relation.startswith("?"):
        return triples()
    return _named() if relation == "label" else triples_of(relation)


@functools.cache
def _named() -> tuple[Triple, ...]:
    return tuple(Triple(key, "label", name) for key, name in labels().items())


def _ordered(patterns: list[Pattern]) -> list[Pattern]:
    """Patterns such that each next one has as few unknown parts as possible."""
    left, known, found = list(patterns), set[str](), list[Pattern]()
    while left:
        best = min(
            left, key=lambda p: sum(part.startswith("?") and part not in known for part in (p.head, p.tail))
        )
        left.remove(best)
        known.update((best.head, best.relation, best.tail))
        found.append(best)
    return found


def _solve(patterns: list[Pattern]) -> list[Binding]:
    rows: list[Binding] = [{}]
    patterns = _ordered(patterns)
    for pattern in patterns:
        following: list[Binding] = []
        for bound in rows:
            for found in _matches(pattern, bound):
                following.append(found)
                if len(following) >= _MOST_ROWS:
                    break
        rows = following[:_MOST_ROWS]
        # Each row costs a pass over the graph, so a join goes on with the first ones only.
        rows = rows[:200] if pattern is not patterns[-1] else rows
    return rows


_COUNT = re.compile(r"\(\s*COUNT\s*\(\s*(?:DISTINCT\s+)?[?$](\w+)\s*\)\s+AS\s+[?$](\w+)\s*\)", re.IGNORECASE)


@tool(
    GROUP,
    examples=[
        {"query": "SELECT ?city ?cityLabel WHERE { wd:Q142 wdt:P36 ?city . } LIMIT 5"},
        {"query": 'SELECT ?who ?whoLabel WHERE { ?who wdt:P106 ?job . ?job rdfs:label "physicist"@en . }'},
    ],
    phrase="run on Wikidata the SPARQL query that reads {query}",
    noun="the SPARQL result",
    stands_in_for=("Entity",),
    listed_as="WikidataSparql",
)
def search_by_code(*, query: str) -> list[dict[str, str]]:
    """Rows that answer a SPARQL query: one object per solution, ?xLabel giving the name of ?x.

    query: SELECT over triple patterns such as wd:Q76 wdt:P19 ?place, with LIMIT and COUNT; filters are not applied.
    """
    before, _, rest = query[:4000].partition("{")
    body, _, after = rest.rpartition("}")
    patterns = list(_patterns(body))
    if "select" not in before.lower() or not patterns or len(patterns) > _MOST_PATTERNS:
        raise invalid(
            "query",
            query[:120],
            "want SELECT ?x WHERE { wd:Q76 wdt:P19 ?x . } with at most 8 triple patterns",
        )
    unknown = [
        one.relation
        for one in patterns
        if re.fullmatch(r"P\d+", one.relation) and one.relation not in relations()
    ]
    if unknown:
        raise not_found("relation", unknown[0][:20], known=list(relations()))
    counted = _COUNT.search(before)
    if counted:
        found = {bound.get(f"?{counted[1]}", "") for bound in _solve(patterns)}
        return [{counted[2]: str(len(found))}]
    if re.search(r"\b(?:SUM|AVG|MIN|MAX|GROUP_CONCAT|SAMPLE)\s*\(", before, re.IGNORECASE):
        raise invalid("query", query[:120], "of the aggregates only (COUNT(?x) AS ?n) is understood")
    limit = re.search(r"LIMIT\s+(\d{1,6})", after, re.IGNORECASE)
    names = re.findall(r"[?$](\w+)", before) or _variables(patterns)
    rows: list[dict[str, str]] = []
    for bound in _solve(patterns):
        row = {name: _value(name, bound) for name in names}
        if row not in rows:
            rows.append(row)
        if len(rows) >= min(50, int(limit[1]) if limit else 50):
            break
    return rows


def _variables(patterns: list[Pattern]) -> list[str]:
    parts = (part for pattern in patterns for part in (pattern.head, pattern.relation, pattern.tail))
    return list(dict.fromkeys(part[1:] for part in parts if part.startswith("?")))


def _value(name: str, bound: Binding) -> str:
    if f"?{name}" in bound:
        return bound[f"?{name}"]
    value = bound.get(f"?{name.removesuffix('Label')}", "")
    return label_of(value)
