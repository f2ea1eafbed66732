"""tools lint, mirror, probe and effect: the user's own tools."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli import tooling
from toolyard.cli.model_settings import fill_in_models
from toolyard.cli.output import print_json, print_tables, write_output, write_page
from toolyard.cli.signature import takes_options
from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.core.table import Table
from toolyard.lines import encode
from toolyard.models.settings import Requests, Surroundings
from toolyard.run.play.progress_counts import Tally
from toolyard.text.counted_nouns import how_many
from toolyard.text.printable import printable_line, printable_text

if TYPE_CHECKING:
    from toolyard.owntools.mirror.mirror_plan import MirrorPlan
    from toolyard.owntools.probe.document_rewriting import Suggestion
    from toolyard.owntools.probe.model_profile import ToolProfile
    from toolyard.owntools.sources.tool_source import ToolSource
    from toolyard.run.settings import Settings

NEVER = "never"
# As the review of documents has them, which is loaded when it is asked for.
SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Whose tools are meant, and what may be shown to a server of them."""

    source: str = option(
        ...,
        help="mcp:COMMAND, an http(s) address of an MCP server, python:MODULE[:name,name], a file of JSON schemas "
        "(OpenAI, Anthropic, MCP), an OpenAPI 3 document, or the folder of a mirror.",
    )
    header: tuple[str, ...] = option(
        (),
        "--header",
        help="Name=VARIABLE: a header whose value is in that environment variable; may be repeated.",
    )
    env: tuple[str, ...] = option(
        (), "--env", help="Environment variable that a started server may see; may be repeated."
    )
    json: bool = option(False, "--json", help="Print JSON instead of tables.")

    def load(self, base: str = "") -> ToolSource:
        """The source with its tools."""
        from toolyard.owntools.sources import load_source

        found = load_source(self.source, headers=self.header, variables=self.env, base=base)
        for remark in found.remarks:
            typer.echo(f"warning: {printable_line(remark)}", err=True)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class LintSettings(SourceSettings):
    """What a user can ask of `tools lint`."""

    embedder: str = option("minilm", "--embedder", help="What finds near-duplicates; words: by shared words.")
    fail_on: str = option(
        "error",
        "--fail-on",
        help="Exit 1 where a finding is at least this severe.",
        choices=(*SEVERITIES, NEVER),
    )
    html: Path | None = option(None, "--html", help="Write a page with the findings and a picture.")


@takes_options(LintSettings)
def lint(settings: LintSettings) -> None:
    """Review tool documents for what misleads models.

    Each finding has a place, a reason and a proposed text.

    Exit code 0: nothing as severe as --fail-on says; 1: such a finding, or your mistake.

    Example: toolyard tools lint openapi.yaml --html review.html
    """
    from toolyard.owntools.lint.lint_page import render_review
    from toolyard.owntools.lint.lint_rules import review_documents

    found = review_documents(settings.load(), settings.embedder)
    if settings.html is not None:
        write_page(settings.html, render_review(found))
    if settings.json:
        print_json(found.to_json())
    else:
        print_tables(found.tables())
    if settings.fail_on == NEVER:
        return
    worst = SEVERITIES.index(settings.fail_on)
    if any(SEVERITIES.index(each.severity) <= worst for each in found.findings):
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorSettings(SourceSettings):
    """What a user can ask of `mirror`."""

    out: Path = option(..., "--out", help="Folder of the mirror: a Python package that you can edit.")
    record: int = option(
        0,
        "--record",
        help="Real calls of each tool that only reads: GET, or readOnlyHint, and no changing verb in its name.",
        minimum=0,
        maximum=50,
    )
    base_url: str = option(
        "",
        "--base-url",
        help="Address of an OpenAPI service; --header values go only to an address given here.",
    )
    seed: int = option(0, "--seed", help="Seed of everything that is made up.")
    anew: bool = option(False, "--anew", help="Write the mirror again, though its code may have been edited.")
    allow: tuple[str, ...] = option(
        (),
        "--allow",
        help="Name of a tool (or a pattern) that --record may call too, though it may write; may be repeated.",
    )
    given: tuple[str, ...] = option(
        (), "--given", help="NAME=VALUE: what real calls give for a parameter of this name; may be repeated."
    )


@takes_options(MirrorSettings)
def mirror(settings: MirrorSettings) -> None:
    """Build a deterministic offline twin of your tools.

    Agents can be tested on it without touching production.

    Examples: toolyard mirror "mcp:mcp-server-git" --out git_twin --record 2 --given repo_path=.;
    toolyard serve git_twin
    """
    from toolyard.owntools.mirror.mirror_files import make_mirror, parse_given_values

    plan = make_mirror(
        settings.load(settings.base_url),
        settings.out,
        number=settings.record,
        allowed=settings.allow,
        given=parse_given_values(settings.given),
        seed=settings.seed,
        anew=settings.anew,
        show=lambda lines: typer.echo(printable_text("\n".join(lines)), err=settings.json),
    )
    _show_mirror(plan, settings)


def _show_mirror(plan: MirrorPlan, settings: MirrorSettings) -> None:
    from toolyard.owntools.mirror.mirror_files import card_facts

    if plan.filler:
        typer.echo(f"warning: {printable_text(plan.filler)}", err=True)
    if settings.json:
        print_json(card_facts(plan))
        return
    rows = tuple((each.tool.name, each.kind, each.table or None, each.origin) for each in plan.tools)
    print_tables([Table(f"mirror of {plan.source.name}", ("tool", "does", "table", "results"), rows)])
    if settings.record:
        typer.echo(printable_text(_recording_summary(plan)))
    out = settings.out
    typer.echo(f"mirror: {out} (card.md says what was inferred); serve it: toolyard serve {out}")


GIVE_VALUES = "give values that exist there with --given NAME=VALUE"


def _recording_summary(plan: MirrorPlan) -> str:
    """How many real calls were kept, and why the first of the others failed."""
    refused = [each for each in plan.recorded if each.error]
    kept = f"{how_many(len(plan.recorded) - len(refused), 'real call')} recorded, {len(refused)} failed"
    if not refused:
        return kept
    why = dict.fromkeys(f"{each.tool} ({' '.join(each.error.split())[:100]})" for each in refused)
    hint = (
        "check the address" if all(each.error.startswith("unreachable") for each in refused) else GIVE_VALUES
    )
    return f"{kept}: {', '.join(list(why)[:3])}; {hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOptions(SourceSettings):
    """What a user can ask of `probe`."""

    model: str = option(..., "-m", "--model", help="The model to probe; forms as for `toolyard run`.")
    style: str = option("default", "--style", help="default (text) or native (the endpoint's tool calls).")
    rows: int = option(24, "--rows", help="Rows of each of the four suites.", minimum=1, maximum=2000)
    seed: int = option(0, "--seed", help="Seed of the suites and of the run.")
    out: Path = option(Path("probe"), "--out", help="Folder of mirror, suites, runs and profile.")
    suggest: bool = option(
        False,
        "--suggest",
        help="Rewrite the documents of confused tools; keep what helps on the same samples.",
    )
    writer: str = option(
        "",
        "--writer",
        help="A model that writes the requests, and with --suggest the descriptions, in place of rules.",
    )
    given: tuple[str, ...] = option(
        (), "--given", help="NAME=VALUE: a real value that requests name for this parameter; may be repeated."
    )
    requests: Path | None = option(
        None, "--requests", help="Your own requests with the calls they want, one JSON object a line."
    )
    concurrency: int | None = option(None, "--concurrency", help="Requests at a time.")
    max_tokens: int | None = option(None, "--max-tokens", help="Token limit of an answer.")
    max_cost: float | None = option(
        None, "--max-cost", help="Dollars it may cost, over all its sessions; needs a price.", minimum=0
    )
    trust: bool = option(
        False, "--trust", help="Run the edited Python code of a mirror; it has all your rights."
    )


@takes_options(ProbeOptions, Surroundings)
def probe(settings: ProbeOptions, surroundings: Surroundings) -> None:
    """Probe a model with your own tools: what it confuses or invents.

    The suites come from documents and mirror, their gold is proven by execution; the same command resumes.

    Examples: toolyard probe "mcp:mcp-server-time" -m local-tuned --rows 8; toolyard probe my_twin -m local --suggest
    """
    from toolyard.owntools.mirror.mirror_files import parse_given_values
    from toolyard.owntools.probe.document_rewriting import suggest_rewritings as try_rewritings
    from toolyard.owntools.probe.model_profile import make_profile
    from toolyard.owntools.probe.probe_page import keep_profile
    from toolyard.owntools.probe.probe_run import ProbeSettings
    from toolyard.owntools.probe.probe_run import probe_model as run_probe

    if settings.writer and settings.requests and not settings.suggest:
        raise UsageError(
            "--requests gives the requests, so that --writer has none to write; leave one of them out"
        )
    settings = fill_in_models(settings, surroundings.env_file, surroundings.prices)
    limits = (settings.concurrency, settings.max_tokens)
    wanted = ProbeSettings(
        settings.model, settings.out, settings.style, settings.rows, settings.seed, *limits, max_cost=settings.max_cost,
        trust=settings.trust, given=parse_given_values(settings.given), requests=settings.requests, writer=settings.writer,
    )  # fmt: skip
    found = run_probe(settings.source, settings.load(), wanted, _show_progress)
    profile = make_profile(found)
    suggestion = try_rewritings(found, profile, settings.writer, _show_progress) if settings.suggest else None
    keep_profile(settings.out, profile, suggestion)
    _show_profile(profile, suggestion, settings.out, json=settings.json)


def _show_profile(profile: ToolProfile, suggestion: Suggestion | None, out: Path, *, json: bool) -> None:
    from toolyard.owntools.probe.probe_page import TERMINAL, profile_tables

    if json:
        more = {} if suggestion is None else {"suggestion": suggestion.to_json()}
        print_json({**profile.to_json(), **more})
        return
    print_tables([*profile_tables(profile, TERMINAL), *([] if suggestion is None else suggestion.tables())])
    if suggestion is not None and suggestion.patch:
        typer.echo(printable_text(suggestion.patch))
    typer.echo(f"profile: {out / 'profile.html'} (also profile.json)")


def _show_progress(name: str, tally: Tally) -> None:
    """A line now and then on standard error."""
    if tally.done == tally.total or tally.done % 10 == 0:
        typer.echo(f"{name}: {tally.done}/{tally.total}", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectOptions(SourceSettings):
    """What a user can ask of `effect`."""

    model: str = option(
        ..., "-m", "--model", help="The model that uses the server; forms as for `toolyard run`."
    )
    cases: Path | None = option(None, "--cases", help="Your own tasks: a case file, see docs/cases.md.")
    tasks: int = option(
        0,
        "--tasks",
        help="In place of --cases: this many tasks drawn from the mirror.",
        minimum=0,
        maximum=2000,
    )
    gain: float = option(
        0.0,
        "--gain",
        help="What the server must bring, as a fraction: 0.1 is ten points.",
        minimum=0,
        maximum=0.99,
    )
    dangerous: int = option(
        0, "--dangerous", help="Tasks that may see a dangerous call; more are NO-GO.", minimum=0
    )
    live: bool = option(
        False, "--live", help="Calls go to the real server, but only to tools that read beyond doubt."
    )
    allow: tuple[str, ...] = option(
        (),
        "--allow",
        help="With --live: name of a tool (or a pattern) that may be called too; may be repeated.",
    )
    style: str = option("default", "--style", help="default (text) or native (the endpoint's tool calls).")
    trials: int = option(1, "--trials", help="Answers per task.", minimum=1, maximum=100)
    seed: int = option(0, "--seed", help="Seed of drawn tasks and of the runs.")
    max_tokens: int | None = option(None, "--max-tokens", help="Token limit of an answer.")
    given: tuple[str, ...] = option(
        (),
        "--given",
        help="NAME=VALUE: a real value that drawn tasks name for this parameter; may be repeated.",
    )
    trust: bool = option(
        False, "--trust", help="Run the edited Python code of a mirror; it has all your rights."
    )
    out: Path = option(
        Path("effect"), "--out", help="Folder of mirror, tasks and runs; of each model's page and JSON file."
    )


def _settings_of_arms(tasks: Path, settings: EffectOptions, requests: Requests) -> Settings:
    from toolyard.run.settings import Settings

    more = {item.name: getattr(requests, item.name) for item in fields(Requests)}
    return Settings(
        benchmark=str(tasks), model=settings.model, style=settings.style, trials=settings.trials, seed=settings.seed,
        max_tokens=settings.max_tokens, **more,
    )  # fmt: skip


@takes_options(EffectOptions, Requests)
def effect(settings: EffectOptions, requests: Requests) -> None:
    """Decide whether your server helps a model: the same tasks without and with it.

    A third run shows the documents with the texts that `tools lint` proposes. Calls go to a mirror unless --live says
    otherwise; the same command resumes. --max-cost is the limit of all three runs together.

    Exit code 0: GO, the server helps; 3: NO-GO, it does not, or dangerous calls; 4: INCONCLUSIVE; 1: your mistake.

    Example: toolyard effect "mcp:mcp-server-time" -m local --tasks 40
    """
    from toolyard.models.loading import model_price
    from toolyard.owntools.effect.effect_page import effect_tables, render_effect
    from toolyard.owntools.effect.effect_run import EffectLimits, measure_effect, run_arms
    from toolyard.owntools.effect.effect_tasks import TaskSettings, prepare_tasks
    from toolyard.owntools.mirror.mirror_files import parse_given_values

    _refuse_unclear_effect(settings)
    settings = fill_in_models(settings, requests.env_file, requests.prices)
    # A wrong name is refused here, before a mirror is made.
    model_price(settings.model)
    chosen = TaskSettings(
        settings.source, settings.cases, settings.tasks, settings.seed, settings.live, settings.allow, settings.trust,
        parse_given_values(settings.given),
    )  # fmt: skip
    source = settings.load()
    tasks = prepare_tasks(source, chosen, settings.out)
    arms = run_arms(tasks, _settings_of_arms(tasks.path, settings, requests), chosen, _show_progress)
    limits = EffectLimits(settings.gain, settings.dangerous)
    found = measure_effect(source.name, settings.model, tasks, arms, limits)
    # Another model, other tasks or another style are another run, and so another page.
    page = settings.out / f"{arms['with'].folder.name}.html"
    write_output(page.with_suffix(".json"), encode(found.to_json()) + b"\n")
    write_page(page, render_effect(found))
    if settings.json:
        print_json(found.to_json())
    else:
        print_tables(effect_tables(found))
    raise typer.Exit(found.exit_code)


def _refuse_unclear_effect(settings: EffectOptions) -> None:
    """The user's mistakes that no other part would name."""
    if bool(settings.tasks) == (settings.cases is not None):
        raise UsageError("give either --cases FILE (your own tasks) or --tasks N (drawn from the mirror)")
    if settings.style not in ("default", "native"):
        raise UsageError(f"--style {settings.style!r} is none of default, native")
    if settings.allow and not settings.live:
        raise UsageError(
            "--allow is for real tools; give --live, or leave it out: on the mirror every tool may be called"
        )
    if settings.live and (settings.header or settings.env):
        raise UsageError(
            "--live passes no --header and no --env; record a mirror with them: toolyard mirror --record 2"
        )


def register(app: typer.Typer) -> None:
    """Adds `mirror`, `probe`, `effect` and `tools lint` to the program."""
    app.command("mirror")(mirror)
    app.command("probe")(probe)
    app.command("effect")(effect)
    tooling.tools.command("lint")(lint)
