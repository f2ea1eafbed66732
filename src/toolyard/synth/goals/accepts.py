"""Other arguments with which a call of a goal is right as well, as the goal names them and execution proves.

    accepts = [[2, {q = "{town}"}], [2, {keyword = "{artist}", attractionId = ""}]]

The first says that the second call may be given the town's name in place of what it has; an empty text leaves a parameter
out. Each is tried in the world before the call: what later calls take from it must be the same, or, where none does, all
that it shows. What `equal_ways` finds by itself is added.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolyard.core.types import Failure, Record
from toolyard.synth.chains.chain import Argument, Chain
from toolyard.synth.chains.equal_ways import equal_ways
from toolyard.synth.chains.projection import View, output_fields, project_result
from toolyard.synth.chains.substitutes import Job, chain_jobs
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.result_text import encode

LEFT_OUT = ""
# The place of a call, counted from 0, and the arguments that may be other ones.
Accepts = Sequence[tuple[int, Mapping[str, Argument]]]


def accepted_alternatives(
    chain: Chain,
    accepts: Accepts,
    whole: Callable[[int, Mapping[str, Argument]], Record],
    view: View = output_fields,
) -> list[Any] | Failure:
    """The entries of `alternatives` for these arguments and for all that does the same; `whole` writes a call.

    A failure where one that was named gives another result: then the request can be read in two ways.
    """
    found: list[object] = []
    steps = chain_jobs(chain) if accepts else ()
    for place, changed in accepts:
        if not _same_results(chain, place, steps[place], changed, view):
            return Failure("other_result", f"{chain.steps[place].tool} {', '.join(changed)}")
    for place, changed in (*accepts, *equal_ways(chain, view)):
        written = whole(place, _drop_left_out({**chain.steps[place].arguments, **changed}))
        if LEFT_OUT in changed.values():
            found.append({"call": place, **written})
        else:
            found += [
                {"call": place, "parameter": name, "values": [written["parameters"][name]]}
                for name in changed
            ]
    return found


def _same_results(chain: Chain, place: int, job: Job, changed: Mapping[str, Argument], view: View) -> bool:
    seen = call(job.world.copy(), job.tool, _drop_left_out({**job.given, **changed}))
    if seen.error is not None:
        return False
    result, wanted = project_result(job.tool, seen.value, view), chain.steps[place].result
    taken = {link.field for later in chain.steps for _, link in later.links if link.step == place}
    return all(encode(result.get(name)) == encode(wanted[name]) for name in taken or wanted)


def _drop_left_out(given: Mapping[str, Argument]) -> dict[str, Argument]:
    return {name: value for name, value in given.items() if value != LEFT_OUT}
