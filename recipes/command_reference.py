"""The reference of all commands and options in docs/commands.md, written from the commands themselves.

python recipes/command_reference.py            # writes it between the page's two marks
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from toolyard.cli.app import app

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
PLACE = re.compile(r"(<!-- options:start -->\n).*?(<!-- options:end -->)", re.DOTALL)
NO_VALUE: tuple[object, ...] = (None, False, "", (), [])


def reference() -> str:
    """Every command with its arguments and options, as Markdown."""
    commands: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
    return "\n".join(line for name, command in commands.items() for line in describe(command, name))


def describe(command: Any, name: str) -> Iterator[str]:
    """The lines of one command, or of all commands of a group."""
    if hasattr(command, "commands"):
        for verb, member in command.commands.items():
            yield from describe(member, f"{name} {verb}")
        return
    shown = [item for item in command.params if not getattr(item, "hidden", False)]
    arguments = [item for item in shown if item.param_type_name == "argument"]
    options = [item for item in shown if item.param_type_name == "option"]
    usage = " ".join([f"toolyard {name}", *(_metavar(item) for item in arguments)])
    yield f"### {name}\n\n`{usage}`\n"
    yield _paragraphs(command.help or "") + "\n"
    if arguments or options:
        yield "| option | meaning | default |\n|---|---|---|"
        yield from map(_row, [*arguments, *options])
        yield ""


def _metavar(argument: Any) -> str:
    word = (argument.name or "").upper() + (" ..." if argument.nargs != 1 else "")
    return word if argument.required else f"[{word}]"


def _paragraphs(text: str) -> str:
    parts = [" ".join(part.replace("\b", "").split()) for part in text.split("\n\n")]
    return "\n\n".join(map(_paragraph, parts)).strip()


def _paragraph(text: str) -> str:
    """A paragraph as it is; examples as a block of code, one command a line."""
    found = re.match(r"Examples?: (.*)", text)
    if found is None:
        return text
    return "```\n" + found.group(1).replace("; ", "\n") + "\n```"


def _row(item: Any) -> str:
    names = ", ".join(item.opts) if item.param_type_name == "option" else item.name.upper()
    meaning = " ".join((getattr(item, "help", "") or "").split()).replace("|", "\\|")
    return f"| `{names}` | {meaning} | {_default(item)} |"


def _default(item: Any) -> str:
    value = item.default
    if item.required:
        return "required"
    return "" if value in NO_VALUE or callable(value) else f"`{value}`"


def write(page: Path = PAGE) -> None:
    """Puts the reference between the page's marks."""
    text = page.read_text(encoding="utf-8")
    page.write_text(PLACE.sub(lambda place: place.group(1) + reference() + place.group(2), text), "utf-8")


if __name__ == "__main__":
    write()
