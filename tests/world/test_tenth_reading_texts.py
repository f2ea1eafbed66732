"""Texts and files as they are read by people who use them: numbers of Python, PDF documents, grammar, test data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

FOLDER = "/workspace/Tool_learning_test/Tools/File/Pdf/test_file"


def _value(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def _printed(code: str) -> str:
    found = _value(World.fresh(0), "Execute/Execute/execute_pycode", code=code)
    assert found["error"] is None
    return str(found["output"]).strip()


def test_python_rounds_as_python_does() -> None:
    numbers = [
        2.675,
        -2.675,
        4.35,
        0.15,
        0.35,
        1.005,
        0.125,
        88.825,
        1e300,
        0.0,
        -0.0,
        123456789.987,
        250.0,
        350.0,
    ]
    code = f"print([round(x, n) for x in {numbers} for n in (1, 2, 0, -1, -2, 20)])"
    assert _printed(code) == str([round(x, n) for x in numbers for n in (1, 2, 0, -1, -2, 20)])
    assert _printed("def round(x, n):\n    return n\nprint(round(2.675, 2))") == "2"


@pytest.mark.parametrize(
    "text", ["pow(3, -1, 7)", "pow(38, -1, 97)", "pow(2, -3, -7)", "pow(5, 3, 13)", "pow(2, -1)"]
)
def test_powers_with_a_modulus(text: str) -> None:
    assert _printed(f"print({text})") == str(eval(text))


def test_statistics_are_exact() -> None:
    import statistics

    data = [0.1, 0.2, 0.3, 7.25]
    for name in ("mean", "fmean", "variance", "pvariance", "stdev", "pstdev", "harmonic_mean"):
        wanted = repr(getattr(statistics, name)(data))
        assert _printed(f"import statistics\nprint(repr(statistics.{name}({data})))") == wanted


def _picture(world: World, path: str) -> Any:
    from io import BytesIO

    from PIL import Image

    from toolyard.world.worlds.file import files

    content = files.read(world, path)
    assert isinstance(content, bytes)
    return Image.open(BytesIO(content)).convert("L")


def test_letters_of_all_languages_stay_in_a_pdf() -> None:
    world, text = World.fresh(0), "Привет мир. Price: 100 €. “Quoted” – dash. 你好"
    _value(world, "File/file_operation/write_file", file_path="/workspace/ru.txt", text=text)
    made = _value(world, "File/Pdf/office_to_pdf", file_path="/workspace/ru.txt")
    assert text in call(world, "File/file_operation/read_file", {"file_path": made["file_path"]}).text


@pytest.mark.parametrize(("angle", "size"), [(90, (842, 595)), (180, (595, 842)), (270, (842, 595))])
def test_turned_pages_are_pictured_turned(angle: int, size: tuple[int, int]) -> None:
    world, source = World.fresh(0), f"{FOLDER}/hello_doc.pdf"
    _value(world, "File/Pdf/rotate", file_path=source, angle=angle, output_filename="/workspace/r.pdf")
    _value(world, "File/Pdf/pdf_to_img", file_path="/workspace/r.pdf", output_filename="/workspace/r.png")
    _value(world, "File/Pdf/pdf_to_img", file_path=source, output_filename="/workspace/h.png")
    turned, upright = _picture(world, "/workspace/r.png"), _picture(world, "/workspace/h.png")
    assert turned.size == size
    assert turned.rotate(angle, expand=True).tobytes() == upright.tobytes()


def test_a_watermark_lies_grey_across_the_middle() -> None:
    world = World.fresh(0)
    _value(
        world,
        "File/Pdf/add_watermark",
        file_path=f"{FOLDER}/world.pdf",
        text="DRAFT",
        output_filename="/workspace/w.pdf",
    )
    _value(world, "File/Pdf/pdf_to_img", file_path="/workspace/w.pdf", output_filename="/workspace/w.png")
    below = (
        _picture(world, "/workspace/w-1.png")
        .crop((0, 200, 595, 842))
        .point(lambda shade: 255 if shade < 250 else 0)
    )
    left, top, right, bottom = below.getbbox()
    assert left > 180 and right < 420 and right - left > 80 and bottom - top > 80
    assert _picture(world, "/workspace/w-1.png").crop((180, 250, 420, 600)).getextrema()[0] > 190


def test_a_pdf_gets_no_name_of_another_kind_nor_that_of_its_source() -> None:
    world, source = World.fresh(0), f"{FOLDER}/world.pdf"
    for tool, arguments in (
        ("add_password", {"file_path": source, "output_filename": "x.docx"}),
        ("office_to_pdf", {"file_path": "/workspace/minutes.docx", "output_filename": "notes.txt"}),
        ("rotate", {"file_path": source, "angle": 90, "output_filename": "world.pdf"}),
        ("merge", {"file_path": [source, f"{FOLDER}/protect.pdf"], "output_filename": "protect"}),
    ):
        assert call(world, f"File/Pdf/{tool}", arguments).error == "invalid_value"
    made = _value(world, "File/Pdf/compress", file_path=source, output_filename="small.v2")
    assert made["file_path"].endswith("/small.v2.pdf")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Scientists discovered that the old wall was built by Roman soldiers.",
            "that:conjunction soldiers:noun",
        ),
        (
            "It's raining cats and dogs, so let's stay inside.",
            "raining:verb let's:verb stay:verb inside:adverb",
        ),
        ("She said that he was tired.", "that:conjunction tired:adjective"),
        ("The company hopes that sales will grow.", "that:conjunction sales:noun grow:verb"),
        ("I know that man.", "that:determiner"),
        ("We think that is wrong.", "that:pronoun"),
        ("The man that I saw was tall.", "that:pronoun"),
        ("It starts at 9 p.m. in Washington, D.C.", "p.m.:noun D.C.:proper noun"),
    ],
)
def test_parts_of_speech_in_ordinary_sentences(text: str, wanted: str) -> None:
    found = _value(World.fresh(0), "NLP/NLP/linguistic_analysis", txt=text)
    tags = " ".join(f"{token['form']}:{token['part_of_speech']}" for token in found["tokens"])

    assert found["sentence_count"] == 1 and all(pair in tags for pair in wanted.split())


def _rows(locale: str = "en_US", **fields: str) -> list[dict[str, Any]]:
    found = _value(
        World.fresh(0),
        "Faker/fake_data/fake_data_custom",
        custom_fields=fields,
        _locale=locale,
        _quantity=30,
        _seed=4,
    )
    return list(found["rows"])


def test_a_card_has_the_number_of_its_kind() -> None:
    starts = {"Visa": "4", "Mastercard": "52", "American Express": "3"}
    rows = _rows(number="card_number", kind="card_type")
    assert {row["kind"] for row in rows} == set(starts)
    assert all(row["number"][0] in starts[row["kind"]] for row in rows)


def test_a_row_tells_of_one_person() -> None:
    for row in _rows(
        mail="email", name="name", user="username", first="first_name", last="last_name", other="name"
    ):
        assert row["name"] == f"{row['first']} {row['last']}" and row["other"] != row["name"]
        assert row["mail"].split("@")[0] == row["user"] and row["user"].startswith(row["first"].lower())


@pytest.mark.parametrize(
    ("locale", "code", "country"),
    [("it_IT", "IT", "Italia"), ("ja_JP", "JP", "日本"), ("en_US", "US", "United States")],
)
def test_a_row_tells_of_one_place(locale: str, code: str, country: str) -> None:
    from toolyard.world.shared.geography import cities
    from toolyard.world.worlds.faker.local_names import city_name, region_name

    known = {
        (city_name(locale, one["name"]), region_name(locale, one["region"]))
        for one in cities()
        if one["country_code"] == code
    }
    for row in _rows(locale, c="city", s="state", n="country", k="country_code"):
        assert (row["c"], row["s"]) in known and (row["n"], row["k"]) == (country, code)


def test_places_have_the_names_of_their_language() -> None:
    names = {row["c"] for row in _rows("de_DE", c="city")} | {row["s"] for row in _rows("de_DE", s="state")}
    assert {"Köln", "München", "Bayern"} & names and not {"Cologne", "Munich", "Bavaria"} & names


def test_a_copy_can_be_seen_afterwards() -> None:
    world = World.fresh(0)
    sent = _value(
        world,
        "Mail/Mail/send_list",
        to_email_list=["a@example.org"],
        subject="s",
        content="c",
        cc="boss@example.com",
    )
    assert _value(world, "Mail/Mail/recieve_id", id=sent["ids"][0])["cc"] == ["boss@example.com"]
    assert "cc" not in _value(world, "Mail/Mail/recieve_id", id="m1")


def test_all_breeds_of_cats_can_be_had() -> None:
    breeds = {row["breed"] for row in _value(World.fresh(0), "Animal/Animal/cat_breed", limit=100)}
    assert {"Turkish Angora", "Turkish Van", "American Bobtail", "Burmilla", "Toyger"} <= breeds
