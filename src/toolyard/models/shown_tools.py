"""Whether a chat template shows tools: one that leaves them out makes native calling measure nothing."""

from toolyard.core.types import JsonValue, Record

NAME = "look_up_the_tide"
ANY_TOOL: dict[str, JsonValue] = {
    "type": "function",
    "function": {
        "name": NAME,
        "description": "The tide.",
        "parameters": {"type": "object", "properties": {}},
    },
}
FACT = "tools"
UNSEEN_TOOLS = "the chat template shows the model no tools: this style measures nothing, use one in text"
NO_TOOLS_SHOWN: dict[str, str] = {FACT: "not in the chat template"}


def shows_any_tool(prompt: str) -> bool:
    """Whether a prompt that was made with `ANY_TOOL` shows it."""
    return NAME in prompt


def tool_use_facts(facts: dict[str, JsonValue], tools_sent: bool) -> dict[str, JsonValue]:
    """The facts of a model, without what the template does to tools where none were sent."""
    return {name: value for name, value in facts.items() if tools_sent or name != FACT}


def unseen_tools_note(manifest: Record) -> str:
    """That the model of a run saw none of the tools it was sent; empty where its template shows them."""
    return UNSEEN_TOOLS if FACT in (manifest.get("serving") or {}) else ""
