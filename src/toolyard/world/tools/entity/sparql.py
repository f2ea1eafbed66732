"""Entity/Wiki_data search_by_code: the part of SPARQL that asks for matching triples.

SELECT ?city ?cityLabel WHERE { wd:Q142 wdt:P36 ?city . } LIMIT 5
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.tables import plain
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import entry_by_id, films_with
from toolyard.world.reference.encyclopaedia.entries import entries_named
from toolyard.world.reference.encyclopaedia.entry import relations
from toolyard.world.tools.entity.entities import GROUP
from toolyard.world.tools.entity.entity_graph import (
    Triple,
    all_triples,
    by_id,
    id_label,
    job_id,
    labels_by_id,
    target_id,
    titles_by_id,
    triples_about,
    triples_by_relation,
    value_id,
)
from toolyard.world.tools.entity.sparql_filters import Test, order_rows, parse_condition, split_filters

_TOKEN = re.compile(
    r'"[^"]{0,300}"(?:@\w+)?|[?$]\w+|(?:wd|wdt|p|ps|rdfs|schema|bd|wikibase):\w+|[.;{}]|[^\s.;{}]+'
)
_SERVICE = re.compile(r"\bSERVICE\s+\S+\s*\{[^}]*\}", re.IGNORECASE)
# Cities with all their kinds: the graph says of each thing only what it is most closely.
_PATH = re.compile(r"(wdt:P31)\s*/\s*\(?wdt:P279\)?[*+]")
_NOT_TAKEN = re.compile(
    r"\b(?:UNION|MINUS|VALUES|BIND)\b|\bHAVING\b|wdt:P\d+\s*[/|*+^]|[/^]\s*wdt:P\d+", re.IGNORECASE
)
_MOST_PATTERNS, _MOST_ROWS = 8, 20_000
_SHOWN, _MOST_SHOWN = 50, 500
Binding = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple whose parts are variables (?x), ids or texts."""

    head: str
    relation: str
    tail: str
    optional: bool = False


def _triple_patterns(body: str) -> Iterator[Pattern]:
    """The triple patterns of a WHERE block, those in OPTIONAL marked so; the label SERVICE is passed over."""
    parts: list[str] = []
    optional = False
    for part in _TOKEN.findall(_SERVICE.sub(" . ", body)):
        if part in ".;{}" or part.upper() == "OPTIONAL":
            yield from _parse_pattern(parts, optional)
            parts = parts[:1] if part == ";" else []
            optional = part != "}" and (optional or part.upper() == "OPTIONAL")
        else:
            parts.append(part)
    yield from _parse_pattern(parts, optional)


def _parse_pattern(parts: list[str], optional: bool) -> Iterator[Pattern]:
    if len(parts) >= 3:
        head, relation, tail = (_plain_token(part) for part in parts[:3])
        yield Pattern(head, relation, tail, optional)


def _plain_token(token: str) -> str:
    if token.startswith('"'):
        return token[1:].split('"')[0]
    return token.replace("$", "?").split(":", 1)[-1] if ":" in token else token.replace("$", "?")


def _match_pattern(pattern: Pattern, bound: Binding) -> Iterator[dict[str, str]]:
    wanted = [bound.get(part, part) for part in (pattern.head, pattern.relation, pattern.tail)]
    for triple in (*_candidate_triples(wanted), *_film_triples(wanted)):
        found = dict(bound)
        for part, value in zip(wanted, triple, strict=True):
            if part.startswith("?"):
                if found.setdefault(part, value) != value:
                    break
            elif part != value:
                break
        else:
            yield found


def _candidate_triples(wanted: list[str]) -> Iterable[Triple]:
    """The statements that a pattern may mean: those of its head or with its tail where one is known."""
    head, relation, tail = wanted
    if relation == "label" and not tail.startswith("?"):
        return _triples_with_label(tail)
    if relation.startswith("?") or relation == "label":
        return _with_relation(relation)
    if not head.startswith("?"):
        return triples_about(head, relation) or _derived_triples(head, relation)
    return _with_relation(relation) if tail.startswith("?") else _triples_by_tail(relation).get(tail, ())


@functools.lru_cache(maxsize=256)
def _triples_with_label(label: str) -> tuple[Triple, ...]:
    """The entities with a label, which are told without the labels of all others."""
    keys = [
        value_id(label),
        job_id(label),
        *(entry["qid"] for entry in entries_named(label) if entry["title"] == label),
    ]
    known = titles_by_id()
    fitting = (key for key in dict.fromkeys(keys) if plain(known.get(key, label)) == plain(label))
    return tuple(Triple(key, "label", label) for key in fitting)


@functools.lru_cache(maxsize=64)
def _triples_by_tail(relation: str) -> Mapping[str, list[Triple]]:
    """The statements with a relation by their tail."""
    return group_items(triples_by_relation(relation), lambda row: row.tail)


def _derived_triples(head: str, relation: str) -> list[Triple]:
    """The statements about what is made when it is asked for, such as most films."""
    entry = entry_by_id(head) if head not in by_id() else None
    values = entry["properties"].get(relation, ()) if entry else ()
    return [Triple(head, relation, target_id(entry, relation, value)) for value in values if entry and value]


def _film_triples(wanted: list[str]) -> list[Triple]:
    """The films that a person made or played in; they are many and made into triples for this person only."""
    head, relation, tail = wanted
    if relation not in ("P57", "P161") or not head.startswith("?") or tail.startswith("?"):
        return []
    films = films_with(id_label(tail), relation)
    known = {id_label(triple.head) for triple in triples_by_relation(relation) if triple.tail == tail}
    return [Triple(film["qid"], relation, tail) for film in films if film["title"] not in known]


def _films_first(patterns: list[Pattern]) -> list[Pattern]:
    """Patterns in the order in which they are solved: who made or plays in a film goes before what films are."""
    told = {one.head for one in patterns if one.relation == "label" and not one.tail.startswith("?")}

    def place(one: Pattern) -> int:
        if one.relation == "label" and one.head in told and not one.tail.startswith("?"):
            return 0
        return 1 if not one.tail.startswith("?") or one.tail in told else 2

    made = [
        one for one in patterns if one.relation in ("P57", "P161") and place(one) == 1 and not one.optional
    ]
    first = [one for one in patterns if place(one) == 0 and any(one.head == film.tail for film in made)]
    return list(dict.fromkeys((*first, *made, *patterns)))


def _with_relation(relation: str) -> tuple[Triple, ...]:
    if relation.startswith("?"):
        return all_triples()
    return _label_triples() if relation == "label" else triples_by_relation(relation)


@functools.cache
def _label_triples() -> tuple[Triple, ...]:
    return tuple(Triple(key, "label", name) for key, name in labels_by_id().items())


def _order_patterns(patterns: list[Pattern]) -> list[Pattern]:
    """Patterns such that each next one has as few unknown parts as possible, optional ones last."""
    left, known, found = list(patterns), set[str](), list[Pattern]()
    while left:
        best = min(
            left,
            key=lambda p: (
                p.optional,
                sum(part[:1] == "?" and part not in known for part in (p.head, p.tail)),
            ),
        )
        left.remove(best)
        known.update((best.head, best.relation, best.tail))
        found.append(best)
    return found


def _solve_patterns(patterns: list[Pattern], tests: list[Test]) -> list[Binding]:
    rows: list[Binding] = [{}]
    for pattern in _order_patterns(patterns):
        following: list[Binding] = []
        for bound in rows:
            matched: list[Binding] = list(_match_pattern(pattern, bound))
            following += matched or ([bound] if pattern.optional else [])
            if len(following) >= _MOST_ROWS:
                break
        rows = following[:_MOST_ROWS]
    return [row for row in rows if all(test(row) for test in tests)]


_COUNT = re.compile(r"\(\s*COUNT\s*\(\s*(?:DISTINCT\s+)?[?$](\w+)\s*\)\s+AS\s+[?$](\w+)\s*\)", re.IGNORECASE)


@GROUP.tool(
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
    """Rows that answer a SPARQL query over Wikidata: one object per solution, ?xLabel naming ?x.

    query: SELECT over triple patterns such as wd:Q76 wdt:P19 ?place, with FILTER, OPTIONAL, COUNT, ORDER BY and LIMIT (50 if
        left out, 500 at most).
    """
    before, _, rest = query[:4000].partition("{")
    body, _, after = rest.rpartition("}")
    body, conditions = split_filters(_PATH.sub(r"\1", body))
    patterns = _films_first(list(_triple_patterns(body)))
    if "select" not in before.lower() or not patterns or len(patterns) > _MOST_PATTERNS:
        raise invalid(
            "query",
            query[:120],
            "want SELECT ?x WHERE { wd:Q76 wdt:P19 ?x . } with at most 8 triple patterns",
        )
    _check_query(query, body, before, patterns)
    solved = _solve_patterns(patterns, [parse_condition(condition) for condition in conditions])
    counted = _COUNT.search(before)
    names = re.findall(r"[?$](\w+)", _COUNT.sub(" ", before)) or ([] if counted else _variables(patterns))
    rows = _count_values(solved, counted, names) if counted else solved
    in_order = order_rows([dict(row) for row in rows], after, lambda row, name: _value(name, row))
    shown = list(
        dict.fromkeys(
            tuple((name, _value(name, row)) for name in _column_names(names, counted)) for row in in_order
        )
    )
    limit = re.search(r"LIMIT\s+(\d{1,6})", after, re.IGNORECASE)
    skipped = re.search(r"OFFSET\s+(\d{1,6})", after, re.IGNORECASE)
    first, most = int(skipped[1]) if skipped else 0, min(_MOST_SHOWN, int(limit[1]) if limit else _SHOWN)
    return [dict(row) for row in shown[first : first + most]]


def _check_query(query: str, body: str, before: str, patterns: list[Pattern]) -> None:
    """Faults for what queries may have and this part of SPARQL has not."""
    taken = _NOT_TAKEN.search(body)
    if taken:
        raise invalid(
            "query", taken[0][:40], "not understood here: UNION, MINUS, VALUES, BIND and paths of relations"
        )
    relation = [one.relation for one in patterns if re.fullmatch(r"P\d+", one.relation)]
    unknown = [one for one in relation if one not in relations()]
    if unknown:
        raise not_found("relation", unknown[0][:20], known=list(relations()))
    if re.search(r"\b(?:SUM|AVG|MIN|MAX|GROUP_CONCAT|SAMPLE)\s*\(", before, re.IGNORECASE):
        raise invalid("query", query[:120], "of the aggregates only (COUNT(?x) AS ?n) is understood")


def _column_names(names: list[str], counted: re.Match[str] | None) -> list[str]:
    return [*names, counted[2]] if counted else names


def _count_values(rows: list[Binding], counted: re.Match[str], names: list[str]) -> list[Binding]:
    """How many values a variable has, for each of the other variables that are shown."""
    groups: dict[tuple[str, ...], dict[str, set[str]]] = {}
    shown = [name for name in names if any(f"?{name}" in row for row in rows)]
    for row in rows:
        group = groups.setdefault(tuple(row.get(f"?{name}", "") for name in shown), {"found": set()})
        group["found"].add(row.get(f"?{counted[1]}", ""))
    if not groups and not shown:
        groups[()] = {"found": set()}
    return [
        {
            **{f"?{name}": value for name, value in zip(shown, key, strict=True)},
            f"?{counted[2]}": str(len(one["found"])),
        }
        for key, one in groups.items()
    ]


def _variables(patterns: list[Pattern]) -> list[str]:
    parts = (part for pattern in patterns for part in (pattern.head, pattern.relation, pattern.tail))
    return list(dict.fromkeys(part[1:] for part in parts if part.startswith("?")))


def _value(name: str, bound: Binding) -> str:
    if f"?{name}" in bound:
        return bound[f"?{name}"]
    value = bound.get(f"?{name.removesuffix('Label')}", "")
    return id_label(value)
