"""Calls drawn from a number: every tool in turn, with sensible, edge and hostile arguments in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import hostile_documents as documents
import hostile_grammars as grammars
import hostile_values as values

from toolyard.world import Tool

FILES_MADE: Mapping[str, Callable[[Random], bytes]] = {
    "/workspace/bad.pdf": documents.pdf, "/workspace/bad.docx": documents.archive, "/workspace/bad.png": documents.picture,
}  # fmt: skip
GRAMMARS: Mapping[tuple[str, str], tuple[grammars.Grammar, str]] = {
    ("Execute/Execute/execute_bash_code", "commands"): (grammars.SHELL, "line"),
    ("Execute/Execute/execute_mysql_query", "sql_cmd"): (grammars.SQL, "line"),
    ("Execute/Execute/execute_pycode", "code"): (grammars.PYTHON, "line"),
    ("Execute/Execute/exectue_pycode_REPL", "code"): (grammars.PYTHON, "line"),
    ("Execute/Execute/exectue_pycode_REPL_Ast", "code"): (grammars.PYTHON, "line"),
    ("Calculator/Calculator/calculator", "input_query"): (grammars.MATHEMATICS, "e"),
    ("Calculator/Calculator/wolfram_alpha_calculator", "input_query"): (grammars.MATHEMATICS, "line"),
    ("Calculator/Calculator/newton_calculator", "expression"): (grammars.MATHEMATICS, "bar"),
    ("Search/WolframSearch/get_wolfram_results", "query"): (grammars.MATHEMATICS, "line"),
    ("Word/Word/search_word", "letterPattern"): (grammars.PATTERNS, "line"),
    ("Word/Word/search_word", "pronunciationPattern"): (grammars.PATTERNS, "line"),
}
MANNERS = ("sensible", "edge", "hostile")
# Of so many calls one goes to a tool that computes, besides those that it gets like any other: its languages are endless.
COMPUTING_EVERY = 4


@dataclass(frozen=True, slots=True)
class Drawn:
    """One call before it is made."""

    tool: Tool
    manner: str
    arguments: Any
    compatibility: bool


class Draws:
    """Calls by number over some tools; values of examples stand in for one another where their meaning is the same."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tools
        self.computing = [tool for tool in tools if tool.isolated]
        self._by_meaning: dict[str, list[Any]] = {}
        for tool in tools:
            for parameter in tool.document.parameters:
                known = self._by_meaning.setdefault(_meaning(parameter), [])
                known += [given[parameter.name] for given in tool.examples if parameter.name in given]

    def drawn(self, seed: int, number: int) -> Drawn:
        """The call of a number: tools in turn, the manner changing with every time round, the rest by chance."""
        chance = Random(f"{seed}:{number}")
        around, place = divmod(number, COMPUTING_EVERY)
        if place == 0 and self.computing:
            tool = self.computing[around % len(self.computing)]
            turn = around // len(self.computing)
        else:
            count = number - around - 1 if self.computing else number
            tool, turn = self.tools[count % len(self.tools)], count // len(self.tools)
        manner = MANNERS[turn % len(MANNERS)]
        arguments = self.arguments(chance, tool, manner)
        return Drawn(tool, manner, arguments, chance.random() < 0.5)

    def arguments(self, chance: Random, tool: Tool, manner: str) -> Any:
        """Arguments for a tool in that manner; hostile ones need not be an object."""
        if manner == "hostile" and chance.random() < 0.02:
            return values.anything(chance)
        given = dict(chance.choice(tool.examples)) if chance.random() < 0.7 or manner == "sensible" else {}
        for parameter in tool.document.parameters:
            if chance.random() < 0.5 or (parameter.required and parameter.name not in given):
                given[parameter.name] = self.value(chance, tool, parameter, manner)
        if manner == "hostile" and chance.random() < 0.06:
            given[values.text(chance)] = values.anything(chance)
        return given

    def value(self, chance: Random, tool: Tool, parameter: Any, manner: str) -> Any:
        """One value: of the language that the parameter holds, of its kin, at the edges of its type, or anything."""
        known = GRAMMARS.get((tool.id, parameter.name))
        if known and chance.random() < (0.3 if manner == "sensible" else 0.9):
            return values.of(chance, *known)
        if "path" in parameter.name and manner != "sensible" and chance.random() < 0.7:
            path = chance.choice(tuple(FILES_MADE))
            return [path] if parameter.schema.get("type") == "array" else path
        if manner == "sensible":
            return self._sensible(chance, parameter)
        if manner == "edge" or chance.random() < 0.4:
            return values.fitting(chance, parameter.schema)
        return values.text(chance) if chance.random() < 0.5 else values.anything(chance)

    def _sensible(self, chance: Random, parameter: Any) -> Any:
        """What some example gives for the same thing, else a value of the type within its bounds."""
        kin = self._by_meaning.get(_meaning(parameter), [])
        if kin and chance.random() < 0.8:
            return chance.choice(kin)
        if "enum" in parameter.schema:
            return chance.choice(parameter.schema["enum"])
        if parameter.schema.get("type") in ("integer", "number"):
            low = parameter.schema.get("minimum", 0)
            return chance.randint(
                int(low), max(int(low), int(parameter.schema.get("maximum", int(low) + 40)))
            )
        return chance.choice(kin) if kin else values.fitting(chance, parameter.schema)


def _meaning(parameter: Any) -> str:
    """What a parameter holds: its name, with its kind where that says more than a type."""
    return f"{parameter.name}:{parameter.schema.get('x-semantic', '')}:{parameter.schema.get('type', '')}"
