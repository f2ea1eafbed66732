"""File/file_operation: reading and writing files of the virtual disk."""

from typing import Annotated, NotRequired, TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import FilePath, Prose, Range
from toolyard.world.tools.file import files, office, pdf_access
from toolyard.world.tools.file.pdf_access import faults_for_broken_pdf, open_pdf
from toolyard.world.tools.file.pdf_bytes import page_texts

GROUP = Group("File/file_operation")
warm_up = pdf_access.warm_up
_FOLDER = "/workspace/Tool_learning_test/Tools/File/file_operation/test_file"


class Written(TypedDict):
    file_path: FilePath
    bytes_written: int
    replaced: bool


class FileText(TypedDict):
    file_path: FilePath
    size_bytes: int
    text: NotRequired[Prose]
    note: NotRequired[str]


@GROUP.tool(
    examples=[
        {"text": "hello world", "file_path": f"{_FOLDER}/hello.txt"},
        {"text": "Dear diary, all is well."},
    ],
    phrase="write a file[ at {file_path}] whose text is {text}",
    noun="the written file",
)
def write_file(
    world: World, *, text: Annotated[Prose, Range(0, 100_000)], file_path: FilePath = "/workspace/output.txt"
) -> Written:
    """Puts text into a file, replacing what was there; directories on the way are made.

    text: What the file shall hold.
    file_path: Where; a relative path starts at /workspace.
    """
    path = files.normal_path(file_path)
    replaced = files.is_file(world, path)
    files.write(world, path, text)
    return {"file_path": path, "bytes_written": len(text.encode()), "replaced": replaced}


def _no_text_note(content: str | bytes) -> str:
    return "the document holds no text" if content else "the file is empty"


@GROUP.tool(
    isolated=True,
    examples=[{"file_path": f"{_FOLDER}/read_test.md"}, {"file_path": "/workspace/notes.txt"}],
    phrase="read the text of the file at {file_path}",
    noun="the text of the file",
)
def read_file(world: World, *, file_path: FilePath) -> FileText:
    """The text of a file; of PDF and office documents the text in them, of a picture only its size.

    file_path: Path of the file; a relative one starts at /workspace.
    """
    path = files.normal_path(file_path)
    content = files.read_file(world, path)
    text = files.decode_text(content)
    if text is None and isinstance(content, bytes) and content.startswith(b"%PDF-"):
        with faults_for_broken_pdf(path):
            text = "\n\n".join(page_texts(open_pdf(world, path)))
    if path.lower().endswith(office.PACKED) if text is None else text.startswith("{\\rtf"):
        text = office.document_text(content, path)
    found: FileText = {"file_path": path, "size_bytes": files.file_size(world, path)}
    if text is None:
        return {**found, "note": "the file is binary and has no text"}
    return {**found, "text": text} if text else {**found, "text": "", "note": _no_text_note(content)}
