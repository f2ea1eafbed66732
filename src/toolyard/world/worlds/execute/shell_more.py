"""Further shell commands: reading lines, sums, checksums, trees of folders, and those that need what is not there."""

from __future__ import annotations

import base64
import calendar
import difflib
import hashlib
import posixpath
import re
from collections.abc import Callable, Mapping

from toolyard.world.worlds.execute.shell import Call, Failure, Function, Shell, run
from toolyard.world.worlds.execute.shell_sums import Unreadable, value
from toolyard.world.worlds.file import files


def _read(call: Call) -> str:
    """Puts the next line into variables, the rest of it into the last of them."""
    names = [word for word in call.words if not word.startswith("-")] or ["REPLY"]
    lines = call.shell.lines if call.shell.lines is not None else call.stdin.splitlines()
    if not lines:
        raise Failure("", 1)
    words = lines.pop(0).split(None, len(names) - 1)
    for number, name in enumerate(names):
        call.shell.variables[name] = words[number][:1000] if number < len(words) else ""
    return ""


def _sum(call: Call) -> str:
    """expr and bc."""
    scale = 0
    lines = [" ".join(call.words)] if call.name == "expr" else call.stdin.replace(";", "\n").splitlines()
    out = []
    for line in lines:
        if found := re.fullmatch(r"\s*scale\s*=\s*(\d{1,2})\s*", line):
            scale = int(found[1])
        elif line.strip():
            try:
                result = value(line.replace("^", "**"), lambda _: "0", whole=not scale)
            except Unreadable:
                raise call.fail("syntax error", 2) from None
            out.append(
                f"{result:.{scale}f}\n" if scale else f"{result:g}\n" if result % 1 else f"{result:.0f}\n"
            )
    return "".join(out)


def _xargs(call: Call) -> str:
    flags, words = (
        call.options("n:I:r") if call.words[:1] and call.words[0].startswith("-") else ({}, list(call.words))
    )
    words = words or ["echo"]
    function = call.shell.commands.get(words[0])
    if function is None:
        raise call.fail(f"{words[0][:40]}: No such file or directory", 127)
    given = call.stdin.splitlines() if "I" in flags else call.stdin.split()
    if "I" in flags:
        calls = [[word.replace(flags["I"], one) for word in words[1:]] for one in given]
    else:
        size = int(flags["n"]) if flags.get("n", "").isdigit() and flags["n"] != "0" else len(given) or 1
        calls = [[*words[1:], *given[n : n + size]] for n in range(0, len(given), size)]
    return "".join(function(Call(call.shell, words[0], one, "")) for one in calls[:200])


def _paste(call: Call) -> str:
    flags, names = call.options("sd:")
    mark = flags.get("d", "\t") or "\t"
    columns = [text.splitlines() for _, text in call.inputs(names)]
    if "s" in flags:
        return "".join(mark.join(column) + "\n" for column in columns)
    rows = max(map(len, columns), default=0)
    return "".join(
        mark.join(column[n] if n < len(column) else "" for column in columns) + "\n" for n in range(rows)
    )


def _tree(call: Call) -> str:
    name = next((word for word in call.words if not word.startswith("-")), ".")
    root = call.shell.path(name)
    if not files.is_directory(call.shell.world, root):
        raise call.fail(f"{name} [error opening dir]", 2)
    counts = [0, 0]

    def lines(folder: str, before: str) -> list[str]:
        found = []
        names = files.children(call.shell.world, folder)
        for number, child in enumerate(names):
            last = number == len(names) - 1
            path = posixpath.join(folder, child)
            found.append(f"{before}{'└── ' if last else '├── '}{child}")
            inner = files.is_directory(call.shell.world, path)
            counts[0 if inner else 1] += 1
            found += lines(path, before + ("    " if last else "│   ")) if inner else []
        return found

    body = "".join(f"{line}\n" for line in [name, *lines(root, "")])
    folders = f"{counts[0]} director{'y' if counts[0] == 1 else 'ies'}"
    return f"{body}\n{folders}, {counts[1]} file{'' if counts[1] == 1 else 's'}\n"


def _digest(call: Call) -> str:
    kind = call.name.removesuffix("sum")
    return "".join(
        f"{hashlib.new(kind, content, usedforsecurity=False).hexdigest()}  {name}\n"
        for name, content in _contents(call, call.words)
    )


def _contents(call: Call, names: list[str]) -> list[tuple[str, bytes]]:
    """Name and bytes of each file; standard input where none is named."""
    found = []
    for name, text in call.inputs(names):
        path = call.shell.path(name) if name != "-" else ""
        raw = files.read(call.shell.world, path) if path and files.is_file(call.shell.world, path) else text
        found.append((name, raw if isinstance(raw, bytes) else raw.encode()))
    return found


def _base64(call: Call) -> str:
    flags, names = call.options("dw:")
    text = "".join(text for _, text in call.inputs(names))
    if "d" in flags:
        try:
            return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "replace")
        except ValueError:
            raise call.fail("invalid input") from None
    whole = base64.b64encode(b"".join(content for _, content in _contents(call, names))).decode()
    return "".join(whole[n : n + 76] + "\n" for n in range(0, len(whole), 76))


def _which(call: Call) -> str:
    known = [word for word in call.words if word in call.shell.commands]
    if len(known) < len(call.words):
        raise Failure("", 1, "".join(f"/usr/bin/{word}\n" for word in known))
    return "".join(f"/usr/bin/{word}\n" for word in known)


def _du(call: Call) -> str:
    flags, names = call.options("shak")
    out = []
    for name in names or ["."]:
        path = call.shell.path(name)
        if not files.is_file(call.shell.world, path) and not files.is_directory(call.shell.world, path):
            raise call.fail(f"cannot access '{name}': No such file or directory")
        keys = [path] if files.is_file(call.shell.world, path) else files.below(call.shell.world, path)
        blocks = sum(
            4 * -(-files.size_of(call.shell.world, key) // 4096) for key in keys if not key.endswith("/")
        )
        out.append(f"{max(blocks, 4)}{'K' if 'h' in flags else ''}\t{name}\n")
    return "".join(out)


def _diff(call: Call) -> str:
    flags, names = call.options("uqwi")
    if len(names) != 2:
        raise call.fail("want two files", 2)
    one, other = (call.read(name).splitlines(keepends=True) for name in names)
    if one == other:
        return ""
    if "q" in flags:
        raise Failure("", 1, f"Files {names[0]} and {names[1]} differ\n")
    if "u" in flags:
        raise Failure("", 1, "".join(difflib.unified_diff(one, other, names[0], names[1])))
    out = []
    for tag, low, high, start, end in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            left = f"{low + 1},{high}" if high - low > 1 else f"{low + 1 if tag != 'insert' else low}"
            right = f"{start + 1},{end}" if end - start > 1 else f"{start + 1 if tag != 'delete' else start}"
            out.append(f"{left}{tag[0].replace('r', 'c').replace('i', 'a')}{right}\n")
            out += [f"< {line}" for line in one[low:high]]
            out += ["---\n"] if tag == "replace" else []
            out += [f"> {line}" for line in other[start:end]]
    raise Failure("", 1, "".join(out))


def _cal(call: Call) -> str:
    now = call.shell.world.now
    return calendar.TextCalendar(6).formatmonth(now.year, now.month)


def _file(call: Call) -> str:
    kinds = {"png": "PNG image data", "jpg": "JPEG image data", "pdf": "PDF document", "docx": "Microsoft Word 2007+",
             "csv": "CSV text", "txt": "ASCII text", "md": "ASCII text"}  # fmt: skip
    out = []
    for name in call.words:
        path = call.shell.path(name)
        if files.is_directory(call.shell.world, path):
            kind = "directory"
        elif files.is_file(call.shell.world, path):
            kind = kinds.get(name.rpartition(".")[2].lower(), "data")
        else:
            kind = f"cannot open `{name}' (No such file or directory)"
        out.append(f"{name}: {kind}\n")
    return "".join(out)


def _uname(call: Call) -> str:
    return "Linux yard 6.1.0 x86_64 GNU/Linux\n" if "-a" in call.words else "Linux\n"


def _environment(call: Call) -> str:
    known = {
        "HOME": files.HOME,
        "USER": "alex",
        "SHELL": "/bin/sh",
        "PATH": "/usr/bin:/bin",
        "PWD": call.shell.directory,
    }
    return "".join(f"{key}={text}\n" for key, text in {**known, **call.shell.variables}.items())


_FORMAT = re.compile(r"%(%|[-+0 ]*\d*(?:\.\d+)?[sdifgexc])")


def _printf(call: Call) -> str:
    if not call.words:
        raise call.fail("usage: printf format [arguments]", 2)
    text = call.words[0].replace("\\n", "\n").replace("\\t", "\t")
    rest = list(call.words[1:])

    def filled(match: re.Match[str]) -> str:
        if match[1] == "%":
            return "%"
        given = rest.pop(0) if rest else ""
        width = re.search(r"\d+", match[1])
        if width and int(width[0]) > 1000:
            raise call.fail("the width is too great")
        if match[1][-1] in "sc":
            return f"%{match[1]}" % given
        try:
            number = float(given or 0)
        except ValueError:
            raise call.fail(f"{given[:40]}: invalid number") from None
        return f"%{match[1]}" % (int(number) if match[1][-1] in "dix" else number)

    out = _FORMAT.sub(filled, text)
    while rest and _FORMAT.search(text.replace("%%", "")):
        out += _FORMAT.sub(filled, text)
    return out


_DEEPEST = 5


def _script(call: Call) -> str:
    """Runs the commands of a file, or those behind -c, in a shell of their own."""
    if not call.words:
        raise call.fail("there is no keyboard here; name a script, or commands behind -c", 127)
    text = call.words[1] if call.words[0] == "-c" and len(call.words) > 1 else call.read(call.words[0])
    outer = call.shell
    if outer.depth >= _DEEPEST:
        raise call.fail(f"a shell within {_DEEPEST} others is too deep")
    inner = Shell(
        outer.world, outer.directory, dict(outer.variables), steps=outer.steps, depth=outer.depth + 1
    )
    ran = run(
        inner, "\n".join(line for line in text.splitlines() if not line.startswith("#!")), outer.commands
    )
    outer.steps, outer.programs = inner.steps, outer.programs + inner.programs
    if ran.status or ran.errors:
        raise Failure(ran.errors.rstrip("\n"), ran.status, ran.output)
    return ran.output


def _stat(call: Call) -> str:
    out = []
    for name in call.words or [""]:
        path = call.shell.path(name)
        if not files.is_file(call.shell.world, path) and not files.is_directory(call.shell.world, path):
            raise call.fail(f"cannot statx '{name}': No such file or directory")
        is_file = files.is_file(call.shell.world, path)
        size = files.size_of(call.shell.world, path) if is_file else 4096
        kind, rights = ("regular file", "0644/-rw-r--r--") if is_file else ("directory", "0755/drwxr-xr-x")
        out.append(
            f"  File: {name}\n  Size: {size:<10} {kind}\nAccess: ({rights})  Uid: ( 1000/    alex)   Gid: ( 1000/    alex)\n"
            f"Modify: {call.shell.world.now:%Y-%m-%d %H:%M:%S} +0000\n"
        )
    return "".join(out)


_done: Callable[[Call], str] = lambda call: ""  # noqa: ARG005, E731 - the interface
COMMANDS: Mapping[str, Function] = {
    "read": _read, "expr": _sum, "bc": _sum, "xargs": _xargs, "paste": _paste, "tree": _tree, "md5sum": _digest,
    "sha1sum": _digest, "sha256sum": _digest, "base64": _base64, "which": _which, "du": _du, "diff": _diff, "cal": _cal,
    "file": _file, "uname": _uname, "env": _environment, "printenv": _environment, "printf": _printf, "chmod": _done,
    "tac": lambda call: "".join(line + "\n" for _, text in call.inputs(call.words) for line in text.splitlines()[::-1]),
    "df": lambda call: (
        "Filesystem  Size  Used Avail Use% Mounted on\nvirtual      20M   64K   20M   1% /\n"
        if "-h" in call.words
        else "Filesystem 1K-blocks Used Available Use% Mounted on\nvirtual        20480   64     20416   1% /\n"
    ),
    "stat": _stat, "sh": _script, "bash": _script,
    "ps": lambda call: "  PID TTY          TIME CMD\n    1 ?        00:00:00 sh\n",  # noqa: ARG005
}  # fmt: skip
