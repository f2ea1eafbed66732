"""Documents made to exhaust whoever opens them: office archives, PDF streams and pictures end with a fault."""

from __future__ import annotations

import base64
import io
import zipfile
import zlib

import pytest

from toolyard.core.types import Observation
from toolyard.world import World, call


@pytest.fixture
def world() -> World:
    return World.fresh()


def python(world: World, code: str) -> Observation:
    return call(world, "Execute/Execute/execute_pycode", {"code": code})


def store_bytes(world: World, path: str, content: bytes) -> None:
    text = base64.b64encode(content).decode()
    seen = python(world, f"import base64\nopen({path!r}, 'wb').write(base64.b64decode({text[:18_000]!r}))")
    assert seen.error is None, seen.text
    assert seen.value["error"] is None


def test_a_zip_bomb_in_an_office_document_is_not_unpacked(world: World) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * 12_000_000)
    store_bytes(world, "/workspace/bomb.docx", buffer.getvalue())
    assert (
        call(world, "File/Pdf/office_to_pdf", {"file_path": "/workspace/bomb.docx"}).error == "limit_exceeded"
    )


def pdf_with_stream(stream: bytes, pages: str = "[3 0 R]") -> bytes:
    """A document of one page whose content is a packed stream."""
    packed = zlib.compress(stream, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids {pages} /Count 1 >>".encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9999999 9999999] /Contents 4 0 R >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    return (
        out
        + b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start
    )


@pytest.mark.parametrize(
    "content",
    [
        pdf_with_stream(b"q " * 3_000_000),
        pdf_with_stream(b"q", pages="[2 0 R]"),
        b"%PDF-1.4\n" + b"[" * 5000,
        b"%PDF-1.4\ntrailer << /Root 1 0 R >>",
        b"%PDF-",
    ],
    ids=["packed stream", "pages in a circle", "nested lists", "no catalogue", "empty"],
)
@pytest.mark.parametrize("tool", ["compress", "pdf_to_img", "split", "add_page_number", "unlock"])
def test_a_hostile_pdf_ends_in_an_answer(tool: str, content: bytes, world: World) -> None:
    store_bytes(world, "/workspace/bad.pdf", content)
    observation = call(world, f"File/Pdf/{tool}", {"file_path": "/workspace/bad.pdf"})
    assert observation.error in (None, "invalid_value", "limit_exceeded")
    assert (
        call(world, "File/file_operation/read_file", {"file_path": "/workspace/bad.pdf"}).error != "timeout"
    )


def test_a_picture_with_many_pixels_is_refused(world: World) -> None:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(buffer, "PNG", optimize=True)
    content = buffer.getvalue()
    assert len(base64.b64encode(content)) < 100_000
    call(
        world,
        "File/file_operation/write_file",
        {"text": base64.b64encode(content).decode(), "file_path": "/workspace/b"},
    )
    python(
        world,
        "import base64\nopen('/workspace/big.png', 'wb').write(base64.b64decode(open('/workspace/b').read()))",
    )
    assert call(world, "File/Pdf/image_to_pdf", {"img_path": "/workspace/big.png"}).error == "limit_exceeded"
