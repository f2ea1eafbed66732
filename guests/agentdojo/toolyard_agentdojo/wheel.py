"""What is used of the package agentdojo: suites v1.2.2 with tasks, tools, environments and attacks. Nothing is copied.

It is installed without its dependencies: two stubs stand in for the clients of providers while it is imported.
"""

import importlib
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from toolyard import DataError

VERSION, SUITES = "0.1.35", "v1.2.2"
INSTALL = f"pip install --no-deps agentdojo=={VERSION}"
PIPELINE = "agentdojo.agent_pipeline"
# Where an attack names its victim, agentdojo writes this for models that it does not know.
VICTIM = SimpleNamespace(name="local")


def package_folder() -> Path:
    """Where the package is installed; a folder that does not exist where it is not."""
    spec = find_spec("agentdojo")
    found = spec.submodule_search_locations if spec is not None else None
    return Path(found[0]) if found else Path(__file__).with_name("agentdojo-is-not-installed")


def require_wheel() -> None:
    """Refuses to go on without the one version that parity was shown for."""
    try:
        found = version("agentdojo")
    except PackageNotFoundError:
        raise DataError(f"AgentDojo's tasks are not installed; get them with: {INSTALL}") from None
    if found != VERSION:
        raise DataError(f"agentdojo {found} is installed, wanted {VERSION}; get it with: {INSTALL}")


@cache
def wheel_module(name: str) -> Any:
    """A module of agentdojo, imported without the clients of providers."""
    require_wheel()
    if PIPELINE not in sys.modules:
        package, google = ModuleType(PIPELINE), ModuleType(f"{PIPELINE}.llms.google_llm")
        package.__path__ = [str(package_folder() / "agent_pipeline")]
        vars(google)["EMPTY_FUNCTION_NAME"] = "<empty-function>"
        sys.modules |= {PIPELINE: package, google.__name__: google}
    try:
        return importlib.import_module(f"agentdojo.{name}")
    except ImportError as error:
        raise DataError(
            f"agentdojo cannot be imported ({error}); get what it needs with: pip install -e guests/agentdojo"
        ) from error


@cache
def suites() -> Mapping[str, Any]:
    """The four suites by name; their environments are read with the fast YAML parser."""
    found: Mapping[str, Any] = wheel_module("task_suite.load_suites").get_suites(SUITES)
    for suite in found.values():
        suite.load_and_inject_default_environment = _EnvironmentLoader(suite)
    return found


class _EnvironmentLoader:
    """The environment of a suite with injections in it, as `TaskSuite` makes it; the last few are kept as text is parsed."""

    def __init__(self, suite: Any) -> None:
        self._suite, self._kept = suite, dict[tuple[tuple[str, str], ...], Any]()

    def __call__(self, injections: Mapping[str, str]) -> Any:
        import yaml

        key = tuple(sorted(injections.items()))
        if key not in self._kept:
            if len(self._kept) > 8:
                self._kept.clear()
            text = wheel_module("task_suite.task_suite").read_suite_file(
                self._suite.name, "environment.yaml", self._suite.data_path
            )
            filled = text.format(**{**self._suite.get_injection_vector_defaults(), **injections})
            # The same parser, in C: it takes a tenth of the time.
            content = yaml.load(filled, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
            self._kept[key] = self._suite.environment_type.model_validate(content)
        return self._kept[key].model_copy(deep=True)


@cache
def attack_of(suite: str, name: str) -> Any:
    """An attack of agentdojo on a suite."""
    registry = wheel_module("attacks.attack_registry")
    wheel_module("attacks.baseline_attacks"), wheel_module("attacks.important_instructions_attacks")
    return registry.ATTACKS[name](suites()[suite], VICTIM)
