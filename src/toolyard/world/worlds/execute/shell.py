"""A shell over the virtual disk. Nothing is ever handed to the host: a command is a Python function.

Every command takes a `Call` and returns lines of output; what goes wrong is a `Failure` with the message
that a shell would print.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toolyard.world.faults import ToolFault
from toolyard.world.state import World
from toolyard.world.worlds.execute.shell_parameters import Unknown, parameter
from toolyard.world.worlds.execute.shell_sums import Unreadable, value
from toolyard.world.worlds.execute.shell_syntax import Chain, Command, Compound, Word, parse, quoted
from toolyard.world.worlds.file import files

MAX_OUTPUT = 100_000
MAX_COMMANDS = 500


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
    commands: Mapping[str, Function] = field(default_factory=dict)
    lines: list[str] | None = None  # what a loop reads line by line
    steps: int = 0
    depth: int = 0
    left: bool = False  # whether exit ended the command line
    inner: str = ""  # what command lines within others complained of
    texts: dict[str, str] = field(default_factory=dict)  # here-documents by the name that stands for them

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
        if name in self.shell.texts:
            return self.shell.texts[name]
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
            if (
                not word.startswith("-")
                or word == "-"
                or (word[1:].isdigit() and "n:" not in known and "1" not in known)
            ):
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


_HERE = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,40})\1([^\n]{0,200})\n(.*?\n|)[ \t]*\2(?=\n|$)", re.DOTALL)


def run(shell: Shell, text: str, commands: Mapping[str, Function]) -> Ran:
    """Runs a command line; what it writes is in the world, what it prints in the answer."""
    shell.commands = commands
    shell.left = False

    def kept(match: re.Match[str]) -> str:
        name = f"/dev/here{'' if match[1] else '$'}{len(shell.texts)}"
        shell.texts[name] = match[4]
        return f"< '{name}'{match[3]}"

    return _chains(shell, parse(_HERE.sub(kept, text)), "")


def _chains(shell: Shell, chains: list[Chain], flow: str) -> Ran:
    """Chains one after the other; the first command of each reads what flows in."""
    output: list[str] = []
    errors: list[str] = []
    for chain in chains:
        if shell.left:
            break
        if (chain.sign == "&&" and shell.status) or (chain.sign == "||" and not shell.status):
            continue
        shell.steps += len(chain.commands)
        if shell.steps > MAX_COMMANDS:
            raise ToolFault("limit_exceeded", f"at most {MAX_COMMANDS} commands at once")
        ran = _pipe(shell, chain, flow)
        output.append(ran.output)
        errors.append(ran.errors)
        shell.status = ran.status
        if sum(map(len, output)) > MAX_OUTPUT:
            raise ToolFault("limit_exceeded", f"more than {MAX_OUTPUT} characters of output; print less")
    return Ran("".join(output), "".join(errors), shell.status)


def _pipe(shell: Shell, chain: Chain, flow: str) -> Ran:
    errors, status = "", 0
    for command in chain.commands:
        ran = _command(shell, command, flow)
        flow, errors, status = ran.output, errors + ran.errors, ran.status
    return Ran(flow, errors, status)


def _compound(shell: Shell, compound: Compound, flow: str) -> Ran:
    """A loop or a choice; what flows in is read line by line by `read`."""
    outer, shell.lines = shell.lines, flow.splitlines() if flow else shell.lines
    parts: list[Ran] = []
    if compound.kind == "{":
        parts.append(_chains(shell, compound.branches[0][1], ""))
    elif compound.kind == "for":
        for text in [one for word in compound.words for one in _expanded(shell, word)]:
            shell.variables[compound.name] = text[:1000]
            parts.append(_chains(shell, compound.branches[0][1], ""))
    elif compound.kind == "if":
        for tests, body in compound.branches:
            parts.append(_chains(shell, tests, ""))
            if not tests or not parts[-1].status:
                parts.append(_chains(shell, body, ""))
                break
        else:
            shell.status = 0
    else:
        tests, body = compound.branches[0]
        parts.append(_chains(shell, tests, ""))
        while (not shell.status) == (compound.kind == "while") and not shell.left:
            parts.append(_chains(shell, body, ""))
            parts.append(_chains(shell, tests, ""))
        shell.status = shell.status if shell.left else 0
    shell.lines = outer
    return Ran("".join(part.output for part in parts), "".join(part.errors for part in parts), shell.status)


def _command(shell: Shell, command: Command, flow: str) -> Ran:
    targets = [(sign, _text(shell, word) if word else "") for sign, word in command.redirections]
    status, errors = 0, ""
    try:
        for sign, name in targets:
            if sign in ("<", "<<<"):
                flow = (
                    f"{name}\n" if sign == "<<<" else _here(shell, Call(shell, "sh", [], "").read(name), name)
                )
        if command.compound:
            return _redirected(shell, targets, _compound(shell, command.compound, flow))
        words = [text for word in command.words for text in _expanded(shell, word)]
        if words[:1] == ["[["]:  # stars are patterns there, not files
            words = [_text(shell, word) for word in command.words]
        output = _called(shell, words, flow, shell.commands) if words else ""
        status = shell.status if command.words and not words else 0
    except Failure as failure:
        output, errors, status = failure.output, f"{failure}\n" if str(failure) else "", failure.status
    except ToolFault as fault:
        if fault.kind != "denied":
            raise
        output, errors, status = "", f"{words[0]}: {fault.message.partition(',')[0]}\n", 1
    errors, shell.inner = shell.inner + errors, ""
    if len(output) > MAX_OUTPUT:
        raise ToolFault("limit_exceeded", f"more than {MAX_OUTPUT} characters of output; print less")
    try:
        return _redirected(shell, targets, Ran(output, errors, status))
    except Failure as failure:
        return Ran("", f"{errors}sh: {failure}\n", 1)


def _here(shell: Shell, text: str, name: str) -> str:
    """What flows in: a file as it is, a here-document with its variables filled in unless its mark was quoted."""
    if not name.startswith("/dev/here$"):
        return text
    return _text(shell, quoted(text)) if text else ""


_PROGRAMS = re.compile(r"^(?:/usr)?/bin/")


def _called(shell: Shell, words: list[str], flow: str, commands: Mapping[str, Function]) -> str:
    while words and "=" in words[0] and words[0].split("=", 1)[0].isidentifier():
        name, _, value = words.pop(0).partition("=")
        shell.variables[name] = value[:1000]
    if not words:
        return ""
    function = commands.get(_PROGRAMS.sub("", words[0]))
    if function is None and "/" in words[0]:
        there = files.is_file(shell.world, shell.path(words[0]))
        problem = "Permission denied, run it with sh" if there else "No such file or directory"
        raise Failure(f"sh: {words[0][:60]}: {problem}", 126 if there else 127)
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
    if files.of_root(path):
        raise Failure(f"{name}: Permission denied")
    old = Call(shell, "sh", [], "").read(path) if append and files.is_file(shell.world, path) else ""
    files.write(shell.world, path, old + text)


def _text(shell: Shell, word: Word) -> str:
    return "".join(_piece(shell, kind, text) for kind, text in word.pieces)


def _piece(shell: Shell, kind: str, text: str) -> str:
    if kind == "variable":
        try:
            return parameter(text, lambda name: _value(shell, name), shell.variables.__setitem__)[:100_000]
        except Unknown:
            raise Failure(f"sh: ${{{text[:60]}}}: bad substitution") from None
    if kind == "sum":
        try:
            return f"{value(text.replace('$', ''), lambda name: _value(shell, name)):.0f}"
        except Unreadable:
            raise Failure(f"sh: {text.strip()[:60]}: syntax error in expression") from None
    if kind == "command":
        shell.depth += 1
        if shell.depth > 8:
            raise ToolFault("limit_exceeded", "at most eight command lines in one another")
        ran = _chains(shell, parse(text), "")
        shell.depth -= 1
        shell.inner += ran.errors
        return ran.output.rstrip("\n")
    return text


def _value(shell: Shell, name: str) -> str:
    known = {
        "?": str(shell.status),
        "$": "1",
        "PWD": shell.directory,
        "HOME": files.HOME,
        "USER": "alex",
        "SHELL": "/bin/sh",
        "PATH": "/usr/bin:/bin",
        "#": "0",
    }
    return shell.variables.get(name, known.get(name, ""))


_BRACES = re.compile(r"\{(?:(-?\d{1,4})\.\.(-?\d{1,4})|([^{}]*,[^{}]*))\}")


def _listed(braces: re.Match[str]) -> list[str]:
    """What {1..5} or {a,b} stands for."""
    if braces[3] is not None:
        return braces[3].split(",")
    first, last = int(braces[1]), int(braces[2])
    step = 1 if last >= first else -1
    return [str(number) for number in range(first, last + step, step)][:1000]


def _each(text: str) -> list[str]:
    """The words that a word with braces stands for, from the first braces to the last."""
    braces = _BRACES.search(text)
    if braces is None:
        return [text]
    rest = _each(text[braces.end() :])
    return [text[: braces.start()] + one + end for one in _listed(braces)[:1000] for end in rest[:1000]][
        :1000
    ]


def _expanded(shell: Shell, word: Word) -> list[str]:
    """The text of a word, or the paths that its unquoted stars stand for, or the words of its braces."""
    text = _text(shell, word)
    braces = (
        _BRACES.search(text) if any((kind, piece) == ("text", "{") for kind, piece in word.pieces) else None
    )
    if braces:
        return _each(text)[:1000]
    if len(word.pieces) == 1 and word.pieces[0][0] in ("variable", "command"):
        return text.split()
    if not any(kind == "text" and piece in "*?" for kind, piece in word.pieces):
        return [text]
    head, _, pattern = text.rpartition("/")
    folder = shell.path(head or ("/" if text.startswith("/") else "."))
    names = [name for name in files.children(shell.world, folder) if fnmatch.fnmatchcase(name, pattern)]
    prefix = f"{head}/" if "/" in text else ""
    return [prefix + name for name in names if not name.startswith(".")] or [text]
