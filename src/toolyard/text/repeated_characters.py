"""Texts without endless runs of blanks and marks, for patterns that begin with them."""

import re

LONGEST_RUN = 200
_RUN = re.compile(rf"[\s>#*_`|:=+-]{{{LONGEST_RUN + 1},}}+")


def shorten_runs(text: str) -> str:
    """The text with every run of more blanks and marks than anybody writes cut to its beginning.

    A pattern that begins with a run is tried at each of its places: n of them would cost n * n.
    """
    return _RUN.sub(lambda found: found[0][:LONGEST_RUN], text)
