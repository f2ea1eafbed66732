"""One library of papers: titles, authors and ids are the same in every world; figures, citations and seats are drawn.

    papers(seed)                 every listed paper, oldest first
    found_papers(seed, "sleep and memory")
    find_paper(seed, "1706.03762")

Listed are the papers of the tables and three on each subject that the encyclopaedia explains. On each further noun of
the dictionary that is researched there are three as well; their ids say which noun they are about.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_record, read_table, share_keys, table_texts, values_of
from toolyard.world.kernel.types import PageUrl, PastDate, PersonName, Semantic, Year
from toolyard.world.reference import wordnet
from toolyard.world.reference.people import name_of

AuthorId = Annotated[str, Semantic("author_id")]
PaperId = Annotated[str, Semantic("paper_id")]
ArxivId = Annotated[str, Semantic("arxiv_id")]
Doi = Annotated[str, Semantic("doi")]
PubmedId = Annotated[str, Semantic("pubmed_id")]
Title = Annotated[str, Semantic("paper_title", is_a=("topic",))]

_FIRST_AUTHOR, _AUTHORS_PER_AREA, _WRITING, _FIRST_KNOWN_AUTHOR = 1700000, 12, 6, 1900000
_FIRST_SUBJECT, _TURNS = 100_000, 3
_FLOOR, _LONG_FLOOR = 0.55, 0.3  # the part of a query that a paper must share
_LAST = date(2024, 4, 30)
_MEDICAL = ("Medicine", "Biology", "Psychology")
# Field of an entry -> field of study.
_FIELDS = table_texts("scholarship.fields")
_STUDIED = frozenset(
    "concept technology health disease organism animal exercise food drink sport celestial medicine".split()
)
# Fields of the dictionary's nouns that are researched, and words above a noun that make it one of medicine.
_NOUNS: Mapping[int, str] = dict(values_of("scholarship.nouns").values())
_HEALTH = frozenset("medicine drug disease illness disorder symptom ill medication therapy".split())
_FORMS = {
    True: (("A systematic review of {}", "Review"), ("A meta-analysis of {}", "MetaAnalysis"),
           ("A randomised controlled trial of {}", "ClinicalTrial")),
    False: (("A review of {}", "Review"), ("Open questions on {}", "JournalArticle"), ("Data on {}", "Dataset")),
}  # fmt: skip
_ABSTRACTS: Mapping[str, str] = dict(values_of("scholarship.abstracts").values())
_IdField = Literal["title", "url", "pubmed_id", "doi", "arxiv_id", "paper_id"]


class AuthorName(TypedDict):
    author_id: AuthorId
    name: PersonName


class Paper(TypedDict):
    """A paper; `references` and `citations` are ids of other papers of the table."""

    paper_id: PaperId
    title: Title
    abstract: str
    about: str  # words that it is looked for by, beside those of its title
    authors: list[AuthorName]
    names: str
    year: Year
    date: PastDate
    venue: str
    field: str
    category: str
    kind: str
    arxiv_id: ArxivId | None
    doi: Doi
    pubmed_id: PubmedId | None
    url: PageUrl
    pdf: str | None
    references: list[PaperId]
    citations: list[PaperId]
    citation_count: int


class Author(TypedDict):
    author_id: AuthorId
    name: PersonName
    affiliation: str
    papers: list[PaperId]
    citation_count: int
    h_index: int


class Area(TypedDict):
    number: int
    name: str
    field: str
    category: str
    venues: list[str]
    subjects: list[str]
    methods: list[str]


@functools.cache
def areas() -> tuple[Area, ...]:
    """What research is about."""
    return tuple(
        read_record(Area, row, number=number) for number, row in enumerate(read_table("research.tsv"))
    )


def _draw_author(number: int) -> AuthorName:
    return share_keys(AuthorName(author_id=str(_FIRST_AUTHOR + number), name=name_of(0, "scientist", number)))


def _known_writers(names: str) -> list[AuthorName]:
    return [
        {"author_id": str(_FIRST_KNOWN_AUTHOR + seeds.number("author", name) % 90000), "name": name}
        for name in names.split(";")
    ]


def _make_paper(
    title: str, authors: list[AuthorName], day: date, venue: str, field: str, number: int, *,
    category: str = "none", kind: str = "JournalArticle", about: str = "", abstract: str = "",
) -> Paper:  # fmt: skip
    """A paper with the ids that follow from its number; a category of none means that there is no preprint."""
    key = seeds.token(40, "paper", number)
    arxiv = _arxiv_number(day, number) if category != "none" else None
    return Paper(
        paper_id=key, title=title, abstract=abstract, about=about, authors=authors,
        names=" ".join(author["name"] for author in authors), year=day.year, date=day.isoformat(), venue=venue,
        field=field, category=category, kind=kind, arxiv_id=arxiv, doi=f"10.5555/{day.year}.{number:05d}",
        pubmed_id=str(33_000_000 + number) if field in _MEDICAL else None, url=f"https://papers.example/{key[:12]}",
        pdf=f"https://papers.example/pdf/{arxiv or key[:12]}.pdf" if arxiv or number % 2 else None,
        references=[], citations=[], citation_count=0,
    )  # fmt: skip


def _arxiv_number(day: date, number: int) -> str:
    """An id of the day's month that no other paper has: the numbers of the archive end below these."""
    return f"{day:%y%m}.{30_000 + number % 70_000:05d}"


def _papers_of_areas() -> Iterator[Paper]:
    named = {area["name"]: area for area in areas()}
    for row in read_table("research_titles.tsv"):
        area, turn = named[row["area"]], int(row["turn"])
        chance = seeds.stream(0, "paper", area["number"], turn)
        subject = area["subjects"][turn % len(area["subjects"])]
        method = area["methods"][(turn // len(area["subjects"])) % len(area["methods"])]
        writers = sorted(chance.sample(range(_WRITING), chance.randrange(1, 5)))
        yield _make_paper(
            row["title"], [_draw_author(area["number"] * _AUTHORS_PER_AREA + one) for one in writers],
            date.fromisoformat(row["day"]), chance.choice(area["venues"]), area["field"], area["number"] * 100 + turn,
            category=area["category"], kind=_kind_by_title(row["title"]), about=f"{subject} {method} {area['name']}",
        )  # fmt: skip


def _kind_by_title(title: str) -> str:
    if "meta-analysis" in title.lower():
        return "MetaAnalysis"
    if title.endswith((": a survey", "review")):
        return "Review"
    return "ClinicalTrial" if title.endswith("controlled trial") else "JournalArticle"


def _well_known_papers() -> Iterator[Paper]:
    """The papers that everybody in a field knows, under their own ids."""
    about = {row["title"]: row["words"] for row in read_table("paper_subjects.tsv")}
    printed = {row["title"]: row for row in read_table("paper_dois.tsv")}
    preprints = {row["arxiv"]: row for row in read_table("preprint_days.tsv")}
    for table, first in (("papers.tsv", 9000), ("known_papers.tsv", 0), ("landmark_trials.tsv", 0)):
        for place, row in enumerate(read_table(table)):
            title, arxiv = row["title"], row.get("arxiv") or ""
            number = first + place if first else 10_000 + seeds.number("further paper", title) % 79_997
            told: Mapping[str, str] = row if "pmid" in row else printed.get(title, {})
            day = preprints[arxiv]["day"] if arxiv else told.get("day") or f"{row['year']}-01-15"
            field = row.get("field") or ("Biology" if row["venue"] in ("Science", "Nature") else "Medicine")
            paper = _make_paper(
                title, _known_writers(row["authors"]), date.fromisoformat(day), row["venue"], field, number,
                kind=row.get("kind") or _kind_by_title(title), about=about.get(title, ""), abstract=row.get("summary", ""),
            )  # fmt: skip
            doi = f"10.48550/arXiv.{arxiv}" if arxiv else told.get("doi") or paper["doi"]
            pdf = f"https://papers.example/pdf/{arxiv.replace('/', '-')}.pdf" if arxiv else None
            yield {
                **paper, "arxiv_id": arxiv or None, "doi": doi, "pdf": pdf,
                "category": preprints[arxiv]["category"] if arxiv else "none", "pubmed_id": told.get("pmid") or None,
            }  # fmt: skip


def _papers_on_subject(
    subject: str, field: str, number: int, writers: Callable[[int], AuthorName]
) -> list[Paper]:
    """The papers on one subject."""
    area = seeds.pick([one for one in areas() if one["field"] == field] or areas(), "area", subject)
    found = []
    for turn, (form, kind) in enumerate(_FORMS[field == "Medicine"]):
        day = _LAST - timedelta(days=seeds.number("written", subject, turn) % 3300)
        authors = [writers(one) for one in range(1 + seeds.number("writers", subject, turn) % 3)]
        title = form.format(subject if subject[1:2].isupper() else subject[0].lower() + subject[1:])
        category = area["category"] if field != "Medicine" else "none"
        found.append(
            _make_paper(title, authors, day, seeds.pick(area["venues"], subject, turn), field, number + turn,
                   category=category, kind=kind, about=area["name"])
        )  # fmt: skip
    return found


@functools.cache
def all_topics() -> tuple[tuple[str, str], ...]:
    """Subjects that the encyclopaedia explains and that are researched, each with its field of study."""
    tables = (("encyclopedia.tsv", "title"), ("well_known.tsv", "title"), ("topics.tsv", "name"))
    rows = ((row[name], row["kind"], row["field"]) for table, name in tables for row in read_table(table))
    found = {
        name: _FIELDS.get(field, "") for name, kind, field in rows if kind in _STUDIED and field in _FIELDS
    }
    return tuple(found.items())


def _papers_on_subjects() -> Iterator[Paper]:
    for place, (subject, field) in enumerate(all_topics()):
        yield from _papers_on_subject(
            subject, field, _FIRST_SUBJECT + _TURNS * place, functools.partial(_subject_writer, place)
        )


def _subject_writer(place: int, one: int) -> AuthorName:
    """One of the authors who write on four subjects next to each other."""
    return _draw_author(10_000 + _TURNS * (place // 4) + one)


@functools.cache
def _paper_list() -> tuple[Paper, ...]:
    """The listed papers as they are in every world, oldest first."""
    rows = {
        plain(paper["title"]): paper
        for paper in (*_papers_on_subjects(), *_papers_of_areas(), *_well_known_papers())
    }
    return tuple(map(share_keys, sorted(rows.values(), key=lambda paper: (paper["date"], paper["paper_id"]))))


def _draw_abstract(seed: int, paper: Paper) -> Paper:
    """A paper with the figures of its abstract."""
    chance = seeds.stream(seed, "abstract", paper["paper_id"])
    figures = {
        "n": chance.randrange(120, 9000),
        "m": chance.randrange(3, 60),
        "p": round(chance.uniform(1, 45), 1),
    }
    text = _ABSTRACTS.get(paper["field"], _ABSTRACTS[""]).format(**figures)
    return {**paper, "abstract": f"{paper['abstract']} {text}".strip()}


@seeds.table
def papers(seed: int) -> tuple[Paper, ...]:
    """All listed papers, oldest first; each cites earlier ones of its field."""
    cited_by: dict[str, list[str]] = {paper["paper_id"]: [] for paper in _paper_list()}
    cites: dict[str, list[str]] = {}
    earlier: dict[str, list[str]] = {}
    for paper in _paper_list():
        near = earlier.setdefault(paper["field"], [])
        chance = seeds.stream(seed, "cites", paper["paper_id"])
        drawn = (
            [near[int(len(near) * chance.random() ** 2)] for _ in range(chance.randrange(4, 16))]
            if near
            else []
        )
        cites[paper["paper_id"]] = list(dict.fromkeys(drawn))
        for other in cites[paper["paper_id"]]:
            cited_by[other].append(paper["paper_id"])
        near.insert(chance.randrange(len(near) + 1), paper["paper_id"])
    drawn_papers: Iterator[Paper] = (
        {
            **_draw_abstract(seed, paper),
            "references": cites[paper["paper_id"]],
            "citations": cited_by[paper["paper_id"]],
            "citation_count": len(cited_by[paper["paper_id"]]),
        }
        for paper in _paper_list()
    )
    return tuple(map(share_keys, drawn_papers))


@seeds.table
def papers_by_id(seed: int) -> Mapping[str, Paper]:
    """The listed papers by id."""
    return {paper["paper_id"]: paper for paper in papers(seed)}


def h_index(counts: list[int]) -> int:
    """The largest h such that h papers have at least h citations each (Hirsch, 2005)."""
    return sum(count >= rank for rank, count in enumerate(sorted(counts, reverse=True), start=1))


@functools.cache
def university_names() -> list[str]:
    """The universities that papers and articles name."""
    return [row["name"] for row in read_table("universities.tsv")]


def _make_author(seed: int, key: str, name: str, work: Sequence[Paper]) -> Author:
    counts = [paper["citation_count"] for paper in work]
    return Author(
        author_id=key, name=name, affiliation=seeds.pick(university_names(), seed, "affiliation", key),
        papers=[paper["paper_id"] for paper in work], citation_count=sum(counts), h_index=h_index(counts),
    )  # fmt: skip


@seeds.table
def listed_authors(seed: int) -> Mapping[str, Author]:
    """The authors of listed papers by id, with the counts that follow from their papers."""
    written: dict[str, list[Paper]] = {}
    names: dict[str, str] = {}
    for paper in papers(seed):
        for author in paper["authors"]:
            written.setdefault(author["author_id"], []).append(paper)
            names[author["author_id"]] = author["name"]
    return {key: _make_author(seed, key, names[key], work) for key, work in sorted(written.items())}


def find_author(seed: int, key: str) -> Author | None:
    """The author with an id; None where there is none."""
    key = key.strip()
    if key in listed_authors(seed) or not (key.isdigit() and len(key) == 10 and key[0] == "2"):
        return listed_authors(seed).get(key)
    own = [
        paper
        for paper in noun_papers(seed, int(key[1:9]))
        if key in (author["author_id"] for author in paper["authors"])
    ]
    name = next((one["name"] for one in own[0]["authors"] if one["author_id"] == key), "") if own else ""
    return _make_author(seed, key, name, own) if own else None


@seeds.table
def _papers_by_key(seed: int) -> Mapping[str, Paper]:
    """The listed papers by each of their ids, in plain letters."""
    names: tuple[_IdField, ...] = ("title", "url", "pubmed_id", "doi", "arxiv_id", "paper_id")
    return {plain(key): paper for name in names for paper in papers(seed) if (key := paper[name])}


def find_paper(seed: int, key: str) -> Paper | None:
    """The paper with an id, a title or an address; None where there is none."""
    wanted = plain(key)
    for prefix in ("arxiv:", "doi:", "pmid:", "url:"):
        wanted = wanted.removeprefix(prefix)
    known = _papers_by_key(seed).get(wanted)
    head = wanted.rpartition("/")[2].removeprefix("n")[:8]
    if known or not (head.isdigit() and len(head) == 8):
        return known
    names: tuple[_IdField, ...] = ("paper_id", "pubmed_id", "doi", "url")
    places = (int(head), (int(head) - 40_000_000) // _TURNS)
    rows = (paper for place in places for paper in noun_papers(seed, place))
    return next((one for one in rows if wanted in (plain(one[name] or "") for name in names)), None)


def noun_papers(seed: int, place: int) -> list[Paper]:
    """The papers on a noun of the dictionary by its place there; none where there is none, or nobody researches it."""
    sense = wordnet.noun_by_number(place) if place >= 0 else None
    field = _field_of_noun(sense) if sense else ""
    if sense is None or not field:
        return []

    def writer(one: int) -> AuthorName:
        return {"author_id": f"2{place:08d}{one}", "name": name_of(0, "noun scientist", place, one)}

    found = []
    for turn, paper in enumerate(_papers_on_subject(sense.words[0], field, 0, writer)):
        key = f"{place:08d}{turn}{seeds.token(31, 'noun paper', place, turn)}"
        pubmed = str(40_000_000 + _TURNS * place + turn) if field in _MEDICAL else None
        ids = {
            "paper_id": key,
            "doi": f"10.5555/n{place:08d}.{turn}",
            "url": f"https://papers.example/n{place:08d}.{turn}",
        }
        paper = {**paper, **ids, "pubmed_id": pubmed, "arxiv_id": None, "category": "none", "pdf": None}  # type: ignore[typeddict-item]
        found.append(_draw_abstract(seed, paper))
    return found


def _field_of_noun(sense: wordnet.Sense) -> str:
    """The field of study of a noun; "" where nobody researches it."""
    above = {word for one in wordnet.hypernyms(sense) for text in one.words for word in text.split()}
    if above & _HEALTH:
        return "Medicine"
    return "" if wordnet.related_senses(sense, "@i") else _NOUNS.get(sense.field, "")


@functools.cache
def _paper_index() -> Index[Paper]:
    return seeds.build_without_gc(
        Index, _paper_list(), ("title", "title", "about", "abstract", "names", "venue"), "title"
    )


def found_papers(seed: int, query: str, where: Callable[[Paper], bool] = bool) -> list[Paper]:
    """Papers for some words, best first: listed ones, else those on the longest noun that the words name."""
    asked, known = set(words(query)), papers_by_id(seed)
    near = _paper_index().search(query, bound=_FLOOR, where=where)
    # A whole question has words that no paper has: two of the others in a title are enough.
    near = near or _paper_index().search(
        query,
        bound=_LONG_FLOOR,
        where=lambda paper: where(paper) and len(asked & set(words(paper["title"]))) > 1,
    )
    found = [known[row["paper_id"]] for row in near]
    return found or [paper for paper in _papers_on_nouns(seed, query) if where(paper)]


def _papers_on_nouns(seed: int, query: str) -> list[Paper]:
    """The papers on the longest researched noun in a query, where it is a good part of the query."""
    asked = plain(query).replace("?", " ").split()[:12]
    said = max(1, len(words(query)))
    for size in (3, 2, 1):
        for start in range(len(asked) - size + 1):
            name = " ".join(asked[start : start + size])
            senses = [one for one in wordnet.senses(name) if one.part == "n" and words(name)][:2]
            found = next((rows for one in senses if (rows := noun_papers(seed, one.place))), [])
            if found and 3 * len(words(name)) >= said:
                return found
    return []


def near_titles(text: str) -> list[str]:
    """Titles that are written almost like a text."""
    return _paper_index().similar_names(text)
