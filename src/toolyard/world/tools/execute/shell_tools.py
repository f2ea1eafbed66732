"""Execute/Execute, shell: command lines on the virtual disk."""

from typing import Annotated, TypedDict

from toolyard.core.types import Record
from toolyard.world.isolation import sandbox
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Snapshot, Store, World
from toolyard.world.kernel.types import FilePath, Range
from toolyard.world.tools.execute import BY_CODE, shell, shell_files, shell_text
from toolyard.world.tools.file import files

GROUP = Group("Execute/Execute")
warm_up = sandbox.warm_up
SESSION = Store("shell")
COMMANDS = {**shell_files.COMMANDS, **shell_text.COMMANDS}


class ShellOutput(TypedDict):
    stdout: str
    exit_status: int
    directory: str
    files_written: list[FilePath]


@GROUP.tool(
    isolated=True,
    examples=[
        {"commands": "pwd"},
        {"commands": "mkdir testdir && cd testdir && touch testfile.txt && ls"},
        {"commands": "cat sales.csv | grep North | sort -t , -k 3n | head -n 2 > best.csv; cat best.csv"},
    ],
    phrase=(
        "run in the bash shell[ with stripping of newlines set to {strip_newlines}][ with error output "
        "returned set to {return_err_output}][ with persistence set to {persistent}] the command line that "
        "reads {commands}"
    ),
    noun="the shell output",
    stands_in_for=BY_CODE,
    listed_as="BashShell",
)
def execute_bash_code(
    world: World,
    *,
    commands: Annotated[str, Range(1, 5_000)],
    strip_newlines: bool = False,
    return_err_output: bool = True,
    persistent: bool = False,
) -> ShellOutput:
    """What a shell prints for a command line on the virtual disk, where it starts in /workspace.

    Known are the usual small commands (ls, cat, grep, sort, head, wc, find, cp, mv, date, python3 and others), pipes,
    redirections, &&, || and ;, variables and file patterns. Loops, $(...), sed, awk, archives and network are not
    supported; the refusal names what there is.

    commands: The command line; several lines are run in order.
    strip_newlines: Whether to take off newlines around the output.
    return_err_output: Whether error messages appear in the output; a failed command line is an error otherwise.
    persistent: Whether directory and variables last until the next persistent call.
    """
    store = world.store(SESSION)
    fresh: Record = {"directory": files.HOME, "variables": {}}
    state = store.get("state", fresh) if persistent else fresh
    session = shell.Shell(world, state["directory"], state["variables"])
    before = world.snapshot()
    ran = shell.run_commands(session, commands, COMMANDS)
    if ran.status and not return_err_output:
        raise ToolFault(
            "invalid_value", f"the command failed with status {ran.status}; ask for its error output"
        )
    if persistent:
        store["state"] = {"directory": session.directory, "variables": session.variables}
    output = ran.output + ran.errors if return_err_output else ran.output
    return {
        "stdout": output.strip("\n") if strip_newlines else output,
        "exit_status": ran.status,
        "directory": session.directory,
        "files_written": _files_written(world, before),
    }


def _files_written(world: World, before: Snapshot) -> list[FilePath]:
    """The files that are new or different since a snapshot."""
    changes = world.diff(before).get("files", {})
    paths = [*changes.get("added", {}), *changes.get("changed", {})]
    return sorted(path for path in paths if not path.endswith("/"))
