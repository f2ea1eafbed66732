"""The text of office documents, out of the virtual disk."""

import html
import io
import posixpath
import re
import zipfile

from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.tools.file.files import decode_text

MAX_UNPACKED = 5_000_000
_PARTS = {
    ".docx": re.compile(r"word/document\.xml"),
    ".xlsx": re.compile(r"xl/(sharedStrings|worksheets/sheet\d+)\.xml"),
    ".pptx": re.compile(r"ppt/slides/slide\d+\.xml"),
    ".odt": re.compile(r"content\.xml"),
}
PACKED = tuple(_PARTS)
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"</(?:w:p|a:p|text:p|row|si)>")
_RTF_GROUP = re.compile(r"\\(par|line|tab)\b ?")
_RTF_WORD = re.compile(r"\\[a-z]{1,32}-?\d{0,10} ?|[{}]")


def document_text(content: str | bytes, path: str) -> str:
    """The text of a document by its ending; a fault where it is of another kind."""
    suffix = posixpath.splitext(path)[1].lower()
    if suffix in _PARTS:
        return _unpack_text(content, path, _PARTS[suffix])
    if suffix not in (".doc", ".rtf", ".txt", ".md", ".csv", ".html"):
        raise invalid("file_path", path, "want a .doc, .docx, .xlsx, .pptx, .odt, .csv, .md or .txt document")
    text = decode_text(content)
    if text is None:
        raise invalid("file_path", path, "the document is in the old binary format; want RTF, text or .docx")
    if text.startswith("{\\rtf"):
        marked = _RTF_GROUP.sub(lambda match: "\t" if match[1] == "tab" else "\n", text)
        return _RTF_WORD.sub("", marked).strip()
    return _strip_markdown(text) if suffix == ".md" else text


# Marks of Markdown: lines between head and body of a table, then what stands before a line and around words.
_MARKS = (
    (re.compile(r"^ *\|?(?: *:?-{2,}:? *\|)+(?: *:?-{2,}:?)? *\n", re.MULTILINE), ""),
    (re.compile(r"^ {0,3}(?:#{1,6}|>) +", re.MULTILINE), ""),
    (re.compile(r"^ *```.*\n?", re.MULTILINE), ""),
    (re.compile(r"(\*\*|__|`)(?=\S)(.{1,500}?)(?<=\S)\1"), r"\2"),
    (re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\n]{0,500}\)"), r"\1"),
    (re.compile(r"^ *\| ?| ?\| *$", re.MULTILINE), ""),
    (re.compile(r" \| "), "   "),
)


def _strip_markdown(text: str) -> str:
    """The text of a Markdown document as it is shown."""
    for mark, instead in _MARKS:
        text = mark.sub(instead, text)
    return text


def _unpack_text(content: str | bytes, path: str, wanted: re.Pattern[str]) -> str:
    raw = content.encode() if isinstance(content, str) else content
    texts: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            left = MAX_UNPACKED
            for info in archive.infolist():
                if wanted.fullmatch(info.filename):
                    # What the archive says about sizes may be a lie: read no more than allowed.
                    with archive.open(info) as part:
                        data = part.read(left + 1)
                    left -= len(data)
                    if left < 0:
                        raise ToolFault("limit_exceeded", f"{path} unpacks to more than {MAX_UNPACKED} bytes")
                    texts.append(_strip_markup(data.decode("utf-8", "replace")))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise invalid("file_path", path, "the document is damaged") from None
    if not texts:
        raise invalid("file_path", path, "the archive holds no document of this kind")
    return "\n".join(texts)


def _strip_markup(markup: str) -> str:
    text = html.unescape(_TAG.sub(" ", _BREAK.sub("\n", markup.split("?>", 1)[-1])))
    return "\n".join(line.strip() for line in text.splitlines()).strip()
