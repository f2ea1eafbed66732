"""Prompts of the three levels in our own words under the paper's tags (Appendix A.4), and the episode.

Both twins are shown in the same form. The released prompts set an extra blank line in the unsolvable level-1
prompt, misspell UnsolvableQuery at level 3 and never ask there for the missing tool's description; ours do not.
"""

from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.scoring.parse import first_verdict
from toolyard.benchmarks.toolbehonest.task.native import MOST_ROUNDS, Plan, functions_text, write_program
from toolyard.benchmarks.toolbehonest.task.official_prompt import official_prompt
from toolyard.core.benchmark import Choice, RunSetup
from toolyard.core.episodes import WRITTEN, Functions, answer_at_once, call_loop
from toolyard.core.programs import CODE
from toolyard.core.types import (
    Completion,
    Conversation,
    Effects,
    Episode,
    Generate,
    Message,
    Options,
    Request,
)
from toolyard.core.variations import read_templates
from toolyard.text.templates import render

FOLDER = Path(__file__).parents[1] / "templates"
TEMPLATES = read_templates(FOLDER)
WAYS = read_templates(FOLDER / "ways")
EXAMPLE, ZERO_SHOT, NATIVE, VERBATIM = "example", "zero-shot", "native", "verbatim"
STYLES = (EXAMPLE, ZERO_SHOT, VERBATIM, NATIVE, CODE)
# Until 1.5.0 the prompt without an example was the default and had no other name.
CHOICES = (
    Choice("language", "Language of the data and of the prompts.", "en", ("en", "zh")),
    Choice("reprompt", "After a verdict of solvable, ask how each requirement is met.", "no", ("yes", "no")),
    Choice("confidence", "Ask for log-probabilities of the level-1 verdict.", "no", ("yes", "no")),
)


def prompt(sample: ToolBeHonestSample, options: Options) -> tuple[Message, ...]:
    """The one message that asks a sample's level."""
    texts = {**TEMPLATES, **WAYS, **options.templates}
    which = f"{sample.input['level']}_{sample.input['language']}"
    if options.style in (NATIVE, CODE):
        text = render(texts[f"native_{which}"], {"task": sample.input["task"]})
        if options.style == CODE:
            fields = {"rules": text, "functions": functions_text(sample)}
            text = render(texts[f"code_{sample.input['language']}"], fields)
        return (Message("user", text),)
    if options.style == VERBATIM:
        return (Message("user", official_prompt(sample, options.templates)),)
    example = texts[f"example_{which}"] if options.style == EXAMPLE else ""
    fields = {
        "task": sample.input["task"],
        "tools": sample.input["tools"],
        "example": f"{example.strip()}\n\n" if example else "",
    }
    return (Message("user", render(texts[f"level_{which}"], fields)),)


def episode(samples: tuple[ToolBeHonestSample, ...], setup: RunSetup) -> Episode:
    """One prompt and one answer; with `reprompt`, a second turn after a verdict of solvable (E.3).

    The paper asks again where the verdict was wrong, which only the gold can tell. Here every verdict of
    solvable is questioned, on both twins, and the share corrected is counted over the unsolvable ones.
    """
    options = setup.options
    conversations = []
    for sample in samples:
        if options.style == NATIVE:
            conversations.append((yield from _play_natively(sample, setup)))
            continue
        if options.style == CODE:
            request = Request(prompt(sample, options), setup.decoding, sample=sample.id)
            conversations.append((yield from write_program(sample, request)))
            continue
        messages = setup.benchmark.task.prompt(sample, options)
        completions: list[Completion] = []
        completion: Completion = yield _generate_turn(sample, messages, setup, 0)
        completions.append(completion)
        messages = (*messages, completion.message)
        if _to_be_questioned(sample, completion, options):
            name = f"reprompt_{sample.input['language']}"
            messages = (*messages, Message("user", options.templates.get(name, TEMPLATES[name])))
            completion = yield _generate_turn(sample, messages, setup, 1)
            completions.append(completion)
            messages = (*messages, completion.message)
        conversations.append(Conversation(messages, tuple(completions)))
    return tuple(conversations)


def _play_natively(sample: ToolBeHonestSample, setup: RunSetup) -> Effects[Conversation]:
    """The plan as calls, one after the other."""
    plan = Plan(sample)
    request = Request(prompt(sample, setup.options), setup.decoding, sample=sample.id)
    messages, completions = yield from call_loop(
        request, Functions(plan.functions, answer_at_once(plan.answer), MOST_ROUNDS)
    )
    notes = {WRITTEN: plan.answer_text()} if plan.steps else {}
    return Conversation(messages, completions, notes)


def _generate_turn(
    sample: ToolBeHonestSample, messages: tuple[Message, ...], setup: RunSetup, turn: int
) -> Generate:
    wants_logprobs = sample.input["level"] == 1 and setup.options.values.get("confidence") == "yes"
    decoding = replace(setup.decoding, logprobs=wants_logprobs or setup.decoding.logprobs)
    return Generate(Request(messages=messages, decoding=decoding, sample=sample.id, turn=turn))


def _to_be_questioned(sample: ToolBeHonestSample, completion: Completion, options: Options) -> bool:
    if options.values.get("reprompt") != "yes" or sample.input["level"] != 1:
        return False
    return first_verdict(completion.text) == "solvable"
