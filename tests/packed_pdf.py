"""A PDF whose picture is packed in any way, for tests of what happens to it."""

import zlib


def image_pdf(filters: bytes, *, inline: bool) -> bytes:
    """A document whose content or picture is packed by these filters."""
    content = b"BI /W 8 /H 8 /F %s ID xxxx EI" % filters if inline else b"/X Do"
    packed = zlib.compress(content)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed),
        b"<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter %s"
        b" /Length 4 >>\nstream\nxxxx\nendstream" % filters,
    ]
    if filters != b"/FlateDecode" and not inline:
        objects[3] = b"<< /Filter %s /Length 4 >>\nstream\nxxxx\nendstream" % filters
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 6\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(out)
    )
