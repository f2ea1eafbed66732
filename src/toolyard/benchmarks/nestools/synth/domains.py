"""Domains and sub-domains to draft tools for: our list, or the user's, one "Domain/Sub-domain" per line."""

import itertools
import math
import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from toolyard.benchmarks.nestools.synth.examples import example_names
from toolyard.core.benchmark import Choice
from toolyard.core.errors import DataError, UsageError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import derived_seed
from toolyard.synth.stages import Context, Rejected, Row, RowSource

OUR_LIST = Path(str(files(__package__))) / "domains.tsv"
LONGEST_FIELD = 200
MOST_DRAFTS = 100.0
DOMAINS = Choice(
    "domains", 'a file of your own, one "Domain/Sub-domain" per line; without it, our list is used', ""
)
DRAFTS = Choice("drafts", "drafts asked for per wanted row; some are rejected on the way", "2")


def list_path(context: Context) -> Path:
    """The file that the fields come from."""
    given = context.options.get(DOMAINS.name, "")
    return Path(given) if given else OUR_LIST


def read_fields(path: Path) -> list[str]:
    """The fields of a list, repeated ones included, in order."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f'{path} cannot be read ({error}); wanted one "Domain/Sub-domain" per line, in UTF-8'
        ) from None
    fields: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if path == OUR_LIST:
            domain, *parts = line.split("\t")
            fields += [f"{domain}/{part}" for part in parts]
        else:
            fields.append(_read_field(line, f"{path} line {number}"))
    if not fields:
        raise DataError(f'{path} names no domain; wanted one "Domain/Sub-domain" per line')
    return fields


def _read_field(line: str, where: str) -> str:
    # Only the first slash parts domain and sub-domain: "Advertising/A/B testing".
    domain, _, part = (piece.strip() for piece in line.partition("/"))
    if not domain or not part or len(line) > LONGEST_FIELD or not line.isprintable():
        raise DataError(
            f'{where}: found {line.strip()[:60]!r}; wanted "Domain/Sub-domain" of at most {LONGEST_FIELD} '
            "characters; correct that line"
        )
    return f"{domain}/{part}"


def draft_count(context: Context, fields: int) -> int:
    """How many drafts are asked for: one per field where no number of rows is wanted."""
    given = context.options.get(DRAFTS.name, DRAFTS.default)
    try:
        factor = float(given)
    except ValueError:
        factor = 0.0
    if not 1 <= factor <= MOST_DRAFTS:
        raise UsageError(f"--drafts is {given!r}; wanted a number from 1 to {MOST_DRAFTS:.0f}")
    return math.ceil(context.rows * factor) if context.rows else fields


def spread_fields(fields: list[str], seed: int) -> Iterator[str]:
    """The fields without end: each once before any comes again, neighbours from different domains.

    More rows only make it longer: what was drawn for fewer rows stays as it was.
    """
    by_domain = group_items(fields, lambda field: field.partition("/")[0])
    for turn in itertools.count():
        rng = random.Random(derived_seed(seed, "domains", turn))
        queues = [rng.sample(group, len(group)) for group in by_domain.values()]
        for place in range(max(map(len, queues))):
            layer = [queue[place] for queue in queues if place < len(queue)]
            yield from rng.sample(layer, len(layer))


def rotate_examples(names: tuple[str, ...], seed: int) -> Iterator[str]:
    """The examples without end, all of them before any comes again (section 3.1)."""
    for turn in itertools.count():
        rng = random.Random(derived_seed(seed, "examples", turn))
        yield from rng.sample(names, len(names))


def sample_domains(context: Context) -> Iterator[Row | Rejected]:
    """A field and an example for every draft."""
    listed = read_fields(list_path(context))
    fields = list(dict.fromkeys(listed))
    seen: set[str] = set()
    for field in listed:
        if field in seen:
            yield Rejected("repeated_field", row=field)
        seen.add(field)
    drawn = zip(
        spread_fields(fields, context.seed), rotate_examples(example_names(), context.seed), strict=True
    )
    for number, (field, example) in enumerate(itertools.islice(drawn, draft_count(context, len(fields)))):
        yield {"id": f"draft-{number:06}", "field": field, "example": example}


def list_files(context: Context) -> Iterator[Path]:
    """What the source reads, so that a changed list is sampled again."""
    path = list_path(context)
    if not path.is_file():
        raise DataError(f"{path} does not exist; --domains wants a file of your own, or leave it out")
    yield path


SOURCE = RowSource(
    "domains", 1, ("field", "example"), sample_domains, options=(DRAFTS.name,), files=list_files
)
