"""The virtual disk as Python programs see it, and back."""

import functools
from pathlib import PurePosixPath
from typing import Any

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.state import World
from toolyard.world.tools.file import files

WRITE_BYTES = 2_000_000


@functools.cache
def _disk_classes() -> tuple[type, type]:
    from pydantic_monty import MemoryFile, OSAccess

    class WorldFile(MemoryFile):
        """A file that is fetched from the world when first read."""

        def __init__(self, world: World, path: str) -> None:
            super().__init__(path, "")
            self.world, self.origin = world, path
            self.fetched = self.changed = False

        def read_content(self) -> str | bytes:
            if not self.fetched and not self.changed:
                self.content = files.read_file(self.world, self.origin)
                self.fetched = True
            return self.content

        def write_content(self, content: str | bytes) -> None:
            self.content, self.changed = content, True

    class Disk(OSAccess):
        """What may be written in one run is bounded: it lives in this process, not in the sandbox."""

        left = WRITE_BYTES

        def _write_file(self, path: PurePosixPath, data: bytes | str) -> None:
            self._count(data)
            super()._write_file(path, data)

        def _append(self, path: PurePosixPath, data: bytes | str) -> None:
            self._count(data)
            super()._append(path, data)

        def _count(self, data: bytes | str) -> None:
            self.left -= len(data)
            if self.left < 0:
                raise OSError("[Errno 28] No space left on device")

    return WorldFile, Disk


@functools.cache
def _rehearsal_class() -> type:
    _, disk_class = _disk_classes()

    class Rehearsal(disk_class):  # type: ignore[misc, valid-type]
        """A disk for programs that ran before: what they made or removed is so already, and that is no error."""

        def path_mkdir(self, path: PurePosixPath, parents: bool, exist_ok: bool) -> None:  # noqa: ARG002 - always
            super().path_mkdir(path, parents, True)

        def path_unlink(self, path: PurePosixPath) -> None:
            if self.path_exists(path):
                super().path_unlink(path)

        def path_rmdir(self, path: PurePosixPath) -> None:
            if self.path_exists(path):
                super().path_rmdir(path)

        def path_rename(self, path: PurePosixPath, target: PurePosixPath) -> None:
            if self.path_exists(path):
                super().path_rename(path, target)

    return Rehearsal


def make_disk(world: World, *, again: bool = False) -> Any:
    """A file system for pydantic-monty that holds the world's files; reading is lazy, writing stays in it.

    On one for programs that run `again` it is no error that their changes are there already.
    """
    world_file, disk_class = _disk_classes()
    disk_class = _rehearsal_class() if again else disk_class
    keys = list(files.world_files(world))
    disk = disk_class([world_file(world, key) for key in keys if not key.endswith("/")])
    for key in keys:
        if key.endswith("/"):
            disk.path_mkdir(PurePosixPath(key), parents=True, exist_ok=True)
    return disk


def store_changes(world: World, disk: object) -> list[str]:
    """Takes over what a program wrote and removed; the paths of the files it wrote."""
    kept: set[str] = set()
    found: dict[str, Any] = {}
    _walk_disk(disk, found, kept)
    # A renamed file is read from its old place, so all reading comes before any removal.
    written = {
        path: entry.read_content()
        for path, entry in found.items()
        if getattr(entry, "changed", True) or entry.origin != path
    }
    folders = {f"{path}/" for path in kept - set(found)}
    # Also what a program has put in the place of the other kind: a folder where a file was, or a file for a folder.
    for key in [key for key in files.world_files(world) if key not in found and key not in folders]:
        if key in files.world_files(world):
            files.remove_path(world, key.rstrip("/"))
    for path, content in written.items():
        files.write(world, path, content)
    for path in sorted(kept - set(found)):
        if not files.is_directory(world, path):
            files.make_directory(world, path)
    return list(written)


def _walk_disk(disk: Any, found: dict[str, Any], kept: set[str]) -> None:
    folders = [PurePosixPath("/")]
    while folders:
        for path in disk.path_iterdir(folders.pop()):
            if len(str(path)) > files.MAX_PATH:
                raise ToolFault("limit_exceeded", f"a path has at most {files.MAX_PATH} characters")
            kept.add(str(path))
            if disk.path_is_dir(path):
                folders.append(path)
            else:
                found[str(path)] = disk._get_entry(path)
