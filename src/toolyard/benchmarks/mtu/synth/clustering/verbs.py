"""What a tool does, by its verb: looking up, getting hold of, making, sending, playing, changing, removing.

    FindBus            query
    BuyBusTicket       acquire
    HotelReservation   acquire    (no verb in front: the word that tells)
    MakePayment        send       (a light verb says nothing, the noun does)
    GetRide            acquire    (its corpus says that it changes something: "Call a taxi ...")

Tools of different classes are never the same tool, however alike their words are. A word that is not in the
table is passed over, so that "confirm the purchase" is a purchase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool

QUERY, PLAY, OTHER = "query", "play", "other"
WORDS: Mapping[str, str] = {
    QUERY: "find search get look lookup see check show list view discover explore locate browse filter fetch "
    "retrieve query read display inquire enquire determine review access return give know compare calculate "
    "compute convert translate recommend suggest track verify identify detect available availability obtain "
    "narrow count estimate",
    "acquire": "reserve book buy purchase order rent lease hire hail call schedule arrange plan reservation "
    "appointment booking rental acquire subscribe organize organise",
    "create": "add create set insert generate write record save register open compose draw",
    "send": "send share transfer pay payment post message email notify request ask submit forward donate tip",
    PLAY: "play listen watch stream start begin resume",
    "change": "update change modify edit adjust increase decrease rename rate turn switch toggle lock unlock",
    "remove": "delete remove cancel clear stop end close dismiss unsubscribe discard",
}
VERB_CLASSES = (*WORDS, OTHER)
CLASS_OF: Mapping[str, str] = {word: name for name, words in WORDS.items() for word in words.split()}
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def words_of(text: str) -> list[str]:
    """The lower-case words of a name or a sentence: `FindBus`, `find_bus` and "find bus" are two words each."""
    return [part.lower() for part in _PART.findall(text)]


def verb_class(tool: CorpusTool) -> str:
    """The class of the tool's verb; what its corpus says about it goes before its words."""
    if tool.verb in (QUERY, PLAY):
        return str(tool.verb)
    readings = [*_readings(tool.name), *_readings(tool.description)]
    if tool.verb is not None:
        readings = [reading for reading in readings if reading != QUERY]
    return readings[0] if readings else OTHER


def _readings(text: str) -> Iterator[str]:
    for word in words_of(text):
        found = next((CLASS_OF[form] for form in _forms(word) if form in CLASS_OF), None)
        if found is not None:
            yield found


def _forms(word: str) -> Iterator[str]:
    """The word and what it may be an inflection of."""
    yield word
    if word.endswith("s"):
        yield word[:-1]
        yield word.removesuffix("es")
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            yield word.removesuffix(ending)
            yield word.removesuffix(ending) + "e"
