"""No tool can touch the host: escapes are tried, and nothing outside the world is read, changed or used up."""

import base64
import io
import resource
import socket
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases import cases, each_case
from toolyard.core.types import Observation
from toolyard.world import World, call

SECRET = "the host's secret"
MANY = (
    "WITH RECURSIVE many(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM many LIMIT 300000), "
    f"one(long) AS (SELECT REPLACE(HEX('{'a' * 4000}'), '6', 'bbb'))"
)
NESTED = (
    ("Faker/fake_data/fake_data_custom", "custom_fields"),
    ("Food/spoonacular_ingredient/compute_glycemic_load", "postbody"),
    ("File/Pdf/merge", "file_path"),
)
ESCAPES = tuple(cases(__file__, "escapes"))


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A file of the host in a folder that must look the same afterwards."""
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    (tmp_path / "link").symlink_to(path)
    yield path
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link", "secret.txt"]
    assert path.read_text() == SECRET


@pytest.fixture
def world() -> World:
    return World.fresh()


def bash(world: World, commands: str) -> Observation:
    return call(world, "Execute/Execute/execute_bash_code", {"commands": commands})


def python(world: World, code: str) -> Observation:
    return call(world, "Execute/Execute/execute_pycode", {"code": code})


def sql(world: World, statement: str) -> Observation:
    return call(world, "Execute/Execute/execute_mysql_query", {"sql_cmd": statement})


def calculate(tool: str, text: str) -> Observation:
    return call(World.fresh(), f"Calculator/Calculator/{tool}", {"input_query": text})


@pytest.mark.parametrize("form", ESCAPES)
def test_no_path_leads_to_a_file_of_the_host(form: str, secret: Path, world: World) -> None:
    for target in (secret, secret.parent / "link"):
        path = form.format(target)
        seen = [
            call(world, "File/file_operation/read_file", {"file_path": path}),
            call(world, "File/Pdf/compress", {"file_path": path}),
            call(world, "File/Pdf/office_to_pdf", {"file_path": path}),
            call(world, "File/Pdf/image_to_pdf", {"img_path": path}),
            bash(
                world,
                f"cat '{path}'; cp '{path}' x; find '{target.parent}'; grep -r secret '{target.parent}'",
            ),
            python(world, f"print(open({path!r}).read())"),
            python(world, f"import pathlib; print(pathlib.Path({path!r}).read_text())"),
        ]
        assert not any(SECRET in observation.text for observation in seen)


@pytest.mark.parametrize("form", ESCAPES)
def test_what_is_written_stays_in_the_world(form: str, secret: Path, world: World) -> None:
    path = form.format(secret)
    call(world, "File/file_operation/write_file", {"text": "gone", "file_path": path})
    bash(
        world,
        f"mkdir -p '{secret.parent}'; echo gone > '{path}'; rm -rf '{secret.parent}'; touch '{secret.parent}/new'",
    )
    python(
        world,
        f"import os\nos.makedirs({str(secret.parent)!r}, exist_ok=True)\nopen({path!r}, 'w').write('gone')",
    )
    sql(world, f"ATTACH DATABASE '{secret.parent}/new.db' AS other")
    sql(world, f"VACUUM INTO '{secret.parent}/copy.db'")
    arguments = {"file_path": "/workspace/minutes.docx", "output_filename": str(secret.parent / "new.pdf")}
    assert call(world, "File/Pdf/office_to_pdf", arguments).error is None


@each_case("code")
def test_python_has_no_way_out(code: str, world: World) -> None:
    observation = python(world, code)
    assert observation.error is not None or observation.value["error"]
    assert world.diff() == {}


def test_python_sees_neither_environment_nor_files(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_SECRET", SECRET)
    observation = python(
        world, "import os\nprint(os.environ, os.getcwd(), os.listdir('/'), os.path.exists('/usr'))"
    )
    assert observation.value["output"] == "{} /workspace ['workspace', 'etc', 'data', 'tmp'] False\n"


@each_case("code, kind")
def test_python_bombs_are_stopped_and_the_next_program_runs(code: str, kind: str, world: World) -> None:
    assert python(world, code).error == kind
    assert python(world, "1 + 1").value["output"] == "2\n"


def test_files_written_by_a_program_are_bounded(world: World) -> None:
    observation = python(world, "for n in range(400): open(f'/workspace/f{n}', 'w').write('x' * 900_000)")
    assert "No space left" in observation.value["error"]
    assert len(observation.value["files_written"]) < 5


def test_a_regular_expression_cannot_take_exponential_time(world: World) -> None:
    assert bash(world, f"echo {'a' * 60}b | grep -E '(a+)+$'").value["exit_status"] == 1
    assert python(world, f"import re\nre.search('(x+x+)+y', '{'x' * 60}')").value["error"] is None


@each_case("commands")
def test_the_shell_knows_no_command_of_the_host(commands: str, world: World) -> None:
    observation = bash(world, commands)
    assert observation.error == "invalid_value" or observation.value["exit_status"] == 127
    assert "uid=" not in observation.text


def test_shell_output_and_disk_are_bounded(world: World) -> None:
    call(world, "File/file_operation/write_file", {"text": "x" * 90_000, "file_path": "/workspace/big"})
    assert bash(world, "cat " + "big " * 100).error == "limit_exceeded"
    grow = "cat big big big big big big big big big big > more; cp more big; " * 3
    assert bash(world, grow).error == "limit_exceeded"
    touched = bash(world, "; ".join(f"touch f{n}" for n in range(150)))
    assert touched.error in (None, "limit_exceeded")
    assert bash(world, "; ".join("true" for _ in range(400))).error == "limit_exceeded"


@each_case(
    "statement, kind",
    besides=[
        (f"{MANY} SELECT SUM(LENGTH(REPLACE(long || x, 'b', 'c'))) FROM many, one", "limit_exceeded"),
        (f"{MANY} SELECT long || x AS y FROM many, one ORDER BY y DESC", "limit_exceeded"),
        (f"{MANY} SELECT long || x, long || x || 1, long || x || 2 FROM many, one", "limit_exceeded"),
        (f"INSERT INTO orders (quantity) {MANY} SELECT long || x FROM many, one", "limit_exceeded"),
    ],
)
def test_sql_stays_in_its_tables_and_within_its_steps(statement: str, kind: str, world: World) -> None:
    assert sql(world, statement).error == kind
    assert world.diff() == {}


@each_case("text")
def test_the_calculator_evaluates_no_python(text: str) -> None:
    assert calculate("calculator", text).error == "invalid_value"
    assert calculate("wolfram_alpha_calculator", text).error == "invalid_value"


@each_case("text")
def test_calculations_without_end_are_stopped(text: str) -> None:
    assert calculate("wolfram_alpha_calculator", text).error == "limit_exceeded"


@pytest.mark.parametrize("operation", ["tangent", "area"])
def test_bounds_put_into_large_powers_are_refused(operation: str) -> None:
    bound = "(1+sqrt(2)+sqrt(3)+sqrt(5))"
    arguments = {"operation": operation, "expression": f"{bound}|((x^40)^40)^40"}
    if operation == "area":
        arguments["expression"] = f"0:{arguments['expression']}"
    assert call(World.fresh(), "Calculator/Calculator/newton_calculator", arguments).error == "limit_exceeded"


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.makedirs('/workspace/' + 'a/' * 3000)",
        "import pathlib\npathlib.Path('/workspace/' + 'a/' * 3000).mkdir(parents=True)",
        "open('/workspace/' + 'a' * 2000, 'w').write('x')",
    ],
)
def test_a_program_cannot_make_endless_paths(code: str, world: World) -> None:
    assert python(world, code).error == "limit_exceeded"
    assert world.diff() == {}


def test_the_disk_of_a_world_is_bounded(world: World) -> None:
    code = "for n in range(2): open(f'/workspace/{name}{n}', 'w').write('x' * 900_000)"
    seen = [python(world, code.replace("{name}", f"f{number}-")).error for number in range(14)]
    assert seen[0] is None
    assert seen[-1] == "limit_exceeded"


def test_a_table_that_cannot_be_opened_again_is_not_kept(world: World) -> None:
    assert sql(world, "CREATE TABLE sums (x, y GENERATED ALWAYS AS (x + 1))").error is None
    assert sql(world, "INSERT INTO sums (x) VALUES (1)").error == "invalid_value"
    assert sql(world, "CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT, v)").error is None
    assert sql(world, "INSERT INTO numbered (v) VALUES (5)").error is None
    assert sql(world, "SELECT * FROM numbered").value["rows"] == [{"id": 1, "v": 5}]


def test_arguments_nested_without_end_are_a_fault() -> None:
    lists: object = []
    objects: object = {}
    for _ in range(50_000):
        lists, objects = [lists], {"a": objects}
    for tool, parameter in NESTED:
        for value in (lists, objects, [objects]):
            observation = call(World.fresh(), tool, {parameter: value})
            assert observation.error in ("out_of_range", "wrong_type")


def test_nothing_of_it_needs_much_memory_threads_or_sockets(world: World) -> None:
    opened: list[socket.AddressFamily] = []

    class Watched(socket.socket):
        def connect(self, address: object) -> None:
            opened.append(self.family)
            super().connect(address)  # type: ignore[arg-type]

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    threads = threading.active_count()
    original, socket.socket = socket.socket, Watched  # type: ignore[misc]
    try:
        for code in ("'a' * 10 ** 10", "x = [1]\nwhile True: x += x", "1 + 1"):
            python(world, code)
        bash(world, "cat sales.csv | sort | uniq -c")
        sql(world, "SELECT COUNT(*) FROM orders a, orders b")
    finally:
        socket.socket = original  # type: ignore[misc]
    assert opened == []
    assert threading.active_count() <= threads + 4
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


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
