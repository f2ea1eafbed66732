"""Shell commands that look at the disk or change it."""

import fnmatch
import math
import posixpath
from collections.abc import Iterator, Mapping

from toolyard.world.tools.execute.shell import Call, Function
from toolyard.world.tools.file import files


def _pwd(call: Call) -> str:
    return call.shell.directory + "\n"


def _cd(call: Call) -> str:
    name = call.words[0] if call.words else files.HOME
    path = call.shell.path(name)
    if not files.is_directory(call.shell.world, path):
        problem = "Not a directory" if files.is_file(call.shell.world, path) else "No such file or directory"
        raise call.fail(f"{name}: {problem}")
    call.shell.directory = path
    return ""


def _ls(call: Call) -> str:
    flags, names = call.options("la1hRtrSdF")
    world = call.shell.world
    parts, alone = [], ""
    for name in sorted(names) or ["."]:
        path = call.shell.path(name)
        if files.is_file(world, path):
            lines = _list_names(call, posixpath.dirname(path), [posixpath.basename(name)], flags)
            shown_as = lines.partition("\n")[2] if "l" in flags else lines
            alone += shown_as.replace(posixpath.basename(name) + "\n", name + "\n")
            continue
        if not files.is_directory(world, path):
            raise call.fail(f"cannot access '{name}': No such file or directory", 2)
        for place, folder in _folders_to_list(call, name, path, "R" in flags):
            shown = [
                child for child in files.children(world, folder) if "a" in flags or not child.startswith(".")
            ]
            shown = [*([".", ".."] if "a" in flags else []), *shown]
            title = f"{place}:\n" if len(names) > 1 or "R" in flags else ""
            parts.append(title + _list_names(call, folder, shown[:: -1 if "r" in flags else 1], flags))
    return "\n".join([alone, *parts] if alone else parts)


def _folders_to_list(call: Call, name: str, path: str, deep: bool) -> Iterator[tuple[str, str]]:
    """A folder as it was named and where it is; with it all that are in it, if so wanted."""
    yield name, path
    for child in files.children(call.shell.world, path) if deep else ():
        inner = posixpath.join(path, child)
        if files.is_directory(call.shell.world, inner):
            yield from _folders_to_list(call, f"{name.rstrip('/')}/{child}", inner, deep)


def _size_of_path(call: Call, folder: str, name: str) -> int:
    path = posixpath.normpath(posixpath.join(folder, name))
    return files.file_size(call.shell.world, path) if files.is_file(call.shell.world, path) else 4096


def _list_names(call: Call, folder: str, names: list[str], flags: Mapping[str, str]) -> str:
    if "S" in flags:
        names = sorted(names, key=lambda name: _size_of_path(call, folder, name), reverse="r" not in flags)
    if "l" not in flags:
        return "".join(f"{name}\n" for name in names)
    lines = [f"total {4 * len(names)}\n"]
    for name in names:
        path = posixpath.normpath(posixpath.join(folder, name))
        is_file = files.is_file(call.shell.world, path)
        size = _size_of_path(call, folder, name)
        shown = readable_size(size) if "h" in flags else str(size)
        rights = "-rw-r--r-- 1" if is_file else "drwxr-xr-x 2"
        lines.append(f"{rights} alex alex {shown:>8} {call.shell.world.now:%b %d %H:%M} {name}\n")
    return "".join(lines)


def readable_size(size: int) -> str:
    """A size as people read it, rounded up: 852, 2.6K, 12K."""
    if size < 1024:
        return str(size)
    unit, value = ("K", size / 1024) if size < 1024**2 else ("M", size / 1024**2)
    return f"{-(-value * 10 // 1) / 10:.1f}{unit}" if value < 10 else f"{math.ceil(value)}{unit}"


def _cat(call: Call) -> str:
    flags, names = call.options("n")
    text = "".join(text for _, text in call.inputs(names))
    if "n" not in flags:
        return text
    return "".join(f"{number:>6}\t{line}" for number, line in enumerate(text.splitlines(keepends=True), 1))


def _mkdir(call: Call) -> str:
    flags, names = call.options("pv")
    if not names:
        raise call.fail("missing operand")
    for name in names:
        path = call.shell.path(name)
        there = files.is_file(call.shell.world, path) or files.is_directory(call.shell.world, path)
        if there and not ("p" in flags and files.is_directory(call.shell.world, path)):
            raise call.fail(f"cannot create directory '{name}': File exists")
        if not files.is_directory(call.shell.world, posixpath.dirname(path)) and "p" not in flags:
            raise call.fail(f"cannot create directory '{name}': No such file or directory")
        if files.blocking_file(call.shell.world, path):
            raise call.fail(f"cannot create directory '{name}': Not a directory")
        if not there:
            files.make_directory(call.shell.world, path)
    return ""


def _touch(call: Call) -> str:
    _, names = call.options("acm")
    for name in names:
        path = call.shell.path(name)
        if not files.is_directory(call.shell.world, posixpath.dirname(path)):
            raise call.fail(f"cannot touch '{name}': No such file or directory")
        if not files.is_file(call.shell.world, path) and not files.is_directory(call.shell.world, path):
            files.write(call.shell.world, path, "")
    return ""


def _rm(call: Call) -> str:
    flags, names = call.options("rRfv")
    for name in names:
        path = call.shell.path(name)
        folder = files.is_directory(call.shell.world, path)
        if not folder and not files.is_file(call.shell.world, path):
            if "f" in flags:
                continue
            raise call.fail(f"cannot remove '{name}': No such file or directory")
        if folder and not {"r", "R"} & set(flags):
            raise call.fail(f"cannot remove '{name}': Is a directory")
        if path in ("/", files.HOME) or f"{call.shell.directory}/".startswith(f"{path}/"):
            raise call.fail(f"refusing to remove '{name}'")
        files.remove_path(call.shell.world, path)
    return ""


def _rmdir(call: Call) -> str:
    for name in call.words:
        path = call.shell.path(name)
        if not files.is_directory(call.shell.world, path):
            raise call.fail(f"failed to remove '{name}': No such file or directory")
        if files.children(call.shell.world, path) or path == "/":
            raise call.fail(f"failed to remove '{name}': Directory not empty")
        files.remove_path(call.shell.world, path)
    return ""


def _sources_and_targets(call: Call, sources: list[str], goal: str) -> Iterator[tuple[str, str]]:
    """From where to where each source goes."""
    world, target = call.shell.world, call.shell.path(goal)
    into = files.is_directory(world, target)
    if len(sources) > 1 and not into:
        raise call.fail(f"target '{goal}' is not a directory")
    for source in sources:
        path = call.shell.path(source)
        if not files.is_file(world, path) and not files.is_directory(world, path):
            raise call.fail(f"cannot stat '{source}': No such file or directory")
        end = posixpath.join(target, posixpath.basename(path)) if into else target
        if f"{end}/".startswith(f"{path}/"):
            raise call.fail(f"'{source}' and '{goal}' are the same, or one is inside the other")
        if not files.is_directory(world, posixpath.dirname(end)):
            raise call.fail(f"cannot create '{goal}': No such file or directory")
        if files.is_directory(world, path) and files.is_file(world, end):
            raise call.fail(f"cannot overwrite '{goal}' with directory '{source}'")
        yield path, end


def _copy_files(call: Call, source: str, goal: str) -> None:
    world = call.shell.world
    if files.is_file(world, source):
        files.write(world, goal, files.read_file(world, source))
        return
    if not files.is_directory(world, goal):
        files.make_directory(world, goal)
    for key in files.keys_below(world, source):
        if not key.endswith("/"):
            files.write(world, goal + key[len(source) :], files.read_file(world, key))


def _cp(call: Call) -> str:
    flags, names = call.options("rRafpv")
    if len(names) < 2:
        raise call.fail("missing file operand")
    for source, goal in list(_sources_and_targets(call, names[:-1], names[-1])):
        if files.is_directory(call.shell.world, source) and not {"r", "R", "a"} & set(flags):
            raise call.fail(f"-r not specified; omitting directory '{source}'")
        _copy_files(call, source, goal)
    return ""


def _mv(call: Call) -> str:
    _, names = call.options("fnv")
    if len(names) < 2:
        raise call.fail("missing file operand")
    for source, goal in list(_sources_and_targets(call, names[:-1], names[-1])):
        _copy_files(call, source, goal)
        files.remove_path(call.shell.world, source)
    return ""


def _find(call: Call) -> str:
    words = list(call.words)
    start = words.pop(0) if words and not words[0].startswith("-") else "."
    tests: dict[str, str] = {}
    while words:
        test = words.pop(0)
        if test not in ("-name", "-iname", "-type", "-maxdepth") or not words:
            raise call.fail(f"unknown predicate '{test}'; -name, -iname, -type and -maxdepth are known")
        tests[test] = words.pop(0)
    root = call.shell.path(start)
    if not files.is_file(call.shell.world, root) and not files.is_directory(call.shell.world, root):
        raise call.fail(f"'{start}': No such file or directory")
    found = [start, *_paths_under(call, root, start.rstrip("/"))]
    return "".join(f"{path}\n" for path in found if _passes_tests(call, path, tests, start))


def _paths_under(call: Call, folder: str, shown: str) -> Iterator[str]:
    for name in (
        files.children(call.shell.world, folder) if not files.is_file(call.shell.world, folder) else ()
    ):
        yield f"{shown}/{name}"
        yield from _paths_under(call, posixpath.join(folder, name), f"{shown}/{name}")


def _passes_tests(call: Call, path: str, tests: Mapping[str, str], start: str) -> bool:
    name = posixpath.basename(path)
    kind = "f" if files.is_file(call.shell.world, call.shell.path(path)) else "d"
    depth = path[len(start.rstrip("/")) :].count("/")
    limit = tests.get("-maxdepth", "99")
    return (
        fnmatch.fnmatchcase(name, tests.get("-name", "*"))
        and fnmatch.fnmatchcase(name.lower(), tests.get("-iname", "*").lower())
        and tests.get("-type", kind) == kind
        and depth <= (int(limit) if limit.isascii() and limit.isdigit() and len(limit) < 4 else 99)
    )


COMMANDS: Mapping[str, Function] = {
    "pwd": _pwd, "cd": _cd, "ls": _ls, "cat": _cat, "mkdir": _mkdir, "touch": _touch, "rm": _rm, "rmdir": _rmdir,
    "cp": _cp, "mv": _mv, "find": _find,
}  # fmt: skip
