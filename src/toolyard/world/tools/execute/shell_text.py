"""Shell commands that work on text, and those that say something about the session."""

import posixpath
import re
from collections.abc import Mapping
from datetime import datetime
from itertools import groupby

from toolyard.world.isolation.sandbox import match_lines
from toolyard.world.isolation.sandbox import run as run_python
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.tools.execute.python_disk import make_disk, store_changes
from toolyard.world.tools.execute.shell import Call, Failure, Function, put_file
from toolyard.world.tools.file import files

MAX_PROGRAMS = 10
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}


def _unescape(text: str) -> str:
    for sign, value in _ESCAPES.items():
        text = text.replace(sign, value)
    return text


def _number(call: Call, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,6}", text):
        raise call.fail(f"invalid number: '{text[:40]}'")
    return int(text)


def _echo(call: Call) -> str:
    words = list(call.words)
    flags = set()
    while words and words[0] in ("-n", "-e", "-ne", "-en"):
        flags |= set(words.pop(0)[1:])
    text = " ".join(words)
    return (_unescape(text) if "e" in flags else text) + ("" if "n" in flags else "\n")


def _head(call: Call) -> str:
    flags, names = call.options("n:c:")
    tail = call.name == "tail"
    parts = []
    for name, text in call.inputs(names):
        if "c" in flags:
            count = abs(_number(call, flags["c"]))
            piece = text[len(text) - count if tail and count < len(text) else 0 :] if tail else text[:count]
        else:
            lines = text.splitlines(keepends=True)
            asked = flags.get("n", "10")
            count = _number(call, asked)
            if tail:
                piece = "".join(
                    lines[count - 1 if asked.startswith("+") else max(len(lines) - abs(count), 0) :]
                )
            else:
                piece = "".join(lines[:count])
        parts.append((f"==> {name} <==\n" if len(names) > 1 else "") + piece)
    return "\n".join(parts) if len(names) > 1 else "".join(parts)


def _wc(call: Call) -> str:
    flags, names = call.options("lwcm")
    rows, size = [], 0
    for name, text in call.inputs(names):
        size += len(text.encode())
        counts = {"l": text.count("\n"), "w": len(text.split()), "m": len(text), "c": len(text.encode())}
        rows.append(([counts[flag] for flag in "lwmc" if flag in flags or (not flags and flag != "m")], name))
    if len(rows) > 1:
        rows.append(([sum(column) for column in zip(*(row for row, _ in rows), strict=True)], "total"))
    alone = len(rows) == 1 and len(rows[0][0]) == 1
    width = 0 if alone else len(str(size)) if names else 7
    lines = (" ".join(f"{count:>{width}}" for count in row) for row, _ in rows)
    return "".join(
        line + (f" {name}" if name != "-" else "") + "\n" for line, (_, name) in zip(lines, rows, strict=True)
    )


def _grep(call: Call) -> str:
    flags, operands = call.options("ivncrlowqEFe:")
    if "e" in flags:
        operands.insert(0, flags["e"])
    if not operands:
        raise call.fail("usage: grep [options] pattern [file...]", 2)
    pattern, *names = operands
    if "r" in flags:
        names = [key for name in names or [""] for key in _text_files(call, name)]
    found = [(name, _matching_lines(call, pattern, text, flags)) for name, text in call.inputs(names)]
    if not any(lines for _, lines in found):
        raise Failure("", 1, "".join("0\n" for _ in found) if "c" in flags else "")
    if "q" in flags:
        return ""
    if "o" in flags:
        return "".join(
            f"{part}\n" for _, lines in found for _, line in lines for part in _parts(pattern, line, flags)
        )
    if "l" in flags:
        return "".join(f"{name}\n" for name, lines in found if lines)
    out = []
    for name, lines in found:
        label = f"{name}:" if len(found) > 1 or "r" in flags else ""
        if "c" in flags:
            out.append(f"{label}{len(lines)}\n")
            continue
        out += [f"{label}{f'{number}:' if 'n' in flags else ''}{line}\n" for number, line in lines]
    return "".join(out)


_FIND = "import re\n[match.group(0) for match in re.finditer(pattern, line, re.IGNORECASE if folded else 0)]"


def _parts(pattern: str, line: str, flags: Mapping[str, str]) -> list[str]:
    """The parts of a line that match."""
    given = {"pattern": pattern, "line": line, "folded": "i" in flags}
    return list(run_python(_FIND, now=datetime(2024, 1, 1), seed=0, inputs=given).value or ())


def _text_files(call: Call, name: str) -> list[str]:
    """The files with text at a path or below it, as they are called from there."""
    path = call.shell.path(name or ".")
    if files.is_file(call.shell.world, path):
        return [name]
    keys = [key for key in files.keys_below(call.shell.world, path) if not key.endswith("/")]
    texts = [key for key in keys if files.decode_text(files.read_file(call.shell.world, key)) is not None]
    above = f"{name.rstrip('/')}/" if name else ""
    return [above + key[len(path.rstrip("/")) + 1 :] for key in texts]


def _matching_lines(call: Call, pattern: str, text: str, flags: Mapping[str, str]) -> list[tuple[int, str]]:
    lines = text.split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    if "F" in flags:
        fold = str.lower if "i" in flags else str
        hits = [fold(pattern) in fold(line) for line in lines]
    else:
        wanted = rf"\b(?:{pattern})\b" if "w" in flags else pattern
        try:
            hits = match_lines(wanted, lines, ignore_case="i" in flags)
        except ToolFault as fault:
            raise call.fail(fault.message, 2) from None
    return [
        (n, line) for n, (line, hit) in enumerate(zip(lines, hits, strict=True), 1) if hit != ("v" in flags)
    ]


def _sort(call: Call) -> str:
    flags, names = call.options("rnuk:t:f")
    lines = "".join(
        text if text.endswith("\n") or not text else text + "\n" for _, text in call.inputs(names)
    ).splitlines()
    column = _number(call, flags["k"].split(",")[0].rstrip("nr")) if "k" in flags else 0

    def key(line: str) -> tuple[float, str]:
        fields = line.split(flags["t"] if flags.get("t") else None)
        text = (fields[column - 1] if 0 < column <= len(fields) else "") if column else line
        text = text.lower() if "f" in flags else text
        return (_leading_number(text) if "n" in flags or flags.get("k", "").endswith("n") else 0.0, text)

    lines.sort(key=key, reverse="r" in flags)
    return "".join(f"{line}\n" for line in (dict.fromkeys(lines) if "u" in flags else lines))


def _leading_number(text: str) -> float:
    text = text.strip()[:30]
    for end in range(len(text), 0, -1):
        try:
            number = float(text[:end])
        except ValueError:
            continue
        return number if number == number else 0.0
    return 0.0


def _uniq(call: Call) -> str:
    flags, names = call.options("cdu")
    groups = [
        (line, len(list(same)))
        for line, same in groupby("".join(t for _, t in call.inputs(names)).splitlines())
    ]
    kept = [
        (line, count)
        for line, count in groups
        if not ("d" in flags and count == 1) and not ("u" in flags and count > 1)
    ]
    return "".join(f"{count:>7} {line}\n" if "c" in flags else f"{line}\n" for line, count in kept)


def _cut(call: Call) -> str:
    flags, names = call.options("d:f:c:")
    wanted: set[int] = set()
    for part in (flags.get("f") or flags.get("c") or "").split(","):
        first, _, last = part.partition("-")
        low = _number(call, first or "1")
        wanted |= set(
            range(low, min(_number(call, last), 1000) + 1 if last else (1000 if "-" in part else low + 1))
        )
    mark = flags.get("d", "\t") or "\t"
    out = []
    for line in "".join(text for _, text in call.inputs(names)).splitlines():
        fields = line.split(mark) if "f" in flags else list(line)
        out.append((mark if "f" in flags else "").join(f for n, f in enumerate(fields, 1) if n in wanted))
    return "".join(f"{line}\n" for line in out)


def _tr(call: Call) -> str:
    flags, operands = call.options("ds")
    if not operands:
        raise call.fail("missing operand")
    first, second = (_character_range(part) for part in [*operands, ""][:2])
    if "d" in flags:
        return "".join(sign for sign in call.stdin if sign not in first)
    if not second:
        raise call.fail("two sets are needed")
    table = {ord(a): second[min(n, len(second) - 1)] for n, a in enumerate(first)}
    return call.stdin.translate(table)


def _character_range(text: str) -> str:
    text = _unescape(text)
    for name, signs in (
        ("a-z", "abcdefghijklmnopqrstuvwxyz"),
        ("A-Z", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ("0-9", "0123456789"),
    ):
        text = text.replace(name, signs)
    return text


def _seq(call: Call) -> str:
    numbers = [_number(call, word) for word in call.words]
    if not 1 <= len(numbers) <= 3:
        raise call.fail("usage: seq [first [step]] last", 2)
    first, step, last = {1: (1, 1, numbers[-1]), 2: (numbers[0], 1, numbers[-1])}.get(
        len(numbers), tuple(numbers)
    )
    if step == 0 or abs((last - first) // step) > 10_000:
        raise call.fail("want a step other than 0 and at most 10000 numbers")
    return "".join(f"{n}\n" for n in range(first, last + (1 if step > 0 else -1), step))


def _tee(call: Call) -> str:
    flags, names = call.options("a")
    for name in names:
        put_file(call.shell, name, call.stdin, append="a" in flags)
    return call.stdin


def _date(call: Call) -> str:
    flags, names = call.options("uI")
    if any(not name.startswith("+") for name in names):
        raise call.fail(
            f"invalid date '{names[0]}'; it prints the present moment, in a +FORMAT where one is given"
        )
    when = call.shell.world.now
    usual = "%Y-%m-%d" if "I" in flags else "%a %b %e %H:%M:%S UTC %Y"
    form = (names[0][1:] if names else usual)[:100].encode("ascii", "ignore").decode().replace("\x00", "")
    form = (
        form.replace("%s", str(int(when.timestamp())))
        .replace("%e", f"{when.day:>2}")
        .replace("%N", "000000000")
    )
    return when.strftime(form) + "\n"


def _python(call: Call) -> str:
    if call.words[:1] in (["--version"], ["-V"]):
        return "Python 3.14.0\n"
    flags, names = call.options("c:")
    code = flags["c"] if "c" in flags else call.inputs(names)[0][1]
    call.shell.programs += 1
    if call.shell.programs > MAX_PROGRAMS:
        raise ToolFault("limit_exceeded", f"at most {MAX_PROGRAMS} Python programs at once")
    world, disk = call.shell.world, make_disk(call.shell.world)
    ran = run_python(code, now=world.now, seed=world.seed, disk=disk, directory=call.shell.directory)
    store_changes(world, disk)
    if ran.error:
        raise Failure(ran.error, 1, ran.output)
    return ran.output


def _false(call: Call) -> str:
    raise Failure("", 1)


def _export(call: Call) -> str:
    for word in call.words:
        name, sign, value = word.partition("=")
        if sign or name not in call.shell.variables:
            call.shell.variables[name] = value[:1000]
    return ""


def _basename(call: Call) -> str:
    name = posixpath.basename(call.words[0].rstrip("/") if call.words else "")
    ending = call.words[1] if len(call.words) > 1 else ""
    return (name.removesuffix(ending) or name) + "\n"


def _constant_command(text: str) -> Function:
    """A command that prints the same whatever it is given."""
    return lambda _: text


COMMANDS: Mapping[str, Function] = {
    "echo": _echo, "head": _head, "tail": _head, "wc": _wc, "grep": _grep, "sort": _sort, "uniq": _uniq,
    "cut": _cut, "tr": _tr, "seq": _seq, "tee": _tee, "date": _date, "python3": _python, "python": _python, "false": _false,
    "true": _constant_command(""), "export": _export,
    "basename": _basename,
    "dirname": lambda call: (posixpath.dirname(call.words[0]) if call.words else "") + "\n",
    "whoami": _constant_command("alex\n"), "hostname": _constant_command("yard\n"),
}  # fmt: skip
