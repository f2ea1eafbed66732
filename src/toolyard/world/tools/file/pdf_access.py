"""PDF files of the world: opened, worked on within bounds, and where results go."""

from __future__ import annotations

import posixpath
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from toolyard.world.isolation.steps import limit_calls
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import table_words
from toolyard.world.kernel.types import Range
from toolyard.world.tools.file import files, pdf_bytes

if TYPE_CHECKING:
    from pypdf import PdfReader

FOLDER = "/workspace/Tool_learning_test/Tools/File/Pdf/test_file"
_STEPS = 5_000_000
FileName = Annotated[str, Range(1, 300)]


def warm_up() -> None:
    """Loads the libraries for documents and pictures."""
    pdf_bytes.compress_document(pdf_bytes.open_reader(pdf_bytes.text_to_pdf(["a"]), "a.pdf"))
    pdf_bytes.text_to_image("a", 8, 8, "PNG")


@contextmanager
def faults_for_broken_pdf(path: str) -> Iterator[None]:
    """Whatever a malformed document makes the library raise becomes a fault."""
    from pypdf import apply_configuration
    from pypdf.errors import DependencyError, PyPdfError

    broken = (PyPdfError, DependencyError, ValueError, LookupError, TypeError, AttributeError, RecursionError,
              AssertionError, NotImplementedError, ArithmeticError, zlib.error, struct.error)  # fmt: skip
    try:
        # Without a decoder for JBIG2 no program of the host is started, whatever the document asks for.
        with apply_configuration(jbig2dec_binary=None), limit_calls(_STEPS, f"work on {path}"):
            yield
    except broken as error:
        raise invalid("file_path", path, f"the PDF cannot be handled: {str(error)[:80]}") from None


def open_pdf(world: World, path: str, passwords: tuple[str, ...] = ()) -> PdfReader:
    """The document at a path of the disk, unlocked where one of the passwords fits."""
    return pdf_bytes.open_reader(files.read_file(world, path), path, passwords)


# Endings that promise something else than a PDF; any other is part of a name, as in minutes.v2.
_OTHER_KINDS = frozenset(table_words("pdf_access.other_kinds"))


def target_path(
    source: str,
    filename: str | None,
    directory: str | None,
    default: str,
    suffix: str = ".pdf",
    others: Sequence[str] = (),
) -> str:
    """Where the output goes: next to the source unless a directory is named; the name may be a whole path.

    It is never a source itself, and a PDF has no name that promises another kind of file.
    """
    folder = files.normal_path(directory, parameter="output_dir") if directory else posixpath.dirname(source)
    name = filename or default
    path = files.normal_path(name, folder, "output_filename")
    ending = posixpath.splitext(path)[1].lower()
    if suffix == ".pdf" and ending in _OTHER_KINDS:
        raise invalid("output_filename", name[:80], "the result is a PDF: the name must end in .pdf")
    if not ending or (suffix == ".pdf" and ending != suffix):
        path += suffix
    if path in (source, *others):
        raise invalid(
            "output_filename", name[:80], "that is the source itself; the result needs another name"
        )
    return path


def base_name(path: str) -> str:
    """The last part of a path without its ending."""
    return posixpath.splitext(posixpath.basename(path))[0]


def save_pdf(
    world: World,
    content: bytes,
    source: str,
    filename: str | None,
    directory: str | None,
    default: str,
    others: Sequence[str] = (),
) -> str:
    """Writes a result to its `target_path`, and says where that is."""
    target = target_path(source, filename, directory, default, others=others)
    files.write(world, target, content, "output_filename")
    return target
