"""Short stories about how two styles of music met."""

from random import Random

from toolyard.world.kernel.tables import table_words

# Styles of all kinds, and those whose name alone says what is played.
STYLES = table_words("music_stories.styles")
STYLES_ALONE = table_words("music_stories.styles_alone")
_PLACES = table_words("music_stories.places")
_MEETINGS = table_words("music_stories.meetings")
_LAST_WORDS = table_words("music_stories.last_words")
_ENDINGS = table_words("music_stories.endings")


def _style_with_article(style: str) -> str:
    return f"{'an' if style[0] in 'AEIOU' else 'a'} {style}"


def write_story(hero: str, first: str, second: str, chance: Random) -> str:
    """How a musician brought two styles together, as chance has it."""
    meeting = chance.choice(_MEETINGS).format(
        hero=hero, first=first, second=second, place=chance.choice(_PLACES),
        a_first=_style_with_article(first), a_second=_style_with_article(second),
    )  # fmt: skip
    last = chance.choice(_LAST_WORDS).format(name=f"{first}-{second}")
    return f"{meeting}, {chance.choice(_ENDINGS)}. {last}"
