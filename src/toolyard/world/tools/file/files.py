"""The virtual file system: absolute paths to text or bytes. Nothing of the host is in it.

{"/workspace/notes.txt": "Buy milk.", "/workspace/photo.png": b"...", "/workspace/empty/": {"directory": True}}

A directory has an entry of its own (with a slash at the end) only where it was made; others exist by what they hold.
"""

import posixpath

from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.kernel.state import Store, StoreView, World
from toolyard.world.tools.file.documents import initial_files

HOME = "/workspace"
_OF_ROOT = frozenset("etc root usr bin sbin lib boot proc sys".split())
MAX_BYTES = 1_000_000
MAX_ENTRIES = 500
MAX_DISK_BYTES = 20_000_000
FILES = Store("files", initial_files, 2 * MAX_ENTRIES, 2 * MAX_DISK_BYTES)
MAX_PATH = 500
Content = str | bytes


def normal_path(path: str, directory: str = HOME, parameter: str = "file_path") -> str:
    """The absolute path without dots, a relative one taken from a directory; it cannot leave the root."""
    text = path.strip()
    if not text or not text.isprintable() or len(text) > MAX_PATH:
        raise invalid(parameter, path[:60], f"want a path such as {HOME}/notes.txt")
    if text == "~" or text.startswith("~/"):
        text = HOME + text[1:]
    return "/" + posixpath.normpath(posixpath.join(directory, text)).lstrip("/")


def world_files(world: World) -> StoreView:
    """This world's files by absolute path."""
    return world.store(FILES)


def is_file(world: World, path: str) -> bool:
    """Whether there is a file at a path."""
    return path in world_files(world)


def is_directory(world: World, path: str) -> bool:
    """Whether a path is the root, a directory that was made, or one that holds something."""
    return path == "/" or any(key.startswith(f"{path}/") for key in world_files(world))


def children(world: World, path: str) -> list[str]:
    """The names in a directory, sorted."""
    prefix = path.rstrip("/") + "/"
    below = (key[len(prefix) :] for key in world_files(world) if key.startswith(prefix))
    return sorted({name.split("/", 1)[0] for name in below} - {""})


def keys_below(world: World, path: str) -> list[str]:
    """All keys under a directory, its own entry included."""
    prefix = path.rstrip("/") + "/"
    return [key for key in world_files(world) if key.startswith(prefix)]


def read_file(world: World, path: str, parameter: str = "file_path") -> Content:
    """The content of a file; a fault that names neighbours when there is none."""
    if is_file(world, path):
        content: Content = world_files(world)[path]
        return content
    if is_directory(world, path):
        raise invalid(parameter, path, "that is a directory; want a file")
    near = next((folder for folder in _parent_paths(path) if is_directory(world, folder)), "/")
    names = ", ".join(children(world, near)[:8])
    raise ToolFault("not_found", f"no file {path!r}; {near} holds {names}", parameter=parameter)


def _parent_paths(path: str) -> list[str]:
    found = []
    while path != "/":
        path = posixpath.dirname(path)
        found.append(path)
    return found


def blocking_file(world: World, path: str) -> str | None:
    """The file that stands where a directory of this path would have to be."""
    return next((folder for folder in _parent_paths(path) if is_file(world, folder)), None)


def belongs_to_root(path: str) -> bool:
    """Whether a path belongs to root, so that nobody here may change it."""
    top, slash, _ = path.lstrip("/").partition("/")
    return bool(slash) and top in _OF_ROOT


def _refuse_root_path(path: str) -> None:
    if belongs_to_root(path):
        raise ToolFault("denied", f"{path}: permission denied, it belongs to root; take a path below {HOME}")


def write(world: World, path: str, content: Content, parameter: str = "file_path") -> None:
    """Puts a file at a path, making the directories on the way; faults where it cannot be."""
    if is_directory(world, path):
        raise invalid(parameter, path, "that is a directory; add a file name")
    _refuse_root_path(path)
    blocked = blocking_file(world, path)
    if blocked:
        raise invalid(parameter, path, f"{blocked} is a file, not a directory")
    size = len(content) if isinstance(content, bytes) else len(content.encode())
    if size > MAX_BYTES:
        raise ToolFault("limit_exceeded", f"a file may hold {MAX_BYTES} bytes, this would be {size}")
    view = world_files(world)
    if path not in view and len(view) >= MAX_ENTRIES:
        raise ToolFault("limit_exceeded", f"the disk holds {MAX_ENTRIES} entries and is full; remove some")
    if size > MAX_DISK_BYTES // 100 and size + sum(len(view[key]) for key in view) > MAX_DISK_BYTES:
        raise ToolFault("limit_exceeded", f"the disk holds {MAX_DISK_BYTES} bytes and is full; remove some")
    view[path] = content


def make_directory(world: World, path: str) -> None:
    """Makes an empty directory; a fault where a file is in the way."""
    blocked = path if is_file(world, path) else blocking_file(world, path)
    if blocked:
        raise invalid("file_path", path, f"{blocked} is a file, not a directory")
    if len(world_files(world)) >= MAX_ENTRIES:
        raise ToolFault("limit_exceeded", f"the disk holds {MAX_ENTRIES} entries and is full; remove some")
    world_files(world)[f"{path}/"] = {"directory": True}


def remove_path(world: World, path: str) -> None:
    """Removes a file, or a directory with all it holds; its parent stays."""
    _refuse_root_path(path)
    view = world_files(world)
    for key in [path] if path in view else keys_below(world, path):
        del view[key]
    parent = posixpath.dirname(path)
    if not is_directory(world, parent):
        make_directory(world, parent)


def file_size(world: World, path: str) -> int:
    """Bytes of a file."""
    content = read_file(world, path)
    return len(content) if isinstance(content, bytes) else len(content.encode())


def decode_text(content: Content) -> str | None:
    """The text of a file; None when it is not text."""
    if isinstance(content, str):
        return content
    if content.startswith(b"%PDF-") or b"\x00" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
