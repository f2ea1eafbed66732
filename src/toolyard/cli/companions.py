"""Commands of companions: each package, ours or a stranger's, adds its own by an entry point `toolyard.commands`."""

import logging
from importlib.metadata import entry_points

import typer

GROUP = "toolyard.commands"
# For commands that take options of a benchmark, which only the benchmark knows.
BENCHMARK_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
LOG = logging.getLogger(__name__)


def register_companions(app: typer.Typer) -> None:
    """Lets every companion add its commands; one that cannot be loaded is left out and named."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            point.load()(app)
        except (Exception, SystemExit) as error:  # importing a stranger's package may raise anything
            LOG.warning("the commands of %s are left out: %s: %s", point.value, type(error).__name__, error)
