"""Other arguments with which a step of a chain does exactly the same, found out by calling it.

A country by its code or by its name; another text that an earlier step returned, where the tool takes either (an id or
an alias); another parameter for it (the name of a make for its number). The whole result and what it leaves in the world
must be the same, and a word that means nothing must give another result, or else the parameter does not matter here.
"""

import functools
from collections.abc import Iterator, Mapping

from toolyard.synth.chains.chain import Argument, Chain, ChainStep, ResultReference, takes_list
from toolyard.synth.chains.projection import View, output_fields
from toolyard.synth.chains.substitutes import Job, chain_jobs
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.result_text import encode
from toolyard.world.reference.places.atlas import countries

_MEANS_NOTHING = "zqvxkw"


def equal_ways(chain: Chain, view: View = output_fields) -> list[tuple[int, Mapping[str, Argument]]]:
    """The place of a call and other arguments of it, an empty text where one goes, with the same result."""
    return [
        (place, changed)
        for place, (step, job) in enumerate(zip(chain.steps, chain_jobs(chain), strict=True))
        for changed in (
            *_other_values(chain, step, place, job, view),
            *_other_parameters(chain, step, place, job, view),
        )
    ]


def _other_values(
    chain: Chain, step: ChainStep, place: int, job: Job, view: View
) -> Iterator[Mapping[str, Argument]]:
    """For a reference any other text; for a text of the request only what stands for the same country."""
    for name, given in step.arguments.items():
        own = job.given[name]
        if isinstance(given, list | Mapping) or not isinstance(own, str):
            continue
        forms = _country_names().get(own, ())
        for other, value in _returned_texts(chain, place, view):
            fits = other != given if isinstance(given, ResultReference) else value in forms
            if fits and _same_result(job, {**job.given, name: value}, step, name):
                yield {name: other}
        yield from (
            {name: form} for form in forms if _same_result(job, {**job.given, name: form}, step, name)
        )


def _other_parameters(
    chain: Chain, step: ChainStep, place: int, job: Job, view: View
) -> Iterator[Mapping[str, Argument]]:
    """Parameters that gold leaves out and that take, in place of a reference, a text of the same earlier step."""
    links = {name: link for name, link in step.references.items() if not takes_list(step.tool, name)}
    for name, link in links.items():
        rest = {key: value for key, value in job.given.items() if key != name}
        for item in library()[step.tool].document.parameters:
            if item.required or item.name in job.given or item.schema.get("type") != "string":
                continue
            for other, value in _returned_texts(chain, place, view):
                if other.step == link.step and _same_result(job, {**rest, item.name: value}, step, item.name):
                    yield {name: "", item.name: other}


def _returned_texts(chain: Chain, place: int, view: View) -> Iterator[tuple[ResultReference, str]]:
    """The texts that the steps before a place returned, with where they stand."""
    for index, step in enumerate(chain.steps[:place]):
        for field in view(step.tool):
            value = step.result.get(field.name)
            if isinstance(value, str):
                yield ResultReference(index, field.name), value


def _same_result(job: Job, given: Mapping[str, Argument], step: ChainStep, name: str) -> bool:
    wanted, own, other = encode(step.output), job.world.copy(), job.world.copy()
    seen = call(other, job.tool, dict(given))
    if seen.error is not None or encode(seen.value) != wanted:
        return False
    # Two texts of one length leave files that differ.
    call(own, job.tool, job.given)
    if own.diff() != other.diff():
        return False
    control = call(job.world.copy(), job.tool, {**given, name: _MEANS_NOTHING})
    return control.error is not None or encode(control.value) != wanted


@functools.cache
def _country_names() -> Mapping[str, tuple[str, ...]]:
    """Name -> its two codes, and code of two letters -> name and other code, of every country."""
    found: dict[str, tuple[str, ...]] = {}
    for row in countries():
        found[row["name"]] = (row["code"], row["code3"])
        found[row["code"]] = (row["name"], row["code3"])
    return found
