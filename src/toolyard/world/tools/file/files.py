"""The virtual file system: absolute paths to text or bytes. Nothing of the host is in it.

{"/workspace/notes.txt": "Buy milk.", "/workspace/photo.png": b"...", "/workspace/empty/": {"directory": True}}

A directory has an entry of its own (with a slash at the end) only where it was made; others exist by what they hold.
"""

import functools
import io
import posixpath
import zipfile
from collections.abc import Callable, Iterator, Mapping

from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.kernel.state import Store, StoreView, World
from toolyard.world.tools.file.pdf_bytes import encrypt_document, text_to_image, text_to_pdf

_TESTS = "/workspace/Tool_learning_test/Tools/File"
_WORLD = (
    "The world in figures\n\nThe earth has a radius of about 6,371 kilometres.\n"
    "Seventy-one per cent of its surface is water.\nIts seven continents hold about eight billion people.",
    "Oceans\n\nThe Pacific is the largest ocean, followed by the Atlantic, the Indian, the Southern\n"
    "and the Arctic Ocean.\nThe deepest known point is the Challenger Deep.",
    "Mountains\n\nMount Everest rises 8,849 metres above the sea.\nThe Andes are the longest chain on land.",
)
_PROTECT = (
    "How to protect a document\n\n1. Choose a long password.\n2. Keep a copy in a safe place.\n"
    "3. Tell the password only to those who need it.",
    "Before you send it\n\nCheck who may read the file.\nRemove comments that are not for the reader.",
)
_HELLO = (
    "Hello!\n\nThis is a short letter that was written to try out the conversion of documents.\nKind regards"
)
_READ_TEST = """# Field notes on urban trees

Trees in streets cool the air on hot days. A row of mature plane trees lowers the temperature of the pavement
by up to twelve degrees, mostly through shade and a little through evaporation.

They also hold back rain. Leaves and bark keep the first millimetres of a shower, and the soil around the trunk
takes up a part of the rest, so that drains overflow less often.

Young trees need water for three summers. Where nobody waters them, every fourth one dies; with a roster of
neighbours the losses fall below one in twenty.

Cities that want more shade should therefore plan for care, not only for planting.
"""
_SALES = """month,region,units,revenue
2024-01,North,120,2400.00
2024-01,South,95,1900.00
2024-02,North,134,2680.00
2024-02,South,101,2020.00
2024-03,North,150,3000.00
2024-03,South,88,1760.00
2024-04,North,142,2840.00
2024-04,South,117,2340.00
"""
_ACCOUNTS = """root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
alex:x:1000:1000:Alex Morgan:/workspace:/bin/bash
"""
_NOTES = "Buy milk.\nCall the dentist on Friday.\nSend the sales figures to Mary.\n"
_MINUTES = (
    "Minutes of the meeting\n\nThe budget for the second quarter was approved.\n"
    "Mary will prepare the figures for April.\nThe next meeting takes place in June."
)


def _make_docx(text: str) -> bytes:
    """A minimal Word document, one paragraph per line, the same bytes each time."""
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.split("\n"))
    space = "http://schemas.openxmlformats.org"
    parts = {
        "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{space}/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "word/document.xml": f'<?xml version="1.0"?><w:document xmlns:w="{space}/wordprocessingml/2006/main">'
        f"<w:body>{body}</w:body></w:document>",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    return buffer.getvalue()


def _make_rtf(text: str) -> bytes:
    return ("{\\rtf1\\ansi\\deff0 " + text.replace("\n", "\\par ") + "}").encode()


_MAKERS: Mapping[str, Callable[[], str | bytes]] = {
    f"{_TESTS}/Pdf/test_file/protect.pdf": lambda: text_to_pdf(_PROTECT),
    f"{_TESTS}/Pdf/test_file/world.pdf": lambda: text_to_pdf(_WORLD),
    f"{_TESTS}/Pdf/test_file/hello.doc": lambda: _make_rtf(_HELLO),
    f"{_TESTS}/Pdf/test_file/hello_doc.pdf": lambda: text_to_pdf((_HELLO,)),
    f"{_TESTS}/Pdf/test_file/hello_doc_without_pass.pdf": lambda: encrypt_document(
        text_to_pdf((_HELLO,)), "123456"
    ),
    f"{_TESTS}/file_operation/test_file/read_test.md": lambda: _READ_TEST,
    f"{_TESTS}/file_operation/test_file/hello.txt": lambda: "hello from the test folder\n",
    "/workspace/notes.txt": lambda: _NOTES,
    "/workspace/sales.csv": lambda: _SALES,
    "/workspace/minutes.docx": lambda: _make_docx(_MINUTES),
    "/workspace/chart.png": lambda: text_to_image("Units sold in 2024", 400, 240, "PNG"),
    "/workspace/photo.jpg": lambda: text_to_image("Harbour at noon", 320, 200, "JPEG"),
    "/etc/passwd": lambda: _ACCOUNTS,
    "/etc/hostname": lambda: "yard\n",
    "/data/": lambda: "",
    "/tmp/": lambda: "",  # noqa: S108 - of the virtual disk
}


class _Lazy(Mapping[str, object]):
    """The files by path, each made when it is first read: most worlds never look at a PDF."""

    def __getitem__(self, path: str) -> object:
        return _make_entry(path)

    def __iter__(self) -> Iterator[str]:
        return iter(_MAKERS)

    def __len__(self) -> int:
        return len(_MAKERS)

    def __contains__(self, path: object) -> bool:
        return path in _MAKERS


@functools.cache
def _make_entry(path: str) -> object:
    return {"directory": True} if path.endswith("/") else _MAKERS[path]()


def initial_files(seed: int) -> Mapping[str, object]:
    """The files at the start; the same under every seed."""
    return _Lazy()


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
