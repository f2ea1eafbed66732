"""What sights are that their names tell, and those that lie in more than one country."""

import re
from collections.abc import Mapping

from toolyard.world.kernel.tables import table_words, values_of

# The last words of names that say what a thing is.
_ENDS = table_words("sight_kinds.ends")
_LONG = {"Falls": "waterfall", "Dam": "dam", "National Park": "national park", "Beach": "beach"}
_LAKE, _MOUNT = re.compile(r"(?:Lake|Loch) "), re.compile(r"(?:.* / )?(?:Mount|Ben) ")
_MOUNTAINS = frozenset(table_words("sight_kinds.mountains"))
# Names that say something else than they seem to.
_OTHERS = frozenset(("Mount Rushmore", "Devils Tower"))
SHARED_WITH: Mapping[str, tuple[str, ...]] = values_of("sight_kinds.shared_with")


def kind_by_name(name: str) -> str:
    """What a sight is by its name: Lake Como is a lake; "" where the name does not tell."""
    if name in _OTHERS:
        return ""
    if name in _MOUNTAINS or _MOUNT.match(name):
        return "mountain"
    if _LAKE.match(name):
        return "lake"
    last = name.rpartition(" ")[2].lower()
    return last if last in _ENDS else next((kind for end, kind in _LONG.items() if name.endswith(end)), "")
