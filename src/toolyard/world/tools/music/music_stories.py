"""Short stories about how two styles of music met."""

from __future__ import annotations

from random import Random

from toolyard.world.kernel.tables import words_of

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
_PLACES = words_of("music_stories.places")
_MEETINGS = words_of("music_stories.meetings")
_LAST_WORDS = words_of("music_stories.last_words")
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
