"""What is on the disk of a fresh world: the files that benchmark queries name, and some more to work on."""

import functools
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping

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
