"""NLP/NLP: what the text tools return."""

from typing import TypedDict

from toolyard.world.kernel.types import CityName, CompanyName, CountryName, LanguageCode, Prose, Topic


class Category(TypedDict):
    code: str
    label: str
    relevance: int


class Concept(TypedDict):
    form: Topic
    count: int
    relevance: int


class Topics(TypedDict):
    cities: list[CityName]
    countries: list[CountryName]
    companies: list[CompanyName]
    other_names: list[str]
    concepts: list[Concept]
    time_expressions: list[str]
    money_expressions: list[str]


class SentenceMood(TypedDict):
    text: str
    score: float
    score_tag: str


class Sentiment(TypedDict):
    language: LanguageCode
    score: float
    score_tag: str
    agreement: str
    subjectivity: str
    positive_words: list[str]
    negative_words: list[str]
    sentences: list[SentenceMood]


class Token(TypedDict):
    form: str
    lemma: str
    part_of_speech: str


class Analysis(TypedDict):
    language: LanguageCode
    sentence_count: int
    word_count: int
    reading_ease: float
    tokens: list[Token]


class Cluster(TypedDict):
    title: str
    size: int
    lines: list[int]


class Summary(TypedDict):
    summary: Prose
    sentences_kept: int
    sentences_in_text: int
