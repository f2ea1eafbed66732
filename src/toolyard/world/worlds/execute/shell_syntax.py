"""A command line as data: quotes, variables, pipes, redirections, && || and ;.

"cat a.txt | grep 'x y' > b.txt && ls"  ->  Chain(";", [Command(["cat", "a.txt"]), Command(["grep", "x y"])]),
                                            Chain("&&", [Command(["ls"])])
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from toolyard.world.faults import ToolFault

MAX_TOKENS = 500
_OPERATORS = ("&&", "||", ">>", "2>&1", "2>", ";", "|", ">", "<<<", "<", "\n")
Piece = tuple[str, str]


@dataclass(slots=True)
class Word:
    """Pieces of text: ("text" | "quoted" | "variable" | "sum" | "command", value); stars count only in plain text."""

    pieces: list[Piece] = field(default_factory=list)


@dataclass(slots=True)
class Command:
    """Words and redirections, each of these a sign and a word."""

    words: list[Word] = field(default_factory=list)
    redirections: list[tuple[str, Word | None]] = field(default_factory=list)
    compound: Compound | None = None


@dataclass(slots=True)
class Chain:
    """Commands joined by pipes, and the sign in front of them: ; && or ||."""

    sign: str
    commands: list[Command]


@dataclass(slots=True)
class Compound:
    """A loop, a choice or a group: for (name and words), while (test), if (tests with what follows each) or {."""

    kind: str
    name: str = ""
    words: list[Word] = field(default_factory=list)
    branches: list[tuple[list[Chain], list[Chain]]] = field(default_factory=list)


def _wrong(reason: str) -> ToolFault:
    return ToolFault("invalid_value", f"syntax error: {reason}", parameter="commands")


class _Lexer:
    """One pass over the text, left to right; a token is a Word or the text of an operator."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._word: Word | None = None
        self._tokens: list[Word | str] = []

    def run(self) -> list[Word | str]:
        """All tokens."""
        while self._at < len(self._text):
            self._step(self._text[self._at])
            if len(self._tokens) > MAX_TOKENS:
                raise ToolFault("limit_exceeded", f"a command line has at most {MAX_TOKENS} words")
        self._end()
        return self._tokens

    def _step(self, sign: str) -> None:
        operator = self._operator()
        if operator:
            self._end()
            self._tokens.append(operator)
            self._at += len(operator)
        elif sign in " \t\r":
            self._end()
            self._at += 1
        elif sign == "#" and self._word is None:
            end = self._text.find("\n", self._at)
            self._at = len(self._text) if end < 0 else end
        elif sign == "'":
            end = self._closing("'")
            self._add("quoted", self._text[self._at + 1 : end])
            self._at = end + 1
        elif sign == '"':
            self._double()
        else:
            self._bare(sign)

    def _bare(self, sign: str) -> None:
        if sign == "`":
            end = self._closing("`")
            self._add("command", self._text[self._at + 1 : end])
            self._at = end + 1
            return
        if sign in "&()":
            raise _wrong(f"{sign} is not supported; use pipes, redirections, && || ; loops and if")
        if sign == "\\" and self._at + 1 < len(self._text):
            self._add("quoted", self._text[self._at + 1].replace("\n", ""))
            self._at += 2
        elif sign == "$":
            self._variable()
        else:
            self._add("text", sign)
            self._at += 1

    def _operator(self) -> str | None:
        found = next((sign for sign in _OPERATORS if self._text.startswith(sign, self._at)), None)
        # A 2 belongs to a redirection only where a word begins: "echo a2>x" writes a2.
        return None if found and found[0] == "2" and self._word is not None else found

    def _closing(self, quote: str) -> int:
        end = self._text.find(quote, self._at + 1)
        if end < 0:
            raise _wrong(f"a {quote} is not closed")
        return end

    def _double(self) -> None:
        self._add("quoted", "")
        self._at += 1
        while self._at < len(self._text) and self._text[self._at] != '"':
            sign = self._text[self._at]
            if sign == "\\" and self._text[self._at + 1 : self._at + 2] in ("\\", '"', "$"):
                self._add("quoted", self._text[self._at + 1])
                self._at += 2
            elif sign == "$":
                self._variable()
            else:
                self._add("quoted", sign)
                self._at += 1
        if self._at >= len(self._text):
            raise _wrong('a " is not closed')
        self._at += 1

    def _variable(self) -> None:
        rest = self._text[self._at + 1 : self._at + 80]
        if rest.startswith("("):
            self._inner()
            return
        name = rest[1:].split("}", 1)[0] if rest.startswith("{") else _name(rest)
        if not name:
            self._add("quoted", "$")
            self._at += 1
            return
        self._add("variable", name)
        self._at += len(name) + (3 if rest.startswith("{") else 1)

    def _inner(self) -> None:
        """$(( a sum )) or $( a command line )."""
        depth, end = 0, self._at + 1
        while end < len(self._text):
            depth += {"(": 1, ")": -1}.get(self._text[end], 0)
            end += 1
            if not depth:
                break
        if depth:
            raise _wrong("a ( is not closed")
        inside = self._text[self._at + 2 : end - 1]
        is_sum = inside.startswith("(") and inside.endswith(")")
        self._add("sum" if is_sum else "command", inside[1:-1] if is_sum else inside)
        self._at = end

    def _add(self, kind: str, text: str) -> None:
        if self._word is None:
            self._word = Word()
        self._word.pieces.append((kind, text))

    def _end(self) -> None:
        if self._word is not None:
            self._tokens.append(self._word)
        self._word = None


def _name(text: str) -> str:
    if text[:1] in ("?", "$"):
        return text[0]
    end = next((n for n, sign in enumerate(text) if not (sign.isalnum() or sign == "_")), len(text))
    return text[:end]


_OPENING = ("for", "while", "until", "if", "{")
_CLOSING = ("do", "done", "then", "elif", "else", "fi", "}")


def _bare_text(part: Word | str | None) -> str:
    """The text of a word without quotes and variables; nothing for others."""
    if not isinstance(part, Word) or any(kind != "text" for kind, _ in part.pieces):
        return ""
    return "".join(text for _, text in part.pieces)


class _Parser:
    """Tokens to chains; loops and choices hold chains in turn."""

    def __init__(self, tokens: list[Word | str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def block(self, stops: tuple[str, ...]) -> list[Chain]:
        """The chains up to one of these words, which is left to be read."""
        chains = [Chain(";", [Command()])]
        while self._at < len(self._tokens):
            command = chains[-1].commands[-1]
            part = self._tokens[self._at]
            name = _bare_text(part) if not command.words and not command.compound else ""
            if name in _CLOSING:
                if name not in stops:
                    raise _wrong(f"{name} stands where nothing was begun")
                break
            self._at += 1
            if name in _OPENING:
                command.compound = self._compound(name)
            elif isinstance(part, Word):
                if command.compound:
                    raise _wrong("a ; is missing after a loop or an if")
                command.words.append(part)
            else:
                self._operator(part, command, chains)
        return [chain for chain in chains if _complete(chain)]

    def _operator(self, part: str, command: Command, chains: list[Chain]) -> None:
        if part in ("&&", "||", ";", "\n"):
            chains.append(Chain(";" if part == "\n" else part, [Command()]))
        elif part == "|":
            chains[-1].commands.append(Command())
        elif part == "2>&1":
            command.redirections.append((part, None))
        else:
            target = self._tokens[self._at] if self._at < len(self._tokens) else None
            if not isinstance(target, Word):
                raise _wrong(f"a file name is missing after {part}")
            command.redirections.append((part, target))
            self._at += 1

    def _expect(self, word: str) -> None:
        if self._at >= len(self._tokens) or _bare_text(self._tokens[self._at]) != word:
            raise _wrong(f"{word} is missing")
        self._at += 1

    def _compound(self, kind: str) -> Compound:
        self._depth += 1
        if self._depth > 8:
            raise _wrong("more than eight loops and choices in one another")
        found = Compound(kind)
        if kind == "{":
            found.branches.append(([], self.block(("}",))))
            self._expect("}")
            self._depth -= 1
            return found
        if kind == "for":
            self._head(found)
        tests = self.block(("do", "then"))
        while True:
            self._expect("then" if kind == "if" else "do")
            found.branches.append((tests, self.block(("elif", "else", "fi") if kind == "if" else ("done",))))
            word = _bare_text(self._tokens[self._at]) if self._at < len(self._tokens) else ""
            self._at += 1
            if word == "elif":
                tests = self.block(("then",))
                continue
            if word == "else":
                found.branches.append(([], self.block(("fi",))))
                self._expect("fi")
            elif word not in ("fi", "done"):
                raise _wrong("fi is missing" if kind == "if" else "done is missing")
            self._depth -= 1
            return found

    def _head(self, found: Compound) -> None:
        found.name = _bare_text(self._tokens[self._at] if self._at < len(self._tokens) else None)
        self._at += 1
        if not found.name.isidentifier():
            raise _wrong("for needs a name, in and words")
        self._expect("in")
        while self._at < len(self._tokens) and isinstance(word := self._tokens[self._at], Word):
            found.words.append(word)
            self._at += 1


def parse(text: str) -> list[Chain]:
    """The chains of a command line; a fault names what is wrong."""
    return _Parser(_Lexer(text).run()).block(())


def quoted(text: str) -> Word:
    """A text as if it stood between double quotes, in which variables and commands count."""
    escaped = re.sub(r'(?<!\\)"', r'\\"', text)
    (word,) = _Lexer(f'"{escaped}"').run()
    assert isinstance(word, Word)
    return word


def _complete(chain: Chain) -> bool:
    empty = [command for command in chain.commands if not command.words and not command.compound]
    if len(chain.commands) > 1 and empty:
        raise _wrong("a command is missing beside |")
    if chain.sign != ";" and empty:
        raise _wrong(f"a command is missing after {chain.sign}")
    return not empty or bool(empty[0].redirections)
