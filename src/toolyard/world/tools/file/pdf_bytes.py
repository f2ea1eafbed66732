"""PDF documents as bytes: made, read and changed, the same bytes for the same input.

Dates are left out and file identifiers are derived from the content, since both would differ from run to run.
"""

from __future__ import annotations

import functools
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.tools.file.pdf_pictures import Line, draw_picture

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader, PdfWriter

MAX_PAGES = 200
MAX_PIXELS = 4_000_000
_A4 = (595.0, 842.0)


def text_to_pdf(pages: Iterable[str]) -> bytes:
    """A document with one page per text (more where a text is long), in A4."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=_A4, invariant=1)
    for page in pages:
        lines = [piece for line in page.split("\n") for piece in _wrap_line(line)] or [""]
        for start in range(0, len(lines), 50):
            text = canvas.beginText(72, 770)
            text.setFont("Helvetica", 12, leading=14)
            for line in lines[start : start + 50]:
                # The built-in fonts know the letters of Western Europe only.
                if all(map(_is_western, line)):
                    text.textLine(line)
                    continue
                text.setFont(_wide_font(), 12, leading=14)
                text.textLine(_RIGHT_TO_LEFT.sub(lambda found: found[0][::-1], line))
                text.setFont("Helvetica", 12, leading=14)
            canvas.drawText(text)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


# Letters that are written from right to left stand in a PDF in the order of their places.
_RIGHT_TO_LEFT = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)*"
)


def _is_western(sign: str) -> bool:
    return bool(sign.encode("cp1252", "ignore"))


@functools.cache
def _wide_font() -> str:
    """A font for all other letters, which every reader of PDF documents brings along."""
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont

    registerFont(UnicodeCIDFont("STSong-Light"))
    return "STSong-Light"


def check_printable(parameter: str, text: str) -> None:
    """A fault where the built-in fonts, which know the letters of Western Europe alone, cannot print a text."""
    strange = next((sign for sign in text if not sign.isprintable() or not _is_western(sign)), None)
    if strange is not None:
        raise invalid(parameter, text[:80], f"{strange!r} is in no font here; want letters of Western Europe")


def _text_width(text: str) -> int:
    """The room that a text takes, in letters of Western Europe."""
    return sum(1 if _is_western(sign) else 2 for sign in text)


def _split_word(word: str, width: int) -> list[str]:
    """A word in pieces that fit into a line."""
    if _text_width(word) <= width:
        return [word]
    step = width if _text_width(word) == len(word) else width // 2
    return [word[n : n + step] for n in range(0, len(word), step)]


def _wrap_line(line: str, width: int = 85) -> list[str]:
    pieces = [""]
    for word in line.split(" "):
        for part in _split_word(word, width):
            if _text_width(pieces[-1]) + _text_width(part) + 1 > width:
                pieces.append(part)
            else:
                pieces[-1] = f"{pieces[-1]} {part}" if pieces[-1] else part
    return pieces


def open_reader(content: str | bytes, path: str, passwords: Sequence[str] = ()) -> PdfReader:
    """An opened document; a fault where the bytes are no PDF, too many pages, or locked."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    if isinstance(content, str) or not content.startswith(b"%PDF-"):
        raise invalid("file_path", path, "that is not a PDF document")
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not any(reader.decrypt(password) for password in ("", *passwords)):
            raise ToolFault("denied", f"{path} is locked with a password; unlock it first")
        pages = len(reader.pages)
    except (PyPdfError, ValueError, KeyError, RecursionError) as error:
        raise invalid("file_path", path, f"the PDF cannot be read: {str(error)[:80]}") from None
    if pages > MAX_PAGES:
        raise ToolFault("limit_exceeded", f"{path} has {pages} pages, at most {MAX_PAGES} are handled")
    return reader


def page_texts(reader: PdfReader) -> list[str]:
    """The text of each page."""
    return [page.extract_text().strip() for page in reader.pages]


def _new_writer() -> PdfWriter:
    from pypdf import PdfWriter
    from pypdf.generic import ArrayObject, ByteStringObject

    class Writer(PdfWriter):
        """A writer whose file identifier depends on nothing but the number of pages."""

        def generate_file_identifiers(self) -> None:
            digest = hashlib.md5(str(len(self.pages)).encode(), usedforsecurity=False).digest()
            self._ID = ArrayObject((ByteStringObject(digest), ByteStringObject(digest)))

    return Writer()


def write_pages(pages: Iterable[PageObject], change: Callable[[PdfWriter], None] | None = None) -> bytes:
    """A document of these pages, after an optional change to the whole."""
    writer = _new_writer()
    for page in pages:
        writer.add_page(page)
    if change:
        change(writer)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def encrypt_document(content: bytes, password: str) -> bytes:
    """The document under a password (128-bit RC4, which needs no random bytes)."""
    pages = open_reader(content, "document").pages
    return write_pages(pages, lambda writer: writer.encrypt(password, algorithm="RC4-128"))


def compress_document(reader: PdfReader) -> bytes:
    """The document with packed content streams and each object stored once."""

    def pack(writer: PdfWriter) -> None:
        for page in writer.pages:
            page.compress_content_streams(level=9)
        writer.compress_identical_objects()

    return write_pages(reader.pages, pack)


def _rotation_matrix(
    page: PageObject, width: float, height: float
) -> tuple[int, int, int, int, float, float] | None:
    """From the places of a page as it is shown, turned with the clock, to those of its content."""
    match page.rotation % 360:
        case 90:
            return (0, 1, -1, 0, width, 0)
        case 180:
            return (-1, 0, 0, -1, width, height)
        case 270:
            return (0, -1, 1, 0, 0, height)
    return None


def draw_on_pages(reader: PdfReader, draw: Callable[[object, int, float, float], None]) -> bytes:
    """The document with something drawn on each page as it is shown: draw(canvas, page number, width, height)."""
    from pypdf import PdfReader
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for number, page in enumerate(reader.pages, 1):
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        canvas.setPageSize((width, height))
        if turned := _rotation_matrix(page, width, height):
            canvas.transform(*turned)
        if page.rotation % 180:
            width, height = height, width
        draw(canvas, number, width, height)
        canvas.showPage()
    canvas.save()
    overlay = PdfReader(io.BytesIO(buffer.getvalue()))

    def lay(writer: PdfWriter) -> None:
        for page, above in zip(writer.pages, overlay.pages, strict=True):
            page.merge_page(above)

    return write_pages(reader.pages, lay)


def text_to_image(text: str, width: int, height: int, kind: str) -> bytes:
    """A plain picture with a line of text."""
    return draw_picture([Line(20.0, height / 2, text, 16.0)], width, height, kind)


def image_to_pdf(content: str | bytes, path: str) -> tuple[bytes, int, int]:
    """A document of one page that shows a picture, with the picture's size in pixels."""
    from PIL import Image, UnidentifiedImageError
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    raw = content.encode() if isinstance(content, str) else content
    try:
        image = Image.open(io.BytesIO(raw), formats=("PNG", "JPEG", "GIF", "BMP"))
        if image.width * image.height > MAX_PIXELS:
            raise ToolFault("limit_exceeded", f"{path} has more than {MAX_PIXELS} pixels")
        picture = image.convert("RGB")
    except Image.DecompressionBombError:
        raise ToolFault("limit_exceeded", f"{path} has more than {MAX_PIXELS} pixels") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        raise invalid("img_path", path, "that is no PNG, JPEG, GIF or BMP picture") from None
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=picture.size, invariant=1)
    canvas.drawImage(ImageReader(picture), 0, 0, *picture.size)
    canvas.save()
    return buffer.getvalue(), picture.width, picture.height
