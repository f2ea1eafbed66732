"""Short stories about how two styles of music met."""

from __future__ import annotations

from random import Random

# Styles of all kinds, and those whose name alone says what is played.
STYLES = tuple(
    "Cumbia|Afrobeat|Ambient|Baroque Pop|Bebop|Bluegrass|Blues|Bossa Nova|Breakbeat|Chamber Pop|"
    "Chillwave|Choral Music|Country|Darkwave|Death Metal|Delta Blues|Disco|Doom Metal|Dream Pop|Drone|"
    "Dub|Electro|Emo|Flamenco|Folk|Free Jazz|Funk|Garage Rock|Glam Rock|Gospel|Gothic Rock|Grunge|"
    "Hard Rock|Hip-Hop|House|Industrial Rock|Italo Disco|Jazz|Klezmer|Latin Pop|Lo-Fi|Math Rock|"
    "Minimal Techno|Noise|Opera|Polka|Post-Rock|Progressive Rock|Psychedelic Rock|Punk|Ragtime|Reggae|"
    "Rock|Salsa|Shoegaze|Ska|Soul|Space Rock|Surf Rock|Swing|Synthpop|Tango|Techno|Trance|Trip-Hop|"
    "Vaporwave|Yodel".split("|")
)
STYLES_ALONE = tuple(
    "Bebop Bluegrass Blues Country Disco Dub Electro Flamenco Folk Funk Gospel Grunge Hip-Hop House Jazz Klezmer Opera "
    "Polka Punk Ragtime Reggae Rock Salsa Shoegaze Ska Soul Swing Tango Techno Trance".split()
)
_PLACES = (
    "a laundromat in Leeds", "a ferry to Palermo", "a garage in Osaka", "a barn near Tulsa", "a bus depot in Lagos",
    "a bakery in Lyon", "a lighthouse near Bergen", "a school hall in Quito", "a tea house in Tbilisi",
    "a harbour shed in Halifax", "a tram in Lisbon", "a library in Pune",
)  # fmt: skip
_MEETINGS = (
    "{hero} had played {first} for years when {a_second} band got stuck in {place}. They shared one amplifier and "
    "three songs",
    "In {place} somebody had booked two evenings at once: {first} with {hero}, and {second} with whoever came. They took "
    "turns for an hour and then played together",
    "{hero} found a box of {second} records in {place} and learnt them by ear, with hands that knew nothing but {first}. "
    "The first concert was given there",
    "A power cut silenced {a_second} party in {place}, and {hero}, who was passing with {a_first} trio, lent a drum. "
    "Nobody could tell any more whose tune it was",
    "The wedding in {place} had hired {a_first} singer and {a_second} singer by mistake. {hero} wrote both names on one "
    "sheet and counted them in",
    "For a bet {hero} spent a winter in {place} rewriting every {first} song in the house as {a_second} song. In spring "
    "the windows were opened",
    "{hero}'s grandmother loved {first}, her neighbour only {second}, and the wall between them in {place} was thin. One "
    "evening the child played for both",
    "A teacher in {place} asked for {a_first} piece, and {hero}, who had practised nothing but {second}, mixed up the "
    "pages on the stand",
)  # fmt: skip
_LAST_WORDS = (
    "Since that night people there speak of {name}.", "The poster of the next week said {name} for the first time.",
    "They called it {name}, for want of a better word.", "The record shop had to paint a new sign: {name}.",
    "That is how {name} came into the world, or so they tell it.", "Today {name} fills the hall twice a year.",
)  # fmt: skip
_ENDINGS = (
    "and nobody left before sunrise", "and the neighbours asked for more", "and the tape ran out",
    "and even the caretaker danced", "and two people in the back row took notes", "and the rain stopped to listen",
)  # fmt: skip


def _with_article(style: str) -> str:
    return f"{'an' if style[0] in 'AEIOU' else 'a'} {style}"


def story(hero: str, first: str, second: str, chance: Random) -> str:
    """How a musician brought two styles together, as chance has it."""
    meeting = chance.choice(_MEETINGS).format(
        hero=hero, first=first, second=second, place=chance.choice(_PLACES),
        a_first=_with_article(first), a_second=_with_article(second),
    )  # fmt: skip
    last = chance.choice(_LAST_WORDS).format(name=f"{first}-{second}")
    return f"{meeting}, {chance.choice(_ENDINGS)}. {last}"
