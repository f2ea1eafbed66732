# ruff: noqa: E501
"""Documents that a model might write to break whoever opens them: PDFs, pictures and archives, out of a seed."""

from __future__ import annotations

import io
import zipfile
import zlib
from random import Random

_CONTENT = (
    b"q", b"BT /F1 12 Tf (x) Tj ET", b"BI /W 9 /H 9 /F /JBIG2Decode ID xxxx EI", b"/X Do " * 500, b"(" * 2000, b"[" * 2000, b"<<" * 1000, b"1 " * 20_000,
    b"BI /W 99999 /H 99999 /BPC 8 /CS /RGB ID x EI", b"q " * 50_000, b"BT " + b"(a) Tj " * 3000 + b"ET", b"<" + b"f" * 5001 + b"> Tj", b"9" * 5000, b"",
)  # fmt: skip
_FILTERS = (
    b"/FlateDecode", b"/JBIG2Decode", b"[/FlateDecode /FlateDecode]", b"/LZWDecode", b"/ASCIIHexDecode", b"/ASCII85Decode", b"/RunLengthDecode",
    b"/CCITTFaxDecode", b"/DCTDecode", b"/JPXDecode", b"/BrotliDecode", b"/Crypt", b"/Nope", b"[]", b"null", b"7 0 R", b"4 0 R",
)  # fmt: skip
_VALUES = (
    b"0", b"-1", b"9" * 30, b"9" * 5000, b"1e5", b"null", b"true", b"(x)", b"<ff>", b"[]", b"<<>>", b"2 0 R", b"4 0 R", b"99 0 R", b"/Name", b"[0 0 9999999 9999999]",
    b"[0 0 -1 nan]", b"[1 0 R 2 0 R]", b"[0 0 595 842]", b"[(a) (b) (c) (d)]", b"[" * 400,
)  # fmt: skip


def pdf(chance: Random) -> bytes:
    """A document of a few objects, each field of which may be anything."""

    def value() -> bytes | None:
        return chance.choice(_VALUES) if chance.random() < 0.3 else None

    stream = chance.choice(_CONTENT)
    packed = zlib.compress(stream * chance.choice((1, 1, 50)), 9) if chance.random() < 0.6 else stream
    image = b"<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent %s /ColorSpace %s /Filter %s /Length 4 >>\nstream\nxxxx\nendstream" % (
        value() or b"1", value() or b"/DeviceGray", chance.choice(_FILTERS))  # fmt: skip
    objects = [
        b"<< /Type /Catalog /Pages %s %s >>" % (value() or b"2 0 R", b"/AcroForm 5 0 R" if chance.random() < 0.1 else b""),
        b"<< /Type /Pages /Kids %s /Count %s >>" % (chance.choice((b"[3 0 R]", b"[3 0 R 3 0 R]", b"[2 0 R]", value() or b"[]")), value() or b"1"),
        b"<< /Type /Page /Parent %s /MediaBox %s /Rotate %s /Contents %s /Resources << /XObject << /X 5 0 R >> /Font << /F1 6 0 R >> >> >>"
        % (value() or b"2 0 R", value() or b"[0 0 595 842]", value() or b"0", value() or b"4 0 R"),
        b"<< /Filter %s /DecodeParms %s /Length %s >>\nstream\n%s\nendstream" % (chance.choice(_FILTERS), value() or b"<< /Predictor 15 /Columns 99999999 >>", value() or b"%d" % len(packed), packed),
        chance.choice((image, b"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream")),
        b"<< /Type /Font /Subtype /Type0 /BaseFont %s /Encoding %s /ToUnicode %s /DescendantFonts %s /Widths %s >>" % (value() or b"/A", value() or b"/Identity-H", value() or b"4 0 R", value() or b"[6 0 R]", value() or b"[]"),
    ]  # fmt: skip
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    encrypted = (
        b"/Encrypt << /Filter /Standard /V 2 /R 3 /O (x) /U (y) /P -4 >> /ID [(a) (b)]"
        if chance.random() < 0.05
        else b""
    )
    whole = (
        out
        + b"xref\n0 7\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 7 /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (encrypted, len(out))
    )
    return _damaged(chance, whole) if chance.random() < 0.3 else whole


def _damaged(chance: Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randrange(1, 20)):
        data[chance.randrange(5, len(data))] = chance.randrange(256)
    return bytes(data[: chance.randrange(6, len(data) + 1)])


def archive(chance: Random) -> bytes:
    """An office document, sound or damaged."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        name = chance.choice(("word/document.xml", "xl/worksheets/sheet1.xml", "content.xml", "x"))
        made.writestr(
            name, chance.choice(("<w:p>x</w:p>" * 5, "&#9999999999;", "<" * 9000, "x" * 300_000, "\x00"))
        )
    return _damaged(chance, buffer.getvalue()) if chance.random() < 0.5 else buffer.getvalue()


def picture(chance: Random) -> bytes:
    """A picture, sound or damaged, with a size that may be a lie."""
    width = chance.choice((1, 8, 0, 65535, 2**31 - 1))
    header = b"\x89PNG\r\n\x1a\n"
    body = (
        b"IHDR"
        + width.to_bytes(4)
        + chance.choice((1, 8, 2**31 - 1)).to_bytes(4)
        + bytes((8, chance.choice((0, 2, 3, 9)), 0, 0, 0))
    )
    png = (
        header
        + b"\x00\x00\x00\x0d"
        + body
        + zlib.crc32(body).to_bytes(4)
        + b"\x00\x00\x00\x05IDAT"
        + b"xxxxx"
        + b"\0\0\0\0"
        + b"\x00\x00\x00\x00IEND\xaeB`\x82"
    )
    return chance.choice(
        (png, b"GIF89a" + bytes(20), b"BM" + bytes(60), b"\xff\xd8\xff" + bytes(20), _damaged(chance, png))
    )
