"""A shell over the virtual disk. Nothing is ever handed to the host: a command is a Python function.

It knows pipes, redirections, && || and ;, quotes, variables and patterns of file names; anything else is refused by
name. Every command takes a `Call` and returns its output; what goes wrong is a `Failure` with the message that a
shell would print.
"""

import fnmatch
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.state import World
from toolyard.world.tools.file import files

MAX_OUTPUT = 100_000
MAX_COMMANDS = 300
_UNSUPPORTED = re.compile(r"\$\(|`|<<|<\(|\$\{\w+[^\w}]")
_WORDS = frozenset("for while until if case function select do then".split())
_OPERATOR = re.compile(r"2>&1|2>>|2>|&>|>>|&&|\|\||[|;<>\n]")
_PIECE = re.compile(
    r"""'(?P<single>[^']*)'|"(?P<double>(?:[^"\\]|\\.)*)"|\\(?P<escaped>.)|(?P<bare>[^\s'"\\|;<>&]+)""",
    re.DOTALL,
)
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+|\?))")
_PROGRAMS = re.compile(r"^(?:/usr)?/bin/")


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
            return files.normal_path(text, self.directory)
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
        content = files.read_file(self.shell.world, path)
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
# The pieces of a word, each with the kind of quoting that it stood in.
Word = list[tuple[str, str]]


@dataclass(slots=True)
class Command:
    """One command of a pipe: the operator before it, its words, and where its output goes."""

    sign: str
    words: list[Word] = field(default_factory=list)
    targets: list[tuple[str, Word]] = field(default_factory=list)


def run_commands(shell: Shell, text: str, commands: Mapping[str, Function]) -> Ran:
    """Runs a command line; what it writes is in the world, what it prints in the answer."""
    output = errors = flow = ""
    skipped = False
    steps = parse_commands(text)
    if len(steps) > MAX_COMMANDS:
        raise ToolFault("limit_exceeded", f"at most {MAX_COMMANDS} commands at once")
    for step, following in zip(steps, [*steps[1:], Command(";")], strict=True):
        if step.sign != "|":
            skipped = (step.sign == "&&" and shell.status != 0) or (step.sign == "||" and shell.status == 0)
            flow = ""
        if skipped:
            continue
        ran = _run_command(shell, step, flow, commands)
        flow, errors, shell.status = ran.output, errors + ran.errors, ran.status
        if following.sign != "|":
            output += flow
        if len(output) > MAX_OUTPUT or len(flow) > MAX_OUTPUT:
            raise ToolFault("limit_exceeded", f"more than {MAX_OUTPUT} characters of output; print less")
    return Ran(output, errors, shell.status)


def parse_commands(text: str) -> list[Command]:
    """The commands of a line in order; a fault where it is incomplete or holds what this shell does not know."""
    commands = [Command(";")]
    pending: str | None = None  # a redirection that still needs its file
    for part in _split_words(text):
        if isinstance(part, list):
            if pending is None:
                if not commands[-1].words and part[0][1] in _WORDS:
                    raise _wrong(f"{part[0][1]} is not supported; write the commands one after the other")
                commands[-1].words.append(part)
            else:
                commands[-1].targets.append((pending, part))
            pending = None
        elif pending is not None:
            raise _wrong(f"a file name is missing after {pending!r}")
        elif part == "2>&1":
            commands[-1].targets.append((part, []))
        elif part[-1] in "<>":
            pending = part
        else:
            if not commands[-1].words and part != "\n":
                raise _wrong(f"a command is missing before {part!r}")
            commands.append(Command(";" if part == "\n" else part))
    if pending is not None or (not commands[-1].words and commands[-1].sign in ("|", "&&", "||")):
        raise _wrong("the line ends too early")
    return [command for command in commands if command.words]


def _split_words(text: str) -> Iterator[str | Word]:
    """Words and operators from left to right."""
    place = 0
    word: Word = []
    while place < len(text):
        operator = _OPERATOR.match(text, place)
        if (operator and not (word and operator[0][0] == "2")) or text[place].isspace():
            if word:
                yield word
                word = []
            if operator:
                yield operator[0]
            place = operator.end() if operator else place + 1
            continue
        piece = _PIECE.match(text, place)
        if piece is None:
            raise _wrong("jobs (&) are not supported" if text[place] == "&" else "a quote is not closed")
        kind = str(piece.lastgroup)
        if kind in ("bare", "double") and (found := _UNSUPPORTED.search(piece[kind])):
            raise _wrong(f"{found[0]} is not supported; there are pipes, redirections, && || ; and variables")
        word.append((kind, piece[kind]))
        place = piece.end()
    if word:
        yield word


def _wrong(reason: str) -> ToolFault:
    return ToolFault("invalid_value", f"syntax error: {reason}", parameter="commands")


def _run_command(shell: Shell, command: Command, flow: str, commands: Mapping[str, Function]) -> Ran:
    output, errors, status = "", "", 0
    targets = [(sign, _word_text(shell, word)) for sign, word in command.targets]
    words = [text for word in command.words for text in _expand_word(shell, word)]
    try:
        for sign, name in targets:
            flow = Call(shell, "sh", [], "").read(name) if sign == "<" else flow
        output = _call_command(shell, words, flow, commands)
    except Failure as failure:
        output, errors, status = failure.output, f"{failure}\n" if str(failure) else "", failure.status
    except ToolFault as fault:
        if fault.kind != "denied":
            raise
        errors, status = f"{words[0]}: {fault.message.partition(',')[0]}\n", 1
    try:
        return _redirect_output(shell, targets, Ran(output, errors, status))
    except Failure as failure:
        return Ran("", f"{errors}sh: {failure}\n", 1)


def _call_command(shell: Shell, words: list[str], flow: str, commands: Mapping[str, Function]) -> str:
    while words and "=" in words[0] and words[0].split("=", 1)[0].isidentifier():
        name, _, value = words.pop(0).partition("=")
        shell.variables[name] = value[:1000]
    if not words:
        return ""
    function = commands.get(_PROGRAMS.sub("", words[0]))
    if function is None:
        known = ", ".join(sorted(commands))
        raise Failure(f"sh: {words[0][:60]}: command not found; not supported here. There are: {known}", 127)
    return function(Call(shell, words[0], words[1:], flow))


def _redirect_output(shell: Shell, targets: list[tuple[str, str]], ran: Ran) -> Ran:
    output, errors = ran.output, ran.errors
    if any(sign == "2>&1" for sign, _ in targets):
        output, errors = output + errors, ""
    for sign, name in targets:
        if sign in (">", ">>", "2>", "2>>", "&>"):
            text = errors if sign[0] == "2" else output + errors if sign == "&>" else output
            if name != "/dev/null":
                put_file(shell, name, text, append=sign.endswith(">>"))
            output = output if sign[0] == "2" else ""
            errors = errors if sign[0] == ">" else ""
    return Ran(output, errors, ran.status)


def put_file(shell: Shell, name: str, text: str, *, append: bool) -> None:
    """Writes a file, or adds to its end."""
    path = shell.path(name)
    if not files.is_directory(shell.world, path.rsplit("/", 1)[0] or "/"):
        raise Failure(f"{name}: No such file or directory")
    if files.is_directory(shell.world, path):
        raise Failure(f"{name}: Is a directory")
    if files.belongs_to_root(path):
        raise Failure(f"{name}: Permission denied")
    old = Call(shell, "sh", [], "").read(path) if append and files.is_file(shell.world, path) else ""
    files.write(shell.world, path, old + text)


def _word_text(shell: Shell, word: Word) -> str:
    return "".join(
        text if kind in ("single", "escaped") else _fill_variables(shell, text, kind) for kind, text in word
    )


def _fill_variables(shell: Shell, text: str, kind: str) -> str:
    """A text with the values of its variables."""
    known = {
        "HOME": files.HOME,
        "PWD": shell.directory,
        "USER": "alex",
        "?": str(shell.status),
        **shell.variables,
    }
    text = _VARIABLE.sub(lambda found: known.get(found[1] or found[2], ""), text)
    return re.sub(r'\\(["$`\\])', r"\1", text) if kind == "double" else text


def _expand_word(shell: Shell, word: Word) -> list[str]:
    """A word as the command gets it: one text, or the files that an unquoted pattern stands for."""
    text = _word_text(shell, word)
    if all(kind != "bare" for kind, _ in word) or not set("*?[") & set(text):
        return [text] if text or any(kind != "bare" for kind, _ in word) else []
    folder, _, pattern = text.rpartition("/")
    path = shell.path(folder or ("/" if text.startswith("/") else "."))
    names = [name for name in files.children(shell.world, path) if fnmatch.fnmatchcase(name, pattern)]
    shown = [name for name in names if not name.startswith(".") or pattern.startswith(".")]
    return [f"{folder}/{name}" if "/" in text else name for name in shown] or [text]
