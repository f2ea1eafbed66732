"""A shell over the virtual disk. Nothing is ever handed to the host: a command is a Python function.

Every command takes a `Call` and returns lines of output; what goes wrong is a `Failure` with the message
that a shell would print.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toolyard.world.faults import ToolFault
from toolyard.world.state import World
from toolyard.world.worlds.execute.shell_syntax import Chain, Command, Word, parse
from toolyard.world.worlds.file import files

MAX_OUTPUT = 100_000
MAX_COMMANDS = 200


class Failure(Exception):
    """A command failed with this message (and perhaps some output)."""

    def __init__(self, message: str, status: int = 1, output: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.output = output


@dataclass(slots=True)
class Shell:
    """What lasts from command to command."""

    world: World
    directory: str = files.HOME
    variables: dict[str, str] = field(default_factory=dict)
    status: int = 0
    programs: int = 0

    def path(self, text: str) -> str:
        """The absolute path of what a command names."""
        try:
            return files.normal(text, self.directory)
        except ToolFault:
            raise Failure(f"{text[:60]!r}: not a usable path") from None


@dataclass(frozen=True, slots=True)
class Call:
    """One command: its name, words, standard input, and the shell it runs in."""

    shell: Shell
    name: str
    words: list[str]
    stdin: str

    def fail(self, message: str, status: int = 1) -> Failure:
        """A failure that begins with the command's name."""
        return Failure(f"{self.name}: {message}", status)

    def read(self, name: str) -> str:
        """The text of a file, - for standard input."""
        if name == "-":
            return self.stdin
        path = self.shell.path(name)
        if files.is_directory(self.shell.world, path):
            raise self.fail(f"{name}: Is a directory")
        if not files.is_file(self.shell.world, path):
            raise self.fail(f"{name}: No such file or directory")
        content = files.read(self.shell.world, path)
        return content if isinstance(content, str) else content.decode("latin-1")

    def inputs(self, names: list[str]) -> list[tuple[str, str]]:
        """Name and text of each file; standard input where none is named."""
        return [(name, self.read(name)) for name in names] if names else [("-", self.stdin)]

    def options(self, known: str) -> tuple[dict[str, str], list[str]]:
        """Flags and operands; a letter followed by : in `known` takes a value."""
        flags: dict[str, str] = {}
        operands: list[str] = []
        words = list(self.words)
        while words:
            word = words.pop(0)
            if word == "--":
                operands += words
                break
            if not word.startswith("-") or word == "-" or (word[1:].isdigit() and "n:" not in known):
                operands.append(word)
                continue
            self._flags(word[1:], known, words, flags)
        return flags, operands

    def _flags(self, letters: str, known: str, words: list[str], flags: dict[str, str]) -> None:
        if "n:" in known and letters.isdigit():
            flags["n"] = letters
            return
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter not in known or letter == ":":
                raise self.fail(f"invalid option -- '{letter}'", 2)
            flags[letter] = ""
            if f"{letter}:" in known:
                if not letters and not words:
                    raise self.fail(f"option requires an argument -- '{letter}'", 2)
                flags[letter] = letters or words.pop(0)
                return


@dataclass(frozen=True, slots=True)
class Ran:
    """Output, errors and exit status of a command line."""

    output: str
    errors: str
    status: int


Function = Callable[[Call], str]


def run(shell: Shell, text: str, commands: Mapping[str, Function]) -> Ran:
    """Runs a command line; what it writes is in the world, what it prints in the answer."""
    output: list[str] = []
    errors: list[str] = []
    chains = parse(text)
    if sum(len(chain.commands) for chain in chains) > MAX_COMMANDS:
        raise ToolFault("limit_exceeded", f"at most {MAX_COMMANDS} commands at once")
    for chain in chains:
        if (chain.sign == "&&" and shell.status) or (chain.sign == "||" and not shell.status):
            continue
        ran = _pipe(shell, chain, commands)
        output.append(ran.output)
        errors.append(ran.errors)
        shell.status = ran.status
        if sum(map(len, output)) > MAX_OUTPUT:
            raise ToolFault("limit_exceeded", f"more than {MAX_OUTPUT} characters of output; print less")
    return Ran("".join(output), "".join(errors), shell.status)


def _pipe(shell: Shell, chain: Chain, commands: Mapping[str, Function]) -> Ran:
    flow, errors, status = "", "", 0
    for command in chain.commands:
        ran = _command(shell, command, flow, commands)
        flow, errors, status = ran.output, errors + ran.errors, ran.status
    return Ran(flow, errors, status)


def _command(shell: Shell, command: Command, flow: str, commands: Mapping[str, Function]) -> Ran:
    words = [text for word in command.words for text in _expanded(shell, word)]
    targets = [(sign, _text(shell, word) if word else "") for sign, word in command.redirections]
    status, errors = 0, ""
    try:
        for sign, name in targets:
            if sign == "<":
                flow = Call(shell, "sh", [], "").read(name)
        output = _called(shell, words, flow, commands) if words else ""
    except Failure as failure:
        output, errors, status = failure.output, f"{failure}\n" if str(failure) else "", failure.status
    if len(output) > MAX_OUTPUT:
        raise ToolFault("limit_exceeded", f"more than {MAX_OUTPUT} characters of output; print less")
    try:
        return _redirected(shell, targets, Ran(output, errors, status))
    except Failure as failure:
        return Ran("", f"{errors}sh: {failure}\n", 1)


def _called(shell: Shell, words: list[str], flow: str, commands: Mapping[str, Function]) -> str:
    while words and "=" in words[0] and words[0].split("=", 1)[0].isidentifier():
        name, _, value = words.pop(0).partition("=")
        shell.variables[name] = value[:1000]
    if not words:
        return ""
    function = commands.get(words[0])
    if function is None:
        raise Failure(f"sh: {words[0][:60]}: command not found", 127)
    return function(Call(shell, words[0], words[1:], flow))


def _redirected(shell: Shell, targets: list[tuple[str, str]], ran: Ran) -> Ran:
    output, errors = ran.output, ran.errors
    if any(sign == "2>&1" for sign, _ in targets):
        output, errors = output + errors, ""
    for sign, name in targets:
        if sign in (">", ">>", "2>"):
            text = errors if sign == "2>" else output
            if name != "/dev/null":
                put(shell, name, text, append=sign == ">>")
            output, errors = (output, "") if sign == "2>" else ("", errors)
    return Ran(output, errors, ran.status)


def put(shell: Shell, name: str, text: str, *, append: bool) -> None:
    path = shell.path(name)
    if not files.is_directory(shell.world, path.rsplit("/", 1)[0] or "/"):
        raise Failure(f"{name}: No such file or directory")
    if files.is_directory(shell.world, path):
        raise Failure(f"{name}: Is a directory")
    old = Call(shell, "sh", [], "").read(path) if append and files.is_file(shell.world, path) else ""
    files.write(shell.world, path, old + text)


def _text(shell: Shell, word: Word) -> str:
    return "".join(_value(shell, text) if kind == "variable" else text for kind, text in word.pieces)


def _value(shell: Shell, name: str) -> str:
    known = {
        "?": str(shell.status),
        "$": "1",
        "PWD": shell.directory,
        "HOME": files.HOME,
        "USER": "alex",
        "SHELL": "/bin/sh",
    }
    return shell.variables.get(name, known.get(name, ""))


def _expanded(shell: Shell, word: Word) -> list[str]:
    """The text of a word, or the paths that its unquoted stars stand for."""
    text = _text(shell, word)
    if not any(kind == "text" and piece in "*?" for kind, piece in word.pieces):
        return [text]
    head, _, pattern = text.rpartition("/")
    folder = shell.path(head or ("/" if text.startswith("/") else "."))
    names = [name for name in files.children(shell.world, folder) if fnmatch.fnmatchcase(name, pattern)]
    prefix = f"{head}/" if "/" in text else ""
    return [prefix + name for name in names if not name.startswith(".")] or [text]
