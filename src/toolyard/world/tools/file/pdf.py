"""File/Pdf: operations on real PDF documents of the virtual disk, locked ones too."""

import posixpath
from typing import Annotated, Any, Literal, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.types import Range, Semantic
from toolyard.world.tools.file import files, office, pdf_access, pdf_bytes, pdf_pictures
from toolyard.world.tools.file.pdf_access import (
    FOLDER,
    FileName,
    base_name,
    faults_for_broken_pdf,
    open_pdf,
    save_pdf,
    target_path,
)

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


def _page_numbers(text: str, pages: int, parameter: str) -> list[list[int]]:
    """The pages of each part of "1,5,10-14"."""
    parts = []
    for part in text.split(","):
        first, _, last = (piece.strip() for piece in part.partition("-"))
        if not (first.isascii() and first.isdigit() and (not last or (last.isascii() and last.isdigit()))):
            raise invalid(parameter, text[:60], "want pages such as 1,5,10-14")
        low, high = int(first[:9]), int((last or first)[:9])
        if low > high:
            raise invalid(parameter, text[:60], f"a range goes upward: {high}-{low}")
        if not 1 <= low <= high <= pages:
            raise out_of_range(parameter, text[:60], f"the document has the pages 1 to {pages}")
        parts.append(list(range(low, high + 1)))
    return parts


def page_parts(
    pages: int, mode: str, ranges: str | None, fixed: int | None, removed: str | None
) -> list[list[int]]:
    """The page numbers of each part of a document under a mode of splitting; what another mode needs is refused."""
    given = {"ranges": ranges, "fixed_range": fixed, "remove_pages": removed}
    for name, value in given.items():
        if name != mode and value:
            raise invalid(name, value, f"it goes with split_mode {name}, not {mode}")
    if mode == "ranges":
        return _page_numbers(ranges, pages, "ranges") if ranges else [[n] for n in range(1, pages + 1)]
    if mode == "fixed_range":
        step = fixed or 1
        return [list(range(n, min(n + step, pages + 1))) for n in range(1, pages + 1, step)]
    if not removed:
        raise ToolFault("missing_parameter", "remove_pages is needed with split_mode remove_pages, e.g. 1,4")
    gone = {n for part in _page_numbers(removed, pages, "remove_pages") for n in part}
    kept = [n for n in range(1, pages + 1) if n not in gone]
    if not kept:
        raise invalid("remove_pages", removed[:60], "no page would be left")
    return [kept]


GROUP = Group("File/Pdf")
warm_up = pdf_access.warm_up


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/world.pdf", "output_filename": "world_small.pdf"}],
    phrase=(
        "compress the PDF at {file_path}[, saving the copy as {output_filename}][, with {output_dir} as the "
        "output directory]"
    ),
    noun="the compressed PDF",
)
def compress(
    world: World,
    *,
    file_path: PdfPath,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Compressed:
    """A smaller copy of a PDF: content streams packed, equal objects stored once.

    file_path: Path of the PDF.
    output_filename: Name (or whole path) of the copy; compressed_NAME.pdf by default.
    output_dir: Directory of the copy; that of the source by default.
    """
    path = files.normal_path(file_path)
    before = files.file_size(world, path)
    with faults_for_broken_pdf(path):
        content = pdf_bytes.compress_document(open_pdf(world, path))
    target = save_pdf(world, content, path, output_filename, output_dir, f"compressed_{base_name(path)}.pdf")
    return {
        "file_path": target,
        "original_bytes": before,
        "compressed_bytes": len(content),
        "saved_percent": round(100 * (1 - len(content) / before), 1),
    }


@GROUP.tool(
    isolated=True,
    examples=[{"img_path": "/workspace/chart.png"}],
    phrase=(
        "turn into a PDF the picture at {img_path}[, saving the PDF as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the PDF made from the picture",
)
def image_to_pdf(
    world: World,
    *,
    img_path: ImagePath,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> FromImage:
    """A PDF of one page that shows a picture in its own size.

    img_path: Path of a PNG, JPEG, GIF or BMP picture.
    output_filename: Name (or whole path) of the PDF; NAME.pdf by default.
    output_dir: Directory of the PDF; that of the picture by default.
    """
    path = files.normal_path(img_path, parameter="img_path")
    content, width, height = pdf_bytes.image_to_pdf(files.read_file(world, path, "img_path"), path)
    target = save_pdf(world, content, path, output_filename, output_dir, f"{base_name(path)}.pdf")
    return {"file_path": target, "width": width, "height": height}


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": [f"{FOLDER}/protect.pdf", f"{FOLDER}/world.pdf"]}],
    phrase=(
        "merge into one PDF the files at {file_path}[, saving the result as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the merged PDF",
)
def merge(
    world: World,
    *,
    file_path: Annotated[list[PdfPath], Range(1, 20)],
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Merged:
    """One PDF with the pages of several, in the order given.

    file_path: Paths of the PDFs.
    output_filename: Name (or whole path) of the result; merged.pdf by default.
    output_dir: Directory of the result; that of the first source by default.
    """
    paths = [files.normal_path(path) for path in file_path]
    with faults_for_broken_pdf(", ".join(paths)):
        pages = [page for path in paths for page in open_pdf(world, path).pages]
        content = pdf_bytes.write_pages(pages)
    target = save_pdf(world, content, paths[0], output_filename, output_dir, "merged.pdf", others=paths)
    return {"file_path": target, "sources": len(paths), "pages": len(pages)}


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/hello.doc", "output_filename": "hello_converted.pdf"}],
    phrase=(
        "convert to PDF the office document at {file_path}[, saving the PDF as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the PDF made from the office document",
)
def office_to_pdf(
    world: World,
    *,
    file_path: OfficePath,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> FromOffice:
    """A PDF with the text of an office document; fonts, tables and pictures are not kept.

    file_path: Path of a .doc (RTF or text), .docx, .xlsx, .pptx, .odt, .csv, .md or .txt document.
    output_filename: Name (or whole path) of the PDF; NAME.pdf by default.
    output_dir: Directory of the PDF; that of the document by default.
    """
    path = files.normal_path(file_path)
    text = office.document_text(files.read_file(world, path), path)
    content = pdf_bytes.text_to_pdf([text])
    target = save_pdf(world, content, path, output_filename, output_dir, f"{base_name(path)}.pdf")
    pages = len(pdf_bytes.open_reader(content, target).pages)
    told = text.replace(",", " ") if path.lower().endswith(".csv") else text  # each cell is a word or more
    return {
        "file_path": target,
        "pages": pages,
        "words": sum(any(map(str.isalnum, word)) for word in told.split()),
    }


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/world.pdf"}],
    phrase=(
        "add page numbers to the PDF at {file_path}[, saving the copy as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the page-numbered PDF",
)
def add_page_number(
    world: World,
    *,
    file_path: PdfPath,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Numbered:
    """A copy of a PDF with "page / pages" at the foot of each page.

    file_path: Path of the PDF.
    output_filename: Name (or whole path) of the copy; numbered_NAME.pdf by default.
    output_dir: Directory of the copy; that of the source by default.
    """
    path = files.normal_path(file_path)
    with faults_for_broken_pdf(path):
        reader = open_pdf(world, path)
        pages = len(reader.pages)

        def draw(canvas: Any, number: int, width: float, height: float) -> None:
            canvas.drawCentredString(width / 2, 30, f"{number} / {pages}")

        content = pdf_bytes.draw_on_pages(reader, draw)
    target = save_pdf(world, content, path, output_filename, output_dir, f"numbered_{base_name(path)}.pdf")
    return {"file_path": target, "first_number": 1, "last_number": pages}


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/world.pdf", "output_filename": "world.png"}],
    phrase=(
        "make pictures of the pages of the PDF at {file_path}[, saving them as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the page pictures",
)
def pdf_to_img(
    world: World,
    *,
    file_path: PdfPath,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Pictures:
    """Pictures of the pages of a PDF, one file per page: the text at its place, drawings left out,
    letters beyond Western Europe as boxes.

    file_path: Path of the PDF.
    output_filename: Name (or whole path) with .jpg or .png; several pages become NAME-1, NAME-2 and so on.
    output_dir: Directory of the pictures; that of the PDF by default.
    """
    path = files.normal_path(file_path)
    target = target_path(path, output_filename, output_dir, f"{base_name(path)}.jpg", ".jpg")
    stem, suffix = posixpath.splitext(target)
    kind = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}.get(suffix.lower())
    if kind is None:
        raise invalid("output_filename", output_filename, "the name must end in .jpg or .png")
    with faults_for_broken_pdf(path):
        pages = list(open_pdf(world, path).pages)[:20]
        images = [pdf_pictures.page_to_image(page, kind) for page in pages]
    names = [target] if len(images) == 1 else [f"{stem}-{n}{suffix}" for n in range(1, len(images) + 1)]
    for name, image in zip(names, images, strict=True):
        files.write(world, name, image, "output_filename")
    return {"files": names, "format": kind}


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/world.pdf", "angle": 90}],
    phrase=(
        "turn all pages of the PDF at {file_path} clockwise with the angle in degrees set to {angle}[, "
        "saving the copy as {output_filename}][, with {output_dir} as the output directory]"
    ),
    noun="the rotated PDF",
)
def rotate(
    world: World,
    *,
    file_path: PdfPath,
    angle: int,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Rotated:
    """A copy of a PDF with all pages turned clockwise.

    file_path: Path of the PDF.
    angle: Degrees, a multiple of 90; negative ones turn to the left.
    output_filename: Name (or whole path) of the copy; rotated_NAME.pdf by default.
    output_dir: Directory of the copy; that of the source by default.
    """
    if angle % 90:
        raise invalid("angle", angle, "want a multiple of 90, e.g. 90, 180 or 270")
    path = files.normal_path(file_path)
    with faults_for_broken_pdf(path):
        pages = [page.rotate(angle % 360) for page in open_pdf(world, path).pages]
        content = pdf_bytes.write_pages(pages)
    target = save_pdf(world, content, path, output_filename, output_dir, f"rotated_{base_name(path)}.pdf")
    return {"file_path": target, "angle": angle % 360, "pages": len(pages)}


@GROUP.tool(
    isolated=True,
    examples=[
        {"file_path": f"{FOLDER}/world.pdf", "split_mode": "fixed_range", "fixed_range": 2},
        {"file_path": f"{FOLDER}/world.pdf", "split_mode": "ranges", "ranges": "1,2-3"},
    ],
    phrase=(
        "split into parts the PDF at {file_path}[, with the split mode set to {split_mode}][, with the page "
        "ranges set to {ranges}][, with the fixed range of pages per part set to {fixed_range}][, with the "
        "pages to remove set to {remove_pages}][, with {output_dir} as the output directory]"
    ),
    noun="the split PDF parts",
)
def split(
    world: World,
    *,
    file_path: PdfPath,
    output_dir: str | None = None,
    split_mode: Literal["ranges", "fixed_range", "remove_pages"] = "ranges",
    ranges: str | None = None,
    fixed_range: Annotated[int, Range(1, 200)] | None = None,
    remove_pages: str | None = None,
) -> list[Part]:
    """The parts of a PDF as documents of their own, called NAME-1.pdf, NAME-2.pdf and so on.

    file_path: Path of the PDF.
    output_dir: Directory of the parts; that of the source by default.
    split_mode: ranges: one document per range; fixed_range: one per so many pages; remove_pages: one with the rest.
    ranges: For ranges, e.g. 1,5,10-14; every page on its own by default.
    fixed_range: For fixed_range, pages per document; 1 by default.
    remove_pages: For remove_pages, e.g. 1,4,8-12.
    """
    path = files.normal_path(file_path)
    found: list[Part] = []
    with faults_for_broken_pdf(path):
        reader = open_pdf(world, path)
        for number, part in enumerate(
            page_parts(len(reader.pages), split_mode, ranges, fixed_range, remove_pages), 1
        ):
            target = target_path(path, f"{base_name(path)}-{number}.pdf", output_dir, "")
            files.write(world, target, pdf_bytes.write_pages(reader.pages[n - 1] for n in part), "output_dir")
            found.append({"file_path": target, "pages": len(part)})
    return found


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/world.pdf", "text": "DRAFT"}],
    phrase=(
        "put {text} as a watermark on the PDF at {file_path}[, saving the copy as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the watermarked PDF",
)
def add_watermark(
    world: World,
    *,
    file_path: PdfPath,
    text: Annotated[str, Range(1, 80)],
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Watermarked:
    """A copy of a PDF with a grey text across each page.

    file_path: Path of the PDF.
    text: What to print across the pages.
    output_filename: Name (or whole path) of the copy; watermarked_NAME.pdf by default.
    output_dir: Directory of the copy; that of the source by default.
    """
    path = files.normal_path(file_path)
    pdf_bytes.check_printable("text", text)

    def draw(canvas: Any, number: int, width: float, height: float) -> None:
        canvas.translate(width / 2, height / 2)
        canvas.rotate(45)
        canvas.setFont("Helvetica", 48)
        canvas.setFillGray(0.8)
        canvas.drawCentredString(0, 0, text)

    with faults_for_broken_pdf(path):
        reader = open_pdf(world, path)
        content = pdf_bytes.draw_on_pages(reader, draw)
    target = save_pdf(world, content, path, output_filename, output_dir, f"watermarked_{base_name(path)}.pdf")
    return {"file_path": target, "text": text, "pages": len(reader.pages)}


KEYRING = Store("pdf_passwords")
DEFAULT_PASSWORD = "123456"  # noqa: S105 - the documented default of add_password


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/hello_doc.pdf", "password": "test_password"}],
    phrase=(
        "protect with a password the PDF at {file_path}[, with the password set to {password}][, saving the "
        "copy as {output_filename}][, with {output_dir} as the output directory]"
    ),
    noun="the password-protected PDF",
    not_credentials=("password",),
)
def add_password(
    world: World,
    *,
    file_path: PdfPath,
    password: Annotated[str, Semantic("password"), Range(1, 200)] = DEFAULT_PASSWORD,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Locked:
    """A copy of a PDF that opens only with a password.

    file_path: Path of the PDF.
    password: Password that opens the copy; 123456 by default.
    output_filename: Name (or whole path) of the copy; protected_NAME.pdf by default.
    output_dir: Directory of the copy; that of the source by default.
    """
    path = files.normal_path(file_path)
    with faults_for_broken_pdf(path):
        content = pdf_bytes.encrypt_document(pdf_bytes.write_pages(open_pdf(world, path).pages), password)
    target = save_pdf(world, content, path, output_filename, output_dir, f"protected_{base_name(path)}.pdf")
    world.store(KEYRING)[target] = password
    return {"file_path": target, "locked": True, "encryption": "RC4-128"}


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{FOLDER}/hello_doc_without_pass.pdf"}],
    phrase=(
        "remove the password from the PDF at {file_path}[, saving the copy as {output_filename}][, with "
        "{output_dir} as the output directory]"
    ),
    noun="the unlocked PDF",
)
def unlock(
    world: World,
    *,
    file_path: AnyPdfPath,
    output_filename: FileName | None = None,
    output_dir: str | None = None,
) -> Unlocked:
    """A copy of a PDF without its password. It works for passwords set here and for the default one.

    file_path: Path of the PDF.
    output_filename: Name (or whole path) of the copy; unlocked_NAME.pdf by default.
    output_dir: Directory of the copy; that of the source by default.
    """
    path = files.normal_path(file_path)
    keyring = world.store(KEYRING)
    known = (DEFAULT_PASSWORD, keyring[path]) if path in keyring else (DEFAULT_PASSWORD,)
    with faults_for_broken_pdf(path):
        reader = open_pdf(world, path, known)
        pages, was_locked = len(reader.pages), reader.is_encrypted
        content = pdf_bytes.write_pages(reader.pages)
    target = save_pdf(world, content, path, output_filename, output_dir, f"unlocked_{base_name(path)}.pdf")
    return {"file_path": target, "was_locked": was_locked, "pages": pages}
