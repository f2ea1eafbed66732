"""A scripted model that follows descriptions to the letter: it never looks at the names of tools."""

import json
import re
from typing import Any

# Words that mean one operation; of all others the first five letters count.
SENSES = {
    **dict.fromkeys(("create", "creates", "add", "adds", "set", "opens", "new"), "CREATE"),
    **dict.fromkeys(("show", "open", "look", "looks", "reads", "read", "returns", "one", "by"), "READ"),
    **dict.fromkeys(("list", "lists", "all", "every", "names"), "LIST"),
    **dict.fromkeys(("change", "changes", "update", "edit", "existing"), "UPDATE"),
    **dict.fromkeys(("delete", "deletes", "remove", "removes", "get", "rid", "good"), "DELETE"),
}
EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the of with in to it its and me there is so that has i would like you could please from using",
    )
)


def senses(text: str) -> set[str]:
    """The operation and the things that a text speaks of, values left out."""
    words = re.findall(r"[a-z]+", re.sub(r"\"[^\"]*\"|\S*\d\S*", " ", text.lower()))
    found = {SENSES.get(word, word[:5].removesuffix("s")) for word in words if word not in EMPTY}
    return found - {"id", "label", "title", "body", "text"}


def chosen(request: str, tools: list[tuple[str, str]]) -> str | None:
    """The tool whose description shares most with the request; the first on ties, none where nothing is shared."""
    wanted = senses(request)
    # "Show me all notes" asks for a list, though it says "show".
    scores = [
        len(wanted & senses(text))
        + 0.5 * ("LIST" in wanted & senses(text))
        - 0.01 * len(senses(text) - wanted)
        for _, text in tools
    ]
    best = max(scores, default=0)
    return tools[scores.index(best)][0] if best > 0.9 else None


def literal(messages: list[dict[str, str]]) -> str:
    """The answer in whichever form the prompt asks for."""
    first, last = messages[0]["content"], messages[-1]["content"]
    if "<provided_tools>" in last:
        return _plan(last)
    if '"api_description"' in last or '"api_description"' in first:
        return _nested(first if '"api_description"' in first else last)
    if "Observation:" in last:
        return 'Thought: It is done.\nAction: finish\nAction Input: {"answer": "It is done."}'
    documents = [json.loads(line) for line in first.splitlines() if line.startswith('{"name"')]
    request = last.rsplit("User:", 1)[-1] if len(messages) == 1 else last
    name = chosen(request, _listed(documents, "name", "description"))
    return (
        "Thought: Nothing fits." if name is None else f"Thought: It fits.\nAction: {name}\nAction Input: {{}}"
    )


def _listed(documents: list[dict[str, Any]], name: str, text: str) -> list[tuple[str, str]]:
    return [(each[name], each[text]) for each in documents if each[name] not in ("ask_to_user", "finish")]


def _steps(request: str) -> list[str]:
    plain = re.sub(r'"[^"]*"', "X", request)
    return [step for step in re.split(r"[.?!]\s+(?=[A-Z])", plain) if len(step) > 8] or [request]


def _plan(prompt: str) -> str:
    task = prompt.split("<task>")[-1].split("</task>")[0].strip()
    lines = re.findall(r"^\d+\. ([^:\n]+):(.*)$", prompt.split("<provided_tools>")[-1], re.MULTILINE)
    tools = [(name, text) for name, text in lines if name not in ("Finish", "UnsolvableQuery")]
    names = [chosen(step, tools) or "UnsolvableQuery" for step in _steps(task)]
    if "Reply with exactly one of these two lines" in prompt:
        return f"<answer>{'unsolvable' if 'UnsolvableQuery' in names else 'solvable'}</answer>"
    lines = [*names, "Finish"]
    if "Planned tool:" in prompt:
        lines = [f"Subgoal {place}: a step Planned tool: {name}" for place, name in enumerate(lines, 1)]
    return "<answer>" + "\n".join(lines) + "</answer>"


def _nested(prompt: str) -> str:
    documents = json.loads(re.findall(r"^\[\{\"api_name.*\]$", prompt, re.MULTILINE)[-1])
    ids = {each["api_name"]: each["api_id"] for each in documents}
    task = prompt.rsplit("Task:", 1)[-1].rsplit("Calls:", 1)[0]
    names = [chosen(step, _listed(documents, "api_name", "api_description")) for step in _steps(task)]
    calls = [
        {"api_name": name, "api_id": ids[name], "parameters": {}, "responses": {}} for name in names if name
    ]
    return json.dumps(calls)
