"""What a reader of the tools of the desk found at fault, and must not find again."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.file.files import of_root


def answer(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world."""
    return call(World.fresh(0), tool, arguments).value


def said(tool: str, **arguments: Any) -> str:
    """The text of an answer in a fresh world, faults as well."""
    return call(World.fresh(0), tool, arguments).text


def sql(world: World, statement: str) -> Any:
    return call(world, "Execute/Execute/execute_mysql_query", {"sql_cmd": statement}).value


def shell(*lines: str) -> str:
    found = answer("Execute/Execute/execute_bash_code", commands="\n".join(lines))
    return str(found["stdout"])


@pytest.mark.parametrize(
    ("length", "bits"), [(1, 6.2), (3, 18.7), (4, round(math.log2(24 * 26 * 26 * 10 * 13), 1)), (12, 74.3)]
)
def test_a_password_has_the_entropy_of_those_that_can_come(length: int, bits: float) -> None:
    assert answer("Random/Random/generate_password", len=length)["entropy_bits"] == bits


def test_every_password_of_four_signs_has_four_kinds() -> None:
    for one in answer("Random/Random/generate_password", len=4, cnt=50)["passwords"]:
        kinds = {"a" if c.islower() else "A" if c.isupper() else "1" if c.isdigit() else "!" for c in one}
        assert len(kinds) == 4


@pytest.mark.parametrize(
    ("path", "its"), [("/etc/x", True), ("//etc/x", True), ("/etc", False), ("/etcetera/x", False)]
)
def test_what_belongs_to_root(path: str, its: bool) -> None:
    assert of_root(path) is its


def test_a_table_may_have_a_key_of_any_kind() -> None:
    world = World.fresh(0)
    sql(world, "CREATE TABLE t (id INT PRIMARY KEY, mail VARCHAR(80) UNIQUE)")
    assert sql(world, "INSERT INTO t VALUES (1, 'a'), (2, 'b')")["rows_changed"] == 2
    assert [row["Key"] for row in sql(world, "DESCRIBE t")["rows"]] == ["PRI", "UNI"]
    assert sql(world, "CREATE INDEX i ON orders (ordered)")["row_count"] == 0


def test_a_key_that_counts_is_described_so() -> None:
    world = World.fresh(0)
    sql(world, "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
    sql(world, "CREATE TABLE u (id INT PRIMARY KEY)")
    assert sql(world, "DESCRIBE t")["rows"][0]["Extra"] == "auto_increment"
    assert sql(world, "DESCRIBE u")["rows"][0]["Extra"] == ""
    assert sql(world, "SHOW DATABASES")["columns"] == ["Database"]
    assert sql(world, "SHOW TABLES")["columns"] == ["Tables_in_shop"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2^100", 2**100),
        ("25!", math.factorial(25)),
        ("|-5|", 5),
        ("cos(60°)", 0.5),
        ("sin(90 deg)", 1),
        ("5 factorial", 120),
    ],
)
def test_the_calculator_writes_whole_numbers_out_and_knows_degrees(text: str, value: float) -> None:
    assert answer("Calculator/Calculator/calculator", input_query=text)["result"] == value


def test_a_bracket_that_is_not_closed_is_told() -> None:
    assert "brackets" in said("Calculator/Calculator/calculator", input_query="(1+2")


@pytest.mark.parametrize(
    ("text", "exact"), [("derivative of ln(x)/x", "-log(x)/x^2 + 1/x^2"), ("what is 20% off 80", "64")]
)
def test_answers_are_written_as_people_do(text: str, exact: str) -> None:
    assert answer("Calculator/Calculator/wolfram_alpha_calculator", input_query=text)["exact"] == exact


def test_mails_come_by_day() -> None:
    for one in answer("Mail/Mail/recieve_list"):
        assert 7 <= int(one["date"][11:13]) <= 18
        assert date.fromisoformat(one["date"][:10]).weekday() < 6


def test_a_list_of_receivers_counts_an_address_once_in_any_case() -> None:
    found = answer("Mail/Mail/send_list", to_email_list=["a@b.com", "A@b.com"], subject="x", content="y")
    assert found["recipients"] == ["a@b.com"]


def zapier(action: str, text: str) -> Any:
    return answer("Zapier/Zapier/run_zapier_NLA_action", action_id=action, instructions=text)["result"]


def test_how_long_an_event_lasts_is_no_part_of_its_title() -> None:
    assert zapier("calendar_create_event", "Gym tomorrow at 7am for 90 minutes")["title"] == "Gym"


def test_unread_is_no_word_of_a_mail() -> None:
    assert zapier("gmail_find_email", "unread emails about the interview")["found"] == 1


@pytest.mark.parametrize(("name", "count"), [("resume.pdf", 0), ("find world.pdf", 1), ("sales.csv", 1)])
def test_a_file_is_found_by_its_whole_name(name: str, count: int) -> None:
    assert zapier("drive_find_file", name)["found"] == count


def test_the_shell_has_a_place_for_passing_files_and_runs_scripts() -> None:
    assert shell("cd /tmp && echo hi > x && cat x") == "hi\n"
    assert shell("echo 'echo $((2+3))' > s.sh", "bash s.sh", "sh -c 'echo b'") == "5\nb\n"
    assert "Permission denied" in shell("echo a > s.sh", "./s.sh")
    assert "too deep" in shell("echo 'sh s.sh' > s.sh", "sh s.sh")


def test_the_shell_names_files_and_sizes_as_asked() -> None:
    assert shell("grep -rn milk .") == "./notes.txt:1:Buy milk.\n"
    assert shell("grep -rl milk") == "notes.txt\n"
    assert "2.6K" in shell("ls -lh chart.png")
    assert shell("ls -S *.csv *.docx *.txt").split()[0] == "minutes.docx"
    assert "Size: 70" in shell("stat notes.txt")
    assert shell("x=5", "export x", "echo $x", "/bin/echo y") == "5\ny\n"
    assert "/root:" in shell("cat /etc/passwd")


def test_errors_of_a_program_keep_their_names() -> None:
    code = (
        "class Bad(Exception): pass\ntry:\n    raise Bad('x')\nexcept Bad as e:\n    print(repr(e), type(e))"
    )
    assert (
        answer("Execute/Execute/execute_pycode", code=code)["output"] == "Bad('x') <class '__main__.Bad'>\n"
    )
    code = "class Bad(Exception): pass\ntry:\n    raise Bad('x')\nexcept Bad as e:\n    print(e.__cause__)"
    assert "of exceptions" in answer("Execute/Execute/execute_pycode", code=code)["error"]


FIT = {"SSH", "FTP Brute-Force", "Hacking", "SQL Injection", "Spoofing", "Web Spam"}


def test_the_categories_of_a_report_go_together() -> None:
    reports = answer("Anti_Malware/Anti_Malware/check_ip", ipAddress="185.220.101.34", maxAgeInDays=90)[
        "reports"
    ]
    assert all(set(one["categories"][1:]) <= FIT for one in reports)
    assert answer("Anti_Malware/Anti_Malware/check_ip", ipAddress="93.184.216.34")["usageType"].startswith(
        "Data Center"
    )


def test_the_blacklist_is_in_order_of_score_and_time() -> None:
    rows = answer("Anti_Malware/Anti_Malware/blacklist_ip", limit=30, confidenceMininum=25)
    assert rows == sorted(
        rows, key=lambda row: (row["abuseConfidenceScore"], row["lastReportedAt"]), reverse=True
    )


def test_files_for_linux_are_no_setups() -> None:
    urls = [row["url"] for row in answer("Anti_Malware/Anti_Malware/blacklist_ip_2", limit=30)]
    assert not [url for url in urls if url.endswith(("setup.elf", "setup.doc", "setup.zip"))]


def ranks(*domains: str) -> list[Any]:
    return [row["rank"] for row in answer("URL/URL/paper_rank", domains=[*domains])]


def test_household_names_rank_before_a_museum() -> None:
    ikea, louvre, patagonia, german = ranks("ikea.com", "louvre.fr", "patagonia.com", "bmw.de")
    assert ikea < 1000 < louvre
    assert patagonia > ikea
    assert german is not None
    assert len(set(ranks("patagonia.com", "uni-heidelberg.de", "tum.de"))) == 3


def phone(number: str, country: str) -> Any:
    found = answer("Validation/Validation/check_phone_number", number=number, country_code=country)
    return found["line_type"] if found["valid"] else found["reason"]


def test_phones_of_countries_that_were_read_wrong() -> None:
    assert phone("+54 9 11 1234-5678", "AR") == "mobile"
    assert phone("011 2345 6789", "AR") == "fixed line"
    assert phone("1588-1234", "KR") == "shared cost"
    assert "exchange code" in phone("+1 876 123 4567", "JM")
    assert phone("+43 1 234567", "AT") == "fixed line"
    assert "short number" in phone("118 118", "GB")


def test_example_com_sends_no_headers() -> None:
    found = answer("Validation/Validation/analyze_scan", website="example.com")
    assert (found["grade"], found["tests_failed"]) == ("F", 5)


def test_marks_of_markdown_are_not_printed() -> None:
    world = World.fresh(0)
    text = "# Title\n\n**Bold** and [a link](https://x.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    call(world, "File/file_operation/write_file", {"text": text, "file_path": "x.md"})
    assert call(world, "File/Pdf/office_to_pdf", {"file_path": "x.md"}).value["words"] == 9
    printed = call(world, "File/file_operation/read_file", {"file_path": "x.pdf"}).value["text"]
    assert not {"#", "*", "|", "["} & set(printed)


@pytest.mark.parametrize(
    ("question", "exact"),
    [
        ("1 light year in km", "9460730472580 km"),
        ("weeks between 2024-01-01 and 2024-05-15", "19 weeks and 2 days"),
        ("how many days until Christmas 2024", "224 days"),
        ("2024 is a leap year?", "yes"),
        ("1010 binary to decimal", "10"),
        ("XIV in decimal", "14"),
        ("product of 1 to 5", "120"),
        ("permutations of 5", "120"),
        ("two thirds of 90", "60"),
    ],
)
def test_questions_that_people_ask(question: str, exact: str) -> None:
    assert answer("Calculator/Calculator/wolfram_alpha_calculator", input_query=question)["exact"] == exact


def test_newton_repeats_what_was_asked() -> None:
    found = answer("Calculator/Calculator/newton_calculator", operation="tangent", expression="2|x^3")
    assert found["expression"] == "2|x^3"
    assert (
        answer("Calculator/Calculator/newton_calculator", operation="abs", expression="x")["result"]
        == "abs(x)"
    )


def test_usual_functions_of_the_database() -> None:
    world = World.fresh(0)
    row = sql(
        world, "SELECT STDDEV(id), VAR_SAMP(id), STR_TO_DATE('15/05/2024', '%d/%m/%Y') AS d FROM products"
    )["rows"][0]
    assert row == {"STDDEV(id)": 2.872281, "VAR_SAMP(id)": 9.166667, "d": "2024-05-15"}


@pytest.mark.parametrize(
    ("text", "found"), [("a$$ and more", ["a$$"]), ("Moby-Dick by Melville", []), ("costs 5$", [])]
)
def test_disguised_words_and_names(text: str, found: list[str]) -> None:
    assert answer("Validation/Validation/profanity_detect", text=text)["found"] == found
