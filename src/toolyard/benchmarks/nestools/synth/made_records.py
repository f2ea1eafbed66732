"""Executed chains as records: tools and calls with labels, and what else is right beside the gold."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.nestools.synth.record_documents import documented_fields, record_document
from toolyard.benchmarks.nestools.synth.similar_tools import names
from toolyard.core.nesting import label_of_number
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import Argument, Chain, ResultReference, takes_list
from toolyard.synth.chains.remembered_calls import call
from toolyard.synth.chains.substitutes import Job, chain_jobs
from toolyard.synth.goals.accepts import LEFT_OUT
from toolyard.synth.goals.sayings import is_whole_word
from toolyard.synth.stages import Rejected
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.result_text import encode

Labels = Mapping[tuple[int, str], str]
_REFERENCE = re.compile(r"\$(\d+)\.(\w+)")


def chain_labels(chain: Chain) -> Labels:
    """(step, field) -> its label; labels count through all shown fields of all calls."""
    places = [
        (index, field.name)
        for index, step in enumerate(chain.steps)
        for field in documented_fields(step.tool)
    ]
    return {place: label_of_number(number) for number, place in enumerate(places)}


def chain_gold_calls(chain: Chain) -> list[Record]:
    """The gold calls."""
    labels = chain_labels(chain)
    return [
        {
            "api_name": names()[step.tool],
            "parameters": {
                name: _label_argument(given, labels, takes_list(step.tool, name))
                for name, given in step.arguments.items()
            },
            "responses": [labels[index, field.name] for field in documented_fields(step.tool)],
        }
        for index, step in enumerate(chain.steps)
    ]


def other_call(chain: Chain, place: int, arguments: Mapping[str, Argument]) -> dict[str, JsonValue]:
    """The gold call of that place with other arguments, as an entry of `alternatives` names it."""
    tool = chain.steps[place].tool
    labels = chain_labels(chain)
    return {
        "tool": names()[tool],
        "parameters": {
            name: _label_argument(given, labels, takes_list(tool, name)) for name, given in arguments.items()
        },
        "responses": [labels[place, field.name] for field in documented_fields(tool)],
    }


def _label_argument(given: Argument, labels: Labels, in_list: bool) -> JsonValue:
    if isinstance(given, list):
        return [_label_argument(item, labels, False) for item in given]
    if not isinstance(given, ResultReference):
        return given
    name = labels[given.step, given.field]
    return [name] if in_list else name


def reject_ill_typed(chain: Chain) -> Rejected | None:
    """A reference whose declared type is not that of the parameter it is given to."""
    for step in chain.steps:
        declared = record_document(step.tool)["parameters"]
        for name, link in step.references.items():
            kind = record_document(chain.steps[link.step].tool)["responses"][link.field]["type"]
            if declared[name]["type"] not in (kind, "list"):
                return Rejected("type_mismatch", f"{link.field} {kind}, {step.tool} {name}")
    return None


def states_default(chain: Chain) -> Rejected | None:
    """A value that the tool would have taken anyway: nobody can tell from a request whether it is wanted."""
    for step in chain.steps:
        for item in library()[step.tool].document.parameters:
            if item.name in step.arguments and step.arguments[item.name] == item.schema.get("default"):
                return Rejected("states_default", f"{step.tool} {item.name}")
    return None


def proved_alternatives(chain: Chain, text: str, says: Mapping[str, str]) -> list[object]:
    """What else is right, each entry proved by execution or by a document: see `toolyard.benchmarks.alternatives`."""
    found: list[object] = [*_left_out_defaults(chain), *_other_labels(chain, text)]
    found += _alternatives_in_words(chain, says)
    if _order_is_free(chain):
        found.append({"order": "free"})
    return found


def other_readings(chain: Chain, readings: Sequence[tuple[int, Mapping[str, JsonValue]]]) -> Iterator[Record]:
    """What follows the request as well, though it returns something else; an empty text leaves a parameter out.

    `author:$1.person` is a text that holds the label of an earlier call's value.
    """
    labels = chain_labels(chain)
    for place, changed in readings:
        for name, value in changed.items():
            entry = {"call": place, "parameter": name}
            if value == LEFT_OUT:
                yield {**entry, "absent": True}
            else:
                yield {**entry, "values": [_write_labels(value, labels)]}


def _write_labels(value: JsonValue, labels: Labels) -> JsonValue:
    if not isinstance(value, str):
        return value
    return _REFERENCE.sub(lambda found: labels[int(found[1]) - 1, found[2]], value)


def _left_out_defaults(chain: Chain) -> Iterator[object]:
    """Documented defaults of parameters that gold leaves out."""
    for index, step in enumerate(chain.steps):
        offered = record_document(step.tool)["parameters"]
        for item in library()[step.tool].document.parameters:
            default = item.schema.get("default")
            if default is not None and item.name in offered and item.name not in step.arguments:
                yield {"call": index, "parameter": item.name, "values": [default]}


def _other_labels(chain: Chain, text: str) -> Iterator[object]:
    """Equal values under another label, and the value itself where the request says it."""
    labels = chain_labels(chain)
    for index, step in enumerate(chain.steps):
        for name, given in step.arguments.items():
            if isinstance(given, list | Mapping | bool):
                continue
            own = (given.step, given.field) if isinstance(given, ResultReference) else None
            value = chain.resolved(index)[name]
            wanted = value[0] if isinstance(given, ResultReference) and isinstance(value, list) else value
            others: list[object] = [
                labels[place] for place in _fields_with_value(chain, index, wanted) if place != own
            ]
            if isinstance(given, ResultReference) and is_whole_word(str(wanted), text):
                others.append(wanted)
            if others:
                wrapped = takes_list(step.tool, name)
                yield {"call": index, "parameter": name, "values": [[o] if wrapped else o for o in others]}


def _fields_with_value(chain: Chain, before: int, value: JsonValue) -> Iterator[tuple[int, str]]:
    """Shown fields of earlier calls that hold this very value; flags and small numbers are equal by chance."""
    if isinstance(value, bool) or (isinstance(value, int | float) and abs(value) < 1000):
        return
    for index, step in enumerate(chain.steps[:before]):
        for field in documented_fields(step.tool):
            if field.name in step.result and encode(step.result[field.name]) == encode(value):
                yield index, field.name


def _alternatives_in_words(chain: Chain, says: Mapping[str, str]) -> Iterator[object]:
    """The words of the request in place of a value, where the tool does the same with them."""
    for index, (step, job) in enumerate(zip(chain.steps, chain_jobs(chain), strict=True)):
        for name, given in step.literals.items():
            words = says.get(str(given)) if isinstance(given, str) else None
            if (
                words is not None
                and words != given
                and _returns_the_same_output(job, name, words, step.output)
            ):
                yield {"call": index, "parameter": name, "values": [words]}


def _returns_the_same_output(job: Job, parameter: str, words: str, output: JsonValue) -> bool:
    seen = call(job.world.copy(), job.tool, {**job.given, parameter: words})
    return seen.error is None and encode(seen.value) == encode(output)


def _order_is_free(chain: Chain) -> bool:
    """Whether some neighbouring calls could change places."""
    return any((a, b) not in chain.edges for a, b in itertools.pairwise(range(len(chain.steps))))


def chain_tools(chain: Chain) -> Sequence[Record]:
    """The documents of the called tools, each once, in the order of the calls."""
    return list({step.tool: record_document(step.tool) for step in chain.steps}.values())
