"""PDF documents as bytes: made, read and changed, the same bytes for the same input.

Dates are left out and file identifiers are derived from the content, since both would differ from run to run.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from toolyard.world.faults import ToolFault, invalid

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader, PdfWriter

MAX_PAGES = 200
MAX_PIXELS = 4_000_000
_A4 = (595.0, 842.0)


def pdf_of_text(pages: Iterable[str]) -> bytes:
    """A document with one page per text (more where a text is long), in A4."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=_A4, invariant=1)
    for page in pages:
        lines = [piece for line in page.split("\n") for piece in _wrapped(line)] or [""]
        for start in range(0, len(lines), 50):
            text = canvas.beginText(72, 770)
            text.setFont("Helvetica", 12, leading=14)
            for line in lines[start : start + 50]:
                # The built-in fonts know Latin-1 only.
                text.textLine(line.encode("latin-1", "replace").decode("latin-1"))
            canvas.drawText(text)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def check_printable(parameter: str, text: str) -> None:
    """A fault where the built-in fonts, which know the letters of Western Europe alone, cannot print a text."""
    strange = next(
        (sign for sign in text if not sign.isprintable() or not sign.encode("cp1252", "ignore")), None
    )
    if strange is not None:
        raise invalid(parameter, text[:80], f"{strange!r} is in no font here; want letters of Western Europe")


def _wrapped(line: str, width: int = 85) -> list[str]:
    pieces = [""]
    for word in line.split(" "):
        for part in [word[n : n + width] for n in range(0, len(word), width)] or [""]:
            if len(pieces[-1]) + len(part) + 1 > width:
                pieces.append(part)
            else:
                pieces[-1] = f"{pieces[-1]} {part}" if pieces[-1] else part
    return pieces


def reader_of(content: str | bytes, path: str, passwords: Sequence[str] = ()) -> PdfReader:
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


def text_of(reader: PdfReader) -> list[str]:
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


def written(pages: Iterable[PageObject], change: Callable[[PdfWriter], None] | None = None) -> bytes:
    """A document of these pages, after an optional change to the whole."""
    writer = _new_writer()
    for page in pages:
        writer.add_page(page)
    if change:
        change(writer)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def locked(content: bytes, password: str) -> bytes:
    """The document under a password (128-bit RC4, which needs no random bytes)."""
    pages = reader_of(content, "document").pages
    return written(pages, lambda writer: writer.encrypt(password, algorithm="RC4-128"))


def compressed(reader: PdfReader) -> bytes:
    """The document with packed content streams and each object stored once."""

    def pack(writer: PdfWriter) -> None:
        for page in writer.pages:
            page.compress_content_streams(level=9)
        writer.compress_identical_objects()

    return written(reader.pages, pack)


def stamped(reader: PdfReader, draw: Callable[[Any, int, float, float], None]) -> bytes:
    """The document with something drawn on each page: draw(canvas, page number, width, height)."""
    from pypdf import PdfReader
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for number, page in enumerate(reader.pages, 1):
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        canvas.setPageSize((width, height))
        draw(canvas, number, width, height)
        canvas.showPage()
    canvas.save()
    overlay = PdfReader(io.BytesIO(buffer.getvalue()))

    def lay(writer: PdfWriter) -> None:
        for page, above in zip(writer.pages, overlay.pages, strict=True):
            page.merge_page(above)

    return written(reader.pages, lay)


def image_of_text(text: str, width: int, height: int, kind: str) -> bytes:
    """A plain picture with a line of text."""
    return _drawn([(20.0, height / 2, text, 16.0)], width, height, kind)


def image_of_page(page: PageObject, kind: str) -> bytes:
    """A page as a picture at 72 dots per inch: its text at its place. Drawings are left out."""
    found: list[tuple[float, float, str, float]] = []
    height = min(float(page.mediabox.height), 2000.0)

    def visit(text: str, _: Any, matrix: Any, __: Any, size: float) -> None:
        if text.strip():
            found.append((float(matrix[4]), height - float(matrix[5]), text.strip(), float(size) or 12.0))

    page.extract_text(visitor_text=visit)
    return _drawn(found, int(min(float(page.mediabox.width), 2000.0)), int(height), kind)


def _drawn(texts: Iterable[tuple[float, float, str, float]], width: int, height: int, kind: str) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (max(width, 1), max(height, 1)), "white")
    draw = ImageDraw.Draw(image)
    for left, top, text, size in texts:
        font = ImageFont.load_default(min(max(size, 6.0), 72.0))
        draw.text((left, top - size), text[:500], fill="black", font=font)
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def pdf_of_image(content: str | bytes, path: str) -> tuple[bytes, int, int]:
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
