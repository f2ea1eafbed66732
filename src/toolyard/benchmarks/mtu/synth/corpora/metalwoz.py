"""MetaLWOZ: `dialogues/<DOMAIN>.txt` and `tasks.txt` of JSON lines, in a folder or in the released zip file.

    dialogues/ALARM_SET.txt  {"id": "1a", "user_id": "u", "bot_id": "b", "domain": "ALARM_SET", "task_id": "7c",
                              "turns": ["Hello how may I help you?", "Wake me at six.", "It is set."]}
    tasks.txt                {"task_id": "7c", "domain": "ALARM_SET", "bot_role": "...", "user_role": "..."}

The first turn is the bot's greeting and belongs to no turn of ours. There are no intents, slots or calls: every
turn has the label None, for the model-based creation of tools. A dialogue whose task is not listed is kept.
"""

from collections.abc import Iterator
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    convert_entries,
    json_lines,
    open_zip,
    read_member,
    read_text,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    METALWOZ,
    CorpusTool,
    DialogueTurn,
    Item,
    Skipped,
    public_dialogue,
)

NAME = "metalwoz"


def is_here(folder: Path) -> bool:
    """Whether the folder, or the zip file, holds MetaLWOZ."""
    if folder.match("metalwoz*.zip") or any(folder.glob("metalwoz*.zip")):
        return True
    return (folder / "tasks.txt").is_file() and (folder / "dialogues").is_dir()


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue, domain by domain."""
    for name, text in _dialogue_texts(folder):
        if "dialogues/" in name:
            yield from convert_entries(json_lines(text, f"{NAME}/{name}"), _convert_entry)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """None: the corpus names no tools."""
    del folder
    return ()


def _dialogue_texts(folder: Path) -> Iterator[tuple[str, str]]:
    archives = [folder] if folder.suffix == ".zip" else sorted(folder.glob("metalwoz*.zip"))
    if archives:
        with open_zip(archives[0]) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".txt"):
                    yield name, read_member(archive, name)
        return
    for path in sorted(folder.glob("dialogues/*.txt")):
        yield path.relative_to(folder).as_posix(), read_text(path)


def _convert_entry(entry: CorpusEntry) -> Iterator[Item]:
    row = entry.value
    said = [" ".join(text.split()) for text in row["turns"]][1:]
    if not any(said[::2]):
        yield Skipped("no_user_turn", entry.where)
        return
    turns = (DialogueTurn(*pair) for pair in zip(said[::2], [*said[1::2], ""], strict=False))
    domain = str(row["domain"])
    identity = f"{NAME}/{domain}/{row['id']}"
    yield public_dialogue(identity, "train", turns, [domain], [METALWOZ.get(domain)])
