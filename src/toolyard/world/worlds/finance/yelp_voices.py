"""What customers write about a business: an opening by their rating, what they saw, and when they were there."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from toolyard.world import seeds
from toolyard.world.shared.businesses import Business, single_offers
from toolyard.world.tables import read_table

_OPENINGS = {
    "good": (
        "Friendly staff and quick service.", "Best in the neighbourhood.", "A place to come back to.",
        "Good value for the money.", "Better than I had expected.", "Everything went smoothly.",
        "They know what they are doing.", "We were made to feel welcome.", "Worth the way.", "No complaints at all.",
        "I have told all my friends.", "All of us were happy.", "Small, but well run.",
        "I had read about it and was not let down.", "Our new favourite.", "Reliable, every time.",
        "Honest people.", "Lovely from the first minute.", "Exactly what we were looking for.", "Very pleased.",
        "I wish I had found it sooner.", "Careful work.", "They remember their regulars.",
    ),
    "fair": (
        "Fine, but nothing special.", "A mixed visit.", "Not bad for the price.", "Good in parts.",
        "It depends on who is on duty.", "Average, to be fair.", "Nice people, slow service.", "It did the job.",
        "I had hoped for a little more.", "Some things were good, some were not.", "Decent, if you are nearby.",
    ),
    "bad": (
        "We waited too long.", "Overpriced for what you get.", "Loud and crowded.", "Not what it used to be.",
        "Nobody seemed to be in charge.", "My first visit and my last.", "They got the order wrong twice.",
        "I would not go again.", "Disappointing.", "The bill was wrong and nobody said sorry.", "Understaffed.",
    ),
}  # fmt: skip
_EATEN = {
    "good": (
        "I liked the {offer} best.", "Try the {offer}.", "Come for the {offer}.", "We shared the {offer}.",
        "My children asked for more {offer}.", "The {offer} alone {is} worth it.", "The {offer} tasted freshly made.",
        "You can see that they care about their {offer}.", "I took some {offer} home.",
    ),
    "fair": (
        "The {offer} could have been warmer.", "The {offer} {was} all right.", "I have had better {offer}.",
        "Good {offer}, small portion.",
    ),
    "bad": (
        "The {offer} came cold.", "They had run out of {offer}.", "Too little {offer} for the price.",
        "The {offer} had no taste.",
    ),
}  # fmt: skip
_CLOSINGS = (
    "It was our second visit this year.", "We came on a weekday.", "Easy to find, too.", "I live round the corner.",
    "Parking was no problem.", "They answered the phone at once.", "We came on a rainy Saturday.",
    "My sister had told me about it.", "I paid by card.", "It was busy at noon.", "We had found it by chance.",
    "The owner was there himself.", "I was there with a colleague.", "There were four of us.",
    "Book ahead at weekends.", "The bus stops in front of the door.", "My parents were with us.",
    "We came straight after work.", "Mornings are quieter.", "I had a voucher.", "There is a queue after work.",
    "We were visiting the city.",
)  # fmt: skip
# Of work that is done for a customer, and of a house where people sleep.
_SERVED = (
    "They came on time.", "I paid by card.", "They answered the phone at once.", "My sister had told me about them.",
    "It took about an hour.", "Everything was left clean.", "I had asked for a price first.", "My appointment was at nine.",
    "They called back the next day.", "I had tried two others before.", "The second appointment was easier to get.",
    "They explained what they did.", "I got a written bill.",
)  # fmt: skip
_STAYED = (
    "We stayed two nights.", "Our room looked onto the yard.", "Breakfast begins early.", "The lift is small.",
    "The station is near.", "I was there on business.", "The beds are firm.", "Check-in took five minutes.",
    "We had a room on the third floor.", "They kept our bags after noon.", "It is quiet at night.",
)  # fmt: skip
# Of museums, theatres and other sights.
_VISITED = (
    "We stayed two hours.", "Mornings are quieter.", "Book ahead at weekends.", "The shop is worth a look.",
    "We were visiting the city.", "The children liked it, too.", "We came on a rainy Saturday.",
    "The bus stops in front of the door.", "Tickets were cheaper online.", "There is a small café inside.",
    "It was our second visit this year.", "The signs are in English, too.", "It was busy at noon.",
)  # fmt: skip
_OF_REGULARS = (
    "They remember their regulars.", "Honest people.", "Careful work.", "They got the order wrong twice.",
    "The bill was wrong and nobody said sorry.", "It did the job.", "Nice people, slow service.",
    "Friendly staff and quick service.",
)  # fmt: skip
_OF_PLACES = (
    "Loud and crowded.",
    "They got the order wrong twice.",
    "Worth the way.",
    "Decent, if you are nearby.",
)
_BUSY = ("services", "health", "beauty")
_SIGHTS = frozenset(
    "arts museums galleries theater movietheaters opera zoos aquarium aquariums bowling library".split()
)
# What is no dish though a place to eat offers it.
_NO_DISHES = frozenset(
    "greek,spanish,vietnamese,vegan,vegetarian,street food,food truck,diner,deli,taqueria,booths,cafe,café,butcher,tearoom,"
    "afternoon,supermarket,groceries,farmers market,produce,grill,brunch,dinner,lunch,meals,food".split(",")
)
_EATEN_COLD = frozenset(
    "sushi sashimi rolls nigiri macarons macaron cake cakes cupcakes pastries ice cream gelato salad salads smoothies juice "
    "juices wine wines beer cocktails bread bagels donuts doughnuts cookies chocolate chocolates candy oysters ceviche poke "
    "croissants tarts pies sandwiches cheese yogurt sorbet".split()
)
_EVERY = 2


@functools.cache
def _trades() -> Mapping[str, Mapping[str, str]]:
    """What customers say of a trade, by its category: of good, of middling and of bad work."""
    return {row["alias"]: row for row in read_table("trade_remarks.tsv")}


def _turned(texts: Sequence[str], business: Business, number: int, what: str) -> str:
    """The next text for a business, all of them before one comes again."""
    count = len(texts)
    step = next(size for size in (7, 5, 3, 1) if count % size)
    return texts[(seeds.number(what, business["id"]) + step * number) % count]


def _tasted(said: str, offer: str) -> str:
    """What is said of a dish; nobody expects sushi to be warm."""
    many = offer.endswith("s") and not offer.endswith("ss")
    if offer.split()[-1] in _EATEN_COLD:
        said = said.replace("warmer", "fresher").replace("came cold", "had seen better days")
    return said.format(offer=offer, **{"is": "are" if many else "is", "was": "were" if many else "was"})


def review_text(business: Business, rating: int, number: int) -> str:
    """What a customer wrote who gave so many stars."""
    mood = "good" if rating > 3 else "fair" if rating == 3 else "bad"
    openings = _OPENINGS[mood]
    visited = business["group"] == "arts" or not _SIGHTS.isdisjoint(business["category_aliases"])
    if visited:
        openings = tuple(text for text in openings if text not in _OF_REGULARS)
    elif business["group"] in _BUSY:
        openings = tuple(text for text in openings if text not in _OF_PLACES)
    opening = _turned(openings, business, number, "opening")
    dishes = [offer for offer in single_offers(business["offers"]) if offer not in _NO_DISHES]
    if dishes and business["group"] in ("restaurants", "food") and number % _EVERY == 0:
        turn = number // _EVERY
        return (
            f"{opening} {_tasted(_turned(_EATEN[mood], business, turn, 'eaten'), dishes[turn % len(dishes)])}"
        )
    first = business["category_aliases"][0]
    if first in _trades() and number % _EVERY == 0:
        said = _trades()[first][mood].split(";")
        return f"{opening} {said[(seeds.number('trade', business['id']) + number // _EVERY) % len(said)]}"
    stays = first in ("hotels", "hostels")
    closings = _STAYED if stays else _SERVED if business["group"] in _BUSY else _CLOSINGS
    return f"{opening} {_turned(_VISITED if visited else closings, business, number, 'closing')}"
