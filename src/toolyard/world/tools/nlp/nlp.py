"""NLP/NLP: categories, topics, sentiment, grammar, clusters, summaries and sections of a text, by rules and lexicons."""

import functools
import html
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.index import words as search_words
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_table, values_of
from toolyard.world.kernel.types import PageUrl, Prose, Range
from toolyard.world.reference import word_sentiment as moods
from toolyard.world.reference.language_detection import detect_language
from toolyard.world.reference.wordnet import parts_by_use
from toolyard.world.simulated.pages import find_page
from toolyard.world.simulated.pages import normalise_url as key_of
from toolyard.world.tools.nlp import prose
from toolyard.world.tools.nlp.concepts_times_money import find_concepts, find_sums, find_times
from toolyard.world.tools.nlp.grammar import tag_words
from toolyard.world.tools.nlp.names_in_text import names_by_kind
from toolyard.world.tools.nlp.nlp_shapes import (
    Analysis,
    Category,
    Cluster,
    SentenceMood,
    Sentiment,
    Summary,
    Token,
    Topics,
)

_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,200}>(.{0,400}?)</h\1>", re.IGNORECASE | re.DOTALL)
_BLOCK = re.compile(
    r"</?(?:p|div|li|ul|ol|table|tr|section|article|blockquote|body|br|hr)\b[^<>]{0,200}>", re.IGNORECASE
)
_TITLE = re.compile(r"<title>([^<>]{0,300})</title>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,500}>")
PAGES: Mapping[str, str] = values_of("sections.pages")


class Heading(TypedDict):
    level: int
    heading: str


class Structure(TypedDict):
    title: str
    abstract: Prose
    headings: list[Heading]
    paragraphs: int
    words: int


_UNDERLINED = re.compile(r"^(?![#>\s*+-]|\d+\.)([^\n]*\w[^\n]*)\n(=+|-{2,})[ \t]*$", re.MULTILINE)
_FENCED = re.compile(r"^(```+|~~~+)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def _simplify_markdown(text: str) -> str:
    """Markdown without fenced code, and with headings marked by signs instead of lines under them."""
    bare = _FENCED.sub("", text.replace("\r\n", "\n"))
    return _UNDERLINED.sub(lambda match: f"{'#' if match[2][0] == '=' else '##'} {match[1].strip()}\n", bare)


_RULE = re.compile(r"^ {0,3}(?:(?:\* ?){3,}|(?:- ?){3,}|(?:_ ?){3,})$", re.MULTILINE)


def _is_heading(line: str) -> bool:
    return bool(re.match(r"#{1,6}(?:\s|$)", line))


def _find_headings(text: str) -> list[Heading]:
    found: list[Heading] = [
        {"level": len(line) - len(line.lstrip("#")), "heading": line.lstrip("#").strip().rstrip("#").strip()}
        for line in text.splitlines()
        if _is_heading(line)
    ]
    found += [
        {"level": int(level), "heading": " ".join(html.unescape(_TAG.sub(" ", heading)).split())}
        for level, heading in _HTML_HEADING.findall(text)
    ]
    return [row for row in found if row["heading"]]


_ABSTRACT = re.compile(r"^abstract\s*[:.—-]\s*", re.IGNORECASE)


def text_structure(text: str) -> Structure:
    """Title, abstract (the first paragraph), headings, and how long the text is."""
    text = _simplify_markdown(text)
    headings = _find_headings(text)
    title = _TITLE.search(text)
    bare = html.unescape(_TAG.sub(" ", _BLOCK.sub("\n\n", _HTML_HEADING.sub("\n\n", _TITLE.sub(" ", text)))))
    lines = "\n".join("" if _is_heading(line) else line for line in bare.splitlines())
    paragraphs = [
        " ".join(part.split()) for part in re.split(r"\n\s{0,50}\n", _RULE.sub("\n", lines)) if part.strip()
    ]
    named = html.unescape(title[1]).strip() if title else headings[0]["heading"] if headings else ""
    return {
        "title": named,
        "abstract": _ABSTRACT.sub("", paragraphs[0])[:600] if paragraphs else "",
        "headings": [row for row in headings if row["heading"] != named][:60],
        "paragraphs": len(paragraphs),
        "words": len(lines.split()),
    }


GROUP = Group("NLP/NLP")
Text = Annotated[Prose, Range(1, 20_000)]
_NEGATIONS = frozenset("not no never none hardly without nothing cannot".split())


@functools.cache
def _text_categories() -> tuple[tuple[Mapping[str, str], frozenset[str]], ...]:
    return tuple((row, frozenset(search_words(row["words"]))) for row in read_table("text_categories.tsv"))


# What a word counts that many areas share: a trial is held in court and in a clinic.
_FAINT = 0.4


@functools.cache
def _ambiguous_words() -> frozenset[str]:
    return frozenset(
        search_words(
            "trial trials children child people degree degrees country countries staff service party house fire plant "
            "plants garden space course interview strike collection heart bear code border attack interest fund machine "
            "race goal score club cup law baby mother father family community driver energy data network bank "
            "star director drug treatment exercise price prices job jobs coffee tea book books school match trade"
        )
    )


@GROUP.tool(
    examples=[
        {
            "txt": "As the gentle waves caress the sandy beach, I listen to the birds and feel the wind of the sea."
        }
    ],
    phrase="sort this text into subject categories[ under the category scheme {model}]: {txt}",
    noun="the text categorization",
)
def get_categorization(*, txt: Text, model: Literal["IPTC_en", "IAB_2.0_en"] = "IPTC_en") -> list[Category]:
    """The subject areas that the words of a text point to, best first; none where no area is recognised.

    txt: Text to classify.
    model: Scheme of the codes: news subjects (IPTC) or advertising content (IAB), top level each.
    """
    terms = search_words(txt)
    scores: dict[tuple[str, str], float] = defaultdict(float)
    for row, known in _text_categories():
        own = (row["iptc"], row["label"]) if model == "IPTC_en" else (row["iab"], row["iab_label"])
        scores[own] += sum(_FAINT if term in _ambiguous_words() else 1 for term in terms if term in known)
    best = max(scores.values(), default=0)
    return [
        {"code": code, "label": label, "relevance": round(100 * score / best)}
        for (code, label), score in sorted(scores.items(), key=lambda pair: -pair[1])[:5]
        if score and score >= best / 3
    ]


@GROUP.tool(
    examples=[
        {
            "txt": "On 12 May 2024 Apple and Microsoft opened a climate conference in Paris, France. Renewable energy and "
            "lower carbon emissions will cost $20,000. Solar energy is a solution."
        }
    ],
    phrase=(
        "extract the names, concepts, times and sums of money[, with the topic type letters set to {tt},] "
        "from this text: {txt}"
    ),
    noun="the extracted topics",
)
def get_topics(*, txt: Text, tt: Annotated[str, Range(1, 20)] = "a") -> Topics:
    """Places, companies and other names, concepts, times and sums of money that are recognised in a text.

    txt: Text to look at.
    tt: Letters of what to extract: e names, c concepts, t times, m money, a all.
    """
    letters = set(tt.lower())
    if not letters & set("ectma"):
        raise ToolFault("invalid_value", f"tt={tt!r}: want letters out of e, c, t, m and a", parameter="tt")
    wanted = set("ectm") if "a" in letters else letters
    names = names_by_kind(txt) if "e" in wanted else {}
    return {
        "cities": names.get("cities", [])[:20],
        "countries": names.get("countries", [])[:20],
        "companies": names.get("companies", [])[:20],
        "other_names": names.get("other_names", [])[:20],
        "concepts": find_concepts(txt, _leading_names(txt)) if "c" in wanted else [],
        "time_expressions": find_times(txt)[:20] if "t" in wanted else [],
        "money_expressions": find_sums(txt)[:20] if "m" in wanted else [],
    }


def _leading_names(txt: str) -> list[str]:
    """The names of a text that a sentence may begin with."""
    return [name for kind, group in names_by_kind(txt).items() if kind != "other_names" for name in group]


def _mood_words(text: str) -> list[tuple[str, float]]:
    """Each word with a mood and its score, turned round by a negation among the three words before it."""
    plainly, written = moods.replace_idioms(text)
    told = plainly.replace("’", "'")
    terms = [word.lower().replace("n't", " not").split()[-1] for word in prose.words(told)]
    found = []
    for number, term in enumerate(terms):
        mood = moods.word_sentiment(term)
        if mood and term not in _NEGATIONS:
            denial = next((word for word in terms[max(number - 3, 0) : number] if word in _NEGATIONS), "")
            shown = term if term in text.lower() else written.get(term, term)
            found.append((f"{denial} {term}", -mood) if denial else (shown, mood))
    return found


def _mood_tag(score: float, marked: bool) -> str:
    if not marked:
        return "NONE"
    steps = ((0.6, "P+"), (0.1, "P"), (-0.1, "NEU"), (-0.6, "N"))
    return next((tag for low, tag in steps if score > low), "N+")


@GROUP.tool(
    examples=[
        {"txt": "I am extremely disappointed with the service. The food was cold and the staff were rude."},
        {"txt": "Serenity envelops the tranquil meadow, inviting inner peace."},
    ],
    phrase="analyse the sentiment of this text: {txt}",
    noun="the sentiment analysis",
)
def sentiment_analysis(*, txt: Text) -> Sentiment:
    """How positive or negative the words of an English text are, as a whole and sentence by sentence, from -1 to 1, with
    the words that count; what is meant between the lines is not seen.

    txt: Text to judge.
    """
    language = detect_language(txt)
    marks = _mood_words(txt) if language == "en" else []
    scores = [score for _, score in marks]
    parts = [
        (part, round(moods.sentiment_score(part), 2) if marks else 0.0, bool(marks and _mood_words(part)))
        for part in prose.split_sentences(txt)
    ]
    marked = [value for _, value, has_mood in parts if has_mood]
    mean = round(sum_in_order(marked) / len(marked), 2) if marked else 0.0
    shown: list[SentenceMood] = [
        {"text": part[:200], "score": value, "score_tag": _mood_tag(value, has_mood)}
        for part, value, has_mood in parts[:30]
    ]
    mixed = any(score > 0 for score in scores) and any(score < 0 for score in scores)
    return {
        "language": language,
        "score": mean,
        "score_tag": _mood_tag(mean, bool(marked)),
        "agreement": "DISAGREEMENT" if mixed else "AGREEMENT",
        "subjectivity": "SUBJECTIVE" if len(scores) * 20 >= len(prose.words(txt)) and scores else "OBJECTIVE",
        "positive_words": list(dict.fromkeys(word for word, score in marks if score > 0))[:30],
        "negative_words": list(dict.fromkeys(word for word, score in marks if score < 0))[:30],
        "sentences": shown,
    }


@GROUP.tool(
    examples=[{"txt": "As the gentle waves caress the sandy beach, I feel a sense of peace within."}],
    phrase="run a linguistic analysis with base forms, parts of speech and readability on this text: {txt}",
    noun="the linguistic analysis",
    described_as="Gives base forms, parts of speech and sentences of a text, and how easy it reads.",
)
def linguistic_analysis(*, txt: Text) -> Analysis:
    """Words with base form and part of speech (the first 150), number of sentences, and how easy the text reads. Tags and
    syllables are guessed from a dictionary and a few rules, so that some are wrong.

    txt: English text.
    """
    language = detect_language(txt)
    if language != "en":
        raise ToolFault(
            "invalid_value", f"the text reads as {language!r}; only English is analysed", parameter="txt"
        )
    found = prose.words(txt)
    marked = (row for sentence in prose.split_sentences(txt) for row in tag_words(sentence))
    tokens: list[Token] = [
        Token(form=form, lemma=lemma, part_of_speech=part)
        for form, lemma, part in itertools.islice(marked, 150)
    ]
    return {
        "language": language,
        "sentence_count": len(prose.split_sentences(txt)),
        "word_count": len(found),
        "reading_ease": prose.reading_ease(txt),
        "tokens": tokens,
    }


def _spelt(term: str, lines: list[str]) -> str:
    """A stem as a word: itself where it is one, else the first word of the lines that begins so."""
    if parts_by_use(term):
        return term
    found = (word for line in lines for word in prose.words(line) if word.lower().startswith(term))
    return next(found, term)


@GROUP.tool(
    examples=[
        {
            "txt": "The football team won the match\nThe bank raised its interest rates\nA goal decided the match\n"
            "Interest rates worry the bank's clients"
        }
    ],
    phrase="group these lines of text into clusters of similar ones: {txt}",
    noun="the text clusters",
)
def text_cluster(*, txt: Text) -> list[Cluster]:
    """Groups of texts that share words, largest first, each named by those words; a text that shares none is alone.

    txt: The texts, one per line (at most 100).
    """
    lines = [line for line in txt.splitlines() if line.strip()][:100]
    if not lines:
        raise ToolFault("invalid_value", "the text holds no line with words", parameter="txt")
    vectors = prose.word_weights(lines)
    found: list[Cluster] = []
    for members in prose.cluster_texts(vectors):
        shared = Counter(term for n in members for term in vectors[n])
        named = [term for term, count in shared.most_common(3) if count > 1 or len(members) == 1]
        order = search_words(lines[max(members, key=lambda n: sum(term in vectors[n] for term in named))])
        named.sort(key=lambda term: order.index(term) if term in order else len(order))
        title = (
            " ".join(_spelt(term, [lines[n] for n in members]) for term in named) or lines[members[0]][:40]
        )
        found.append({"title": title, "size": len(members), "lines": [n + 1 for n in members]})
    return sorted(found, key=lambda cluster: -cluster["size"])


@GROUP.tool(
    examples=[
        {
            "txt": "Trees cool the air on hot days. A row of mature trees lowers the temperature of a street. We like tea. "
            "Trees also hold back rain. Young trees need water for three summers.",
            "sentences": 2,
        }
    ],
    phrase="summarize the following text[ with the number of sentences set to {sentences}]: {txt}",
    noun="the summary",
)
def summarization(*, txt: Text, sentences: Annotated[int, Range(1, 20)] = 3) -> Summary:
    """The most telling sentences of a text in their own order.

    txt: Text to shorten.
    sentences: How many sentences to keep.
    """
    found = prose.split_sentences(txt)
    if not found:
        raise ToolFault("invalid_value", "the text holds no sentence", parameter="txt")
    counts = Counter(search_words(txt))
    scores = []
    for number, sentence in enumerate(found):
        terms = search_words(sentence)
        weight = sum(counts[term] for term in terms) / (len(terms) + 3)
        scores.append((weight * (1.2 if number == 0 else 1.0), -number))
    kept = sorted(-number for _, number in sorted(scores, reverse=True)[:sentences])
    summary = " ".join(found[number] for number in kept)
    return {"summary": summary, "sentences_kept": len(kept), "sentences_in_text": len(found)}


@GROUP.tool(
    examples=[
        {"txt": "# Field notes\n\nTrees cool the air.\n\n## Water\n\nYoung trees need water."},
        {"txt_url": "https://en.wikipedia.org/wiki/Climate_change"},
    ],
    phrase=(
        "work out the title, abstract and headings of a document[ that is found at {txt_url}][ with this "
        "text: {txt}]"
    ),
    noun="the document structure",
    jobs=("reading a page",),
    described_as="Gives title, abstract and headings of a document, from its text or its address.",
)
def document_structure(world: World, *, txt: Text | None = None, txt_url: PageUrl | None = None) -> Structure:
    """Title, abstract and headings of a document with markup. Give either the text or an address.

    Pages of the web are mostly stored as plain paragraphs, without headings.

    txt: Text with Markdown or HTML headings; fenced code is left out.
    txt_url: Address of a page, as the search tools return it.
    """
    if (txt is None) == (txt_url is None):
        raise ToolFault("invalid_value", "give exactly one of txt and txt_url")
    if txt_url is not None:
        own = {key_of(address): text for address, text in PAGES.items()}
        page = None if key_of(txt_url) in own else find_page(world.seed, txt_url)
        if page and page["kind"] == "outside" and "stored without pictures" in page["text"]:
            page = {**page, "text": f"A page of {page['site']}, of which only the address is on record here."}
        txt = f"# {page['title']}\n\n{page['text']}" if page else own[key_of(txt_url)]
    return text_structure(txt or "")
