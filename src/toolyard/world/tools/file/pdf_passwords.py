"""File/Pdf: files locked with a password, and unlocked."""

from typing import Annotated

from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.types import Range, Semantic
from toolyard.world.tools.file import files, pdf_access, pdf_bytes
from toolyard.world.tools.file.pdf import GROUP
from toolyard.world.tools.file.pdf_access import (
    FOLDER,
    FileName,
    base_name,
    faults_for_broken_pdf,
    open_pdf,
    save_pdf,
)
from toolyard.world.tools.file.pdf_records import AnyPdfPath, Locked, PdfPath, Unlocked

warm_up = pdf_access.warm_up

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
