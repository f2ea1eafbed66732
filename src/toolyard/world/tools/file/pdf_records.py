"""What the PDF tools take and return."""

from typing import Annotated, TypedDict

from toolyard.world.kernel.types import Semantic

PdfPath = Annotated[str, Semantic("pdf_path", is_a=("file_path",))]
LockedPdfPath = Annotated[str, Semantic("locked_pdf_path")]
AnyPdfPath = Annotated[str, Semantic("pdf_path", accepts=("locked_pdf_path",))]
ImagePath = Annotated[str, Semantic("image_path", is_a=("file_path",))]
OfficePath = Annotated[str, Semantic("office_path", is_a=("file_path",))]


class Compressed(TypedDict):
    file_path: PdfPath
    original_bytes: int
    compressed_bytes: int
    saved_percent: float


class FromImage(TypedDict):
    file_path: PdfPath
    width: int
    height: int


class Merged(TypedDict):
    file_path: PdfPath
    sources: int
    pages: int


class FromOffice(TypedDict):
    file_path: PdfPath
    pages: int
    words: int


class Numbered(TypedDict):
    file_path: PdfPath
    first_number: int
    last_number: int


class Pictures(TypedDict):
    files: list[ImagePath]
    format: str


class Locked(TypedDict):
    file_path: LockedPdfPath
    locked: bool
    encryption: str


class Rotated(TypedDict):
    file_path: PdfPath
    angle: int
    pages: int


class Part(TypedDict):
    file_path: PdfPath
    pages: int


class Unlocked(TypedDict):
    file_path: PdfPath
    was_locked: bool
    pages: int


class Watermarked(TypedDict):
    file_path: PdfPath
    text: str
    pages: int
