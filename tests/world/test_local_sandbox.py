"""The local sandbox computes for real, remembers what it did, and its tools agree with one another."""

import io

from pypdf import PdfReader

from cases import each_case
from toolyard.core.state_checks import StateCheck, verify
from toolyard.world import World, call
from toolyard.world.tools.calculator.numbers_in_words import words_to_signs
from toolyard.world.tools.file.files import world_files
from world_answers import answer

PDFS = "/workspace/Tool_learning_test/Tools/File/Pdf/test_file"


@each_case("question, exact")
def test_questions_in_words_or_signs_are_computed_exactly(question: str, exact: str) -> None:
    found = answer(World.fresh(), "Calculator/Calculator/wolfram_alpha_calculator", {"input_query": question})
    assert found["exact"] == exact


@each_case("operation, expression, result")
def test_operations_of_algebra(operation: str, expression: str, result: str) -> None:
    arguments = {"operation": operation, "expression": expression}
    assert answer(World.fresh(), "Calculator/Calculator/newton_calculator", arguments)["result"] == result


def test_number_words_become_digits() -> None:
    assert words_to_signs("three million two hundred thousand and five times six") == "3200005 * 6"


def test_a_python_session_remembers_and_does_not_repeat_its_effects() -> None:
    world = World.fresh()
    repl, last = "Execute/Execute/exectue_pycode_REPL", "Execute/Execute/exectue_pycode_REPL_Ast"
    answer(world, repl, {"code": "rows = [1]\nopen('/workspace/log.txt', 'a').write('once\\n')"})
    answer(world, repl, {"code": "rows.append(2)"})
    assert answer(world, last, {"code": "1 / 0"})["failure"] == "ZeroDivisionError: division by zero"
    assert (
        answer(world, last, {"code": "rows, open('/workspace/log.txt').read()"})["value"]
        == "([1, 2], 'once\\n')"
    )
    assert answer(world, "Execute/Execute/execute_pycode", {"code": "rows"})["error"].startswith("NameError")


def test_shell_python_and_file_tools_share_one_disk() -> None:
    world = World.fresh()
    answer(world, "File/file_operation/write_file", {"text": "b\na\n", "file_path": "/workspace/list.txt"})
    answer(
        world,
        "Execute/Execute/execute_bash_code",
        {"commands": "sort list.txt > sorted.txt && mkdir d && mv list.txt d"},
    )
    answer(
        world, "Execute/Execute/execute_pycode", {"code": "open('/workspace/sorted.txt', 'a').write('c\\n')"}
    )
    found = answer(world, "File/file_operation/read_file", {"file_path": "sorted.txt"})
    assert found["text"] == "a\nb\nc\n"
    assert set(world.diff()["files"]["added"]) >= {"/workspace/sorted.txt", "/workspace/d/list.txt"}
    assert (
        call(world, "File/file_operation/read_file", {"file_path": "/workspace/list.txt"}).error
        == "not_found"
    )


@each_case("commands, output")
def test_command_lines(commands: str, output: str) -> None:
    found = answer(World.fresh(), "Execute/Execute/execute_bash_code", {"commands": commands})
    assert found["stdout"] == output


def test_a_persistent_shell_stays_where_it_went() -> None:
    world = World.fresh()
    name = "Execute/Execute/execute_bash_code"
    answer(world, name, {"commands": "mkdir here; cd here; A=5", "persistent": True})
    assert (
        answer(world, name, {"commands": "pwd; echo $A", "persistent": True})["stdout"]
        == "/workspace/here\n5\n"
    )
    assert answer(world, name, {"commands": "pwd"})["stdout"] == "/workspace\n"


def test_sql_changes_are_state_that_can_be_checked() -> None:
    world = World.fresh()
    name = "Execute/Execute/execute_mysql_query"
    answer(
        world, name, {"sql_cmd": "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, n TEXT) ENGINE=InnoDB"}
    )
    assert answer(world, name, {"sql_cmd": "INSERT INTO t (n) VALUES ('x'), ('y')"})["rows_changed"] == 2
    assert answer(world, name, {"sql_cmd": "SELECT id, n FROM t"})["rows"] == [
        {"id": 1, "n": "x"},
        {"id": 2, "n": "y"},
    ]
    assert world.diff()["database"]["added"]["shop.t"]["rows"] == [[1, "x"], [2, "y"]]
    assert answer(world, name, {"sql_cmd": "SELECT CURDATE() AS day"})["rows"] == [{"day": "2024-05-15"}]


def opened(world: World, path: str) -> PdfReader:
    return PdfReader(io.BytesIO(world_files(world)[path]))


def test_pdf_tools_make_documents_that_another_reader_understands() -> None:
    world = World.fresh()
    merged = answer(world, "File/Pdf/merge", {"file_path": [f"{PDFS}/protect.pdf", f"{PDFS}/world.pdf"]})[
        "file_path"
    ]
    assert len(opened(world, merged).pages) == 5
    numbered = answer(world, "File/Pdf/add_page_number", {"file_path": merged})["file_path"]
    assert "3 / 5" in opened(world, numbered).pages[2].extract_text()
    turned = answer(world, "File/Pdf/rotate", {"file_path": numbered, "angle": -90})["file_path"]
    assert opened(world, turned).pages[0].rotation == 270
    stamped = answer(world, "File/Pdf/add_watermark", {"file_path": f"{PDFS}/world.pdf", "text": "DRAFT"})[
        "file_path"
    ]
    assert "DRAFT" in opened(world, stamped).pages[1].extract_text()
    part = answer(
        world, "File/Pdf/split", {"file_path": merged, "split_mode": "remove_pages", "remove_pages": "1-4"}
    )
    assert "Everest" in opened(world, part[0]["file_path"]).pages[0].extract_text()


def test_a_locked_pdf_opens_only_after_it_was_unlocked() -> None:
    world = World.fresh()
    arguments = {
        "file_path": f"{PDFS}/hello_doc.pdf",
        "password": "test_password",
        "output_filename": f"{PDFS}/pass.pdf",
    }
    locked = answer(world, "File/Pdf/add_password", arguments)["file_path"]
    assert opened(world, locked).is_encrypted
    assert opened(world, locked).decrypt("test_password")
    assert call(world, "File/Pdf/compress", {"file_path": locked}).error == "denied"
    free = answer(world, "File/Pdf/unlock", {"file_path": locked})["file_path"]
    assert answer(world, "File/file_operation/read_file", {"file_path": free})["text"].startswith("Hello!")


def test_the_same_pdf_has_the_same_bytes_in_every_world() -> None:
    found = []
    for seed in (0, 7):
        world = World.fresh(seed)
        path = answer(world, "File/Pdf/add_password", {"file_path": f"{PDFS}/world.pdf"})["file_path"]
        found.append(world_files(world)[path])
    assert found[0] == found[1]


def test_exactly_one_mail_was_sent_and_the_own_copy_arrives() -> None:
    world = World.fresh()
    mail = {
        "to_email": "ann@example.org",
        "subject": "Figures",
        "content": "See below.",
        "cc": "alex.morgan@example.org",
    }
    answer(world, "Mail/Mail/send", mail)
    wanted = {"to": "ann@example.org", "subject": "Figures", "folder": "sent"}
    assert verify(StateCheck("mailbox", where=wanted), world.diff()).holds
    assert answer(world, "Mail/Mail/recieve_latest", {})["mail"]["subject"] == "Figures"


def test_zapier_acts_on_the_same_mailbox_and_disk() -> None:
    world = World.fresh()
    name = "Zapier/Zapier/run_zapier_NLA_action"
    text = (
        "Send a thank-you letter to 873890848@qq.com with subject 'Thank you' saying 'Thanks for your help.'"
    )
    answer(world, name, {"action_id": "gmail_send_email", "instructions": text})
    wanted = {"to": "873890848@qq.com", "subject": "Thank you", "content": "Thanks for your help."}
    assert verify(StateCheck("mailbox", where=wanted), world.diff()).holds
    found = answer(world, name, {"action_id": "drive_find_file", "instructions": "search for the minutes"})
    assert found["result"]["files"] == ["/workspace/minutes.docx"]
    assert (
        call(world, name, {"action_id": "gmail_send_email", "instructions": "write to my boss"}).error
        == "invalid_value"
    )


def test_a_short_address_stands_for_the_page_behind_it() -> None:
    world = World.fresh()
    short = answer(world, "URL/URL/shorten_url", {"long_url": "https://edition.cnn.com/2021/index.html"})[
        "short_url"
    ]
    assert answer(world, "URL/URL/paper_rank", {"domains": [short]})[0]["domain"] == "edition.cnn.com"


def test_chance_differs_from_draw_to_draw_but_a_seed_fixes_it() -> None:
    world = World.fresh()
    first, second = (answer(world, "Random/Random/get_uuid", {"cnt": 3})["uuids"] for _ in range(2))
    assert len({*first, *second}) == 6
    people = [
        answer(
            World.fresh(seed),
            "Faker/fake_data/fake_data",
            {"resource": "persons", "_seed": 12345, "_gender": "female"},
        )
        for seed in (0, 7)
    ]
    assert people[0] == people[1]
    assert {row["gender"] for row in people[0]["data"]} == {"female"}


def test_similarity_of_equal_and_of_disjoint_texts() -> None:
    name = "Comparison/Text_Similarity_Calculator/calculate_similarity"
    assert answer(World.fresh(), name, {"text1": "a tree", "text2": "a tree"})["percentage"] == 100
    assert answer(World.fresh(), name, {"text1": "123456", "text2": "abcdefg"})["percentage"] == 0
    assert answer(World.fresh(), name, {"text1": "ATTCGAATGC", "text2": "TTCGACA"})["edit_distance"] == 5


@each_case("tool, argument, said")
def test_what_an_interpreter_lacks_is_named(tool: str, argument: dict[str, str], said: str) -> None:
    assert said in call(World.fresh(), f"Execute/Execute/{tool}", argument).text
