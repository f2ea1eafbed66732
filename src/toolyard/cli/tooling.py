"""tools and serve: the library of executable tools, one call at a time or over MCP."""

from __future__ import annotations

import json as standard_json
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import typer

from toolyard.cli.help_groups import WholeSentences
from toolyard.cli.output import print_json, print_tables
from toolyard.cli.signature import takes_options
from toolyard.core.benchmark import Table
from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.core.types import JsonValue, Record
from toolyard.text.counted_nouns import how_many
from toolyard.text.printable import printable_text

if TYPE_CHECKING:
    from toolyard.world.kernel.executor import Faults
    from toolyard.world.kernel.registry import Tool

tools = typer.Typer(
    cls=WholeSentences,
    help="The library of executable tools: list, show, search, call, graph.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
PARTS = (
    "A scenario (TG DU RS PL IR AM FT), Category, Category/Subcategory or id; default: all. "
    "With +extra behind it the extra tools too, e.g. Mail+extra."
)
PART = typer.Argument(None, help=PARTS)
JSON = typer.Option(False, "--json", help="Print JSON instead of a table.")
EXAMPLE = '\'{"city": "Oslo"}\''


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSettings:
    """The world that tools are called in."""

    seed: int = option(0, "--seed", help="Seed of the world.")
    faults: float = option(
        0.0,
        "--faults",
        help="Share of calls that fail on purpose (rate limits, time-outs), seeded.",
        minimum=0,
        maximum=1,
    )

    def planned_faults(self) -> Faults | None:
        """The faults that calls meet."""
        from toolyard.world.kernel.executor import Faults

        return Faults(self.faults, self.seed) if self.faults else None


@tools.command("list")
def list_tools(
    part: str | None = PART,
    json: bool = JSON,
    extra: bool = typer.Option(False, "--extra", help="List the extra tools beyond the documents instead."),
) -> None:
    """The tools of the library, or of a part of it.

    Example: toolyard tools list FT --json
    """
    from toolyard.world.kernel.registry import EXTRA, select

    chosen = (
        select(part) if not extra else tuple(tool for tool in select(f"{part or ''}{EXTRA}") if tool.extra)
    )
    if json:
        print_json([tool.row() for tool in chosen])
    else:
        rows = tuple((tool.scenario, tool.id, tool.document.description) for tool in chosen)
        print_tables([Table(how_many(len(rows), "tool"), ("scenario", "id", "what it returns"), rows)])


@tools.command()
def show(
    tool_id: str = typer.Argument(help="Id of a tool, or a name that is unique."), json: bool = JSON
) -> None:
    """The document of one tool: parameters, result, examples.

    Example: toolyard tools show Weather/weatherapi/forecast --json
    """
    tool = find_tool(tool_id)
    if json:
        print_json(tool.to_json())
        return
    parameters = tuple(
        (each.name, schema_type_words(each.schema), each.required, each.schema.get("description", ""))
        for each in tool.document.parameters
    )
    title = f"{tool.id}: {tool.document.description}"
    examples = "; ".join(
        f"toolyard tools call {tool.id} '{standard_json.dumps(each)}'" for each in tool.examples
    )
    print_tables(
        [Table(title, ("parameter", "type", "required", "meaning"), parameters, f"example: {examples}")]
    )


@tools.command()
def search(
    query: str = typer.Argument(help="Words to look for in names and descriptions."),
    limit: int = typer.Option(20, "--limit", help="At most this many."),
    json: bool = JSON,
) -> None:
    """Tools whose name or description fits some words, best first.

    Example: toolyard tools search "weather tomorrow"
    """
    from toolyard.world.index import Index
    from toolyard.world.kernel.registry import library

    rows = [{**tool.row(), "description": tool.document.description} for tool in library().values()]
    hits = Index(rows, ["name", "subcategory", "category", "description"]).search(query)[:limit]
    if json:
        print_json(hits)
    elif not hits:
        typer.echo(f"no tool fits {printable_text(query)!r}; try other words, or see: toolyard tools list")
    else:
        table = tuple((hit["id"], hit["description"]) for hit in hits)
        print_tables([Table(how_many(len(table), "tool"), ("id", "what it returns"), table)])


@dataclass(frozen=True, slots=True)
class CallSettings(WorldSettings):
    """What a user can ask of `tools call`, each option stated once."""

    tool_id: str = option(..., help="Id of a tool, or a name that is unique.")
    arguments: str = option("{}", help="Arguments as a JSON object.")
    json: bool = option(False, "--json", help="Print JSON instead of text.")


@tools.command(context_settings={"allow_extra_args": True})
@takes_options(CallSettings)
def call(context: typer.Context, settings: CallSettings) -> None:
    """Call one tool in a fresh world and print its result.

    Exit code 1: the tool returned an error.

    Example: toolyard tools call Calendar/Calendar/next_public_holidays '{"countryCode": "FR"}' --json
    """
    from toolyard.world.kernel.executor import call as execute
    from toolyard.world.kernel.state import World

    world, arguments = World.fresh(settings.seed), arguments_object(settings.arguments, *context.args)
    observation = execute(world, settings.tool_id, arguments, faults=settings.planned_faults())
    failed = observation.error is not None
    if settings.json:
        print_json(observation.value)
    else:
        typer.echo(printable_text(observation.text), err=failed)
    if observation.error is not None:
        raise typer.Exit(1)


@tools.command()
def graph(
    part: str | None = PART,
    json: bool = JSON,
    limit: int = typer.Option(40, "--limit", help="Rows of the table; --json prints all."),
) -> None:
    """Show which tool can feed which.

    A returned field of the first fits a parameter of the second.

    Example: toolyard tools graph Travel/Hotels --json
    """
    from dataclasses import asdict

    from toolyard.world.kernel.graph import edges
    from toolyard.world.kernel.registry import select

    ids = {tool.id for tool in select(part)}
    chosen = [edge for edge in edges() if edge.producer in ids or edge.consumer in ids]
    if json:
        print_json([asdict(edge) for edge in chosen])
        return
    rows = tuple(
        (edge.producer, edge.path, edge.semantic, edge.consumer, edge.parameter) for edge in chosen[:limit]
    )
    columns = ("producer", "field", "meaning", "consumer", "parameter")
    print_tables([Table(f"{len(chosen)} edges", columns, rows)])


@dataclass(frozen=True, slots=True)
class ServeSettings(WorldSettings):
    """What a user can ask of `serve`, each option stated once."""

    part: str | None = option(None, help=f"{PARTS} Or the folder of a mirror.")
    http: bool = option(False, "--http", help="Streamable HTTP instead of standard input and output.")
    host: str = option(
        "127.0.0.1", "--host", help="Address to listen on; any other than loopback wants a token."
    )
    port: int = option(8123, "--port", help="Port of --http; the URL ends in /mcp.", minimum=1, maximum=65535)
    token: str | None = option(
        None, "--token", help="What requests must bear; made up and printed where --host is not loopback."
    )
    allow_origin: tuple[str, ...] = option(
        (),
        "--allow-origin",
        help="Origin of pages that may ask too, e.g. http://localhost:6274; default: only the server's own. Repeatable.",
    )
    control: bool = option(
        False, "--control", help="Offer reset_world beside the tools: a fresh world for the session."
    )
    trust: bool = option(
        False, "--trust", help="Run the edited Python code of a mirror; it has all your rights."
    )


@takes_options(ServeSettings)
def serve(settings: ServeSettings) -> None:
    """Offer tools to any agent over the Model Context Protocol.

    They are the library, a part of it, or a mirror of your own tools.

    Every session gets a world of its own; /mcp?seed=7 chooses another seed for it.

    Examples: toolyard serve Weather; toolyard serve --http --port 8123; toolyard serve ./my_mirror
    """
    part = _mirror_or_part(settings.part, trust=settings.trust)
    host, port, seed, control = settings.host, settings.port, settings.seed, settings.control
    injected = settings.planned_faults()
    if not settings.http:
        from toolyard.world.mcp.stdio import serve_stdio

        serve_stdio(part, seed=seed, faults=injected, control=control)
        return
    from toolyard.world.mcp.http import choose_token, require_mcp, serve_http

    require_mcp()
    origins = [_browser_origin(word) for word in settings.allow_origin]
    require_free(host, port)
    wanted = choose_token(host, settings.token)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
    typer.echo(
        f"serving on {address}{f' for requests with Authorization: Bearer {wanted}' if wanted else ''}",
        err=True,
    )
    code = serve_http(
        part, host=host, port=port, seed=seed, faults=injected, token=wanted, control=control, origins=origins
    )
    typer.echo("stopped", err=True)
    raise typer.Exit(code)


def _browser_origin(word: str) -> str:
    """An origin as browsers send it."""
    wanted = "wanted scheme, host and port as a browser sends them, e.g. http://localhost:6274"
    try:
        parts = urlsplit(word)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError as error:
        raise UsageError(f"--allow-origin {word}: {error}; {wanted}") from None
    host = parts.netloc.removesuffix(port)
    if (
        parts.scheme not in ("http", "https")
        or word != f"{parts.scheme}://{host}{port}"
        or not host.strip(":*@")
    ):
        raise UsageError(f"--allow-origin {word} is not an origin; {wanted}")
    return word.lower()


def _mirror_or_part(part: str | None, *, trust: bool) -> str | None:
    """The part of the library that is meant, or the tools of a mirror, which are loaded here."""
    if part is None:
        return None
    if not Path(part).is_dir():
        _refuse_unknown(part)
        return part
    from toolyard.owntools.mirror.mirror_files import load_mirror

    return load_mirror(Path(part), trust=trust).group


def _refuse_unknown(part: str) -> None:
    from toolyard.world.kernel.registry import select, suggest_part

    try:
        select(part)
    except UsageError:
        raise UsageError(
            f"{part} is neither the folder of a mirror nor a part of the library; "
            f"{suggest_part(part)}make a mirror with: toolyard mirror SOURCE --out {part}, "
            "or see: toolyard tools list"
        ) from None


def require_free(host: str, port: int) -> None:
    """A usage error where nothing can listen on this address."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family) as probe:
            # As the server does, so that a port that was just given back counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, UnicodeError) as error:
        raise UsageError(f"cannot listen on {host}:{port} ({error}); try another --port or --host") from None


def find_tool(name: str) -> Tool:
    """The tool of that id or unique name."""
    from toolyard.world.kernel.faults import ToolFault
    from toolyard.world.kernel.naming import resolve_tool

    try:
        return resolve_tool(name)
    except ToolFault as fault:
        raise UsageError(str(fault)) from None


def arguments_object(text: str, *further: str) -> dict[str, JsonValue]:
    """The arguments of a call: one word; `further` ones show that another form was meant."""
    pairs = [word.partition("=") for word in (text, *further)]
    if all(name.isidentifier() and equals for name, equals, _ in pairs):
        meant = {name: _json_or_text(value) for name, _, value in pairs}
        raise UsageError(
            f"the arguments are given as NAME=VALUE; wanted one JSON object: '{standard_json.dumps(meant)}'"
        )
    if further:
        raise UsageError(
            f"the arguments are {1 + len(further)} words; wanted one JSON object in quotes, e.g. {EXAMPLE}"
        )
    if text.startswith("@"):
        raise UsageError(
            f'the arguments {text!r} are not JSON; wanted an object, e.g. {EXAMPLE}, or of a file: "$(cat {text[1:]})"'
        )
    value = _parse_json(text)
    if not isinstance(value, dict):
        raise UsageError(f"the arguments are a JSON {type(value).__name__}, wanted an object, e.g. {EXAMPLE}")
    return value


def _parse_json(text: str) -> JsonValue:
    try:
        value: JsonValue = standard_json.loads(text)
        return value
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the arguments are not JSON ({error}); wanted e.g. {EXAMPLE}") from None


def _json_or_text(word: str) -> JsonValue:
    """What a word without quotes stands for: a number, true, false or null, else itself."""
    try:
        value: JsonValue = standard_json.loads(word)
        return value
    except (ValueError, RecursionError):
        return word


def schema_type_words(schema: Record) -> str:
    """A parameter's type in a word or two."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    return str(schema.get("type") or " | ".join(str(each.get("type")) for each in schema.get("anyOf", ())))
