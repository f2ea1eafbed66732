"""A run on a Ray cluster: workers play episodes wherever there is room, this process keeps every answer.

Each worker is an actor with the run's own settings and a model of its own, on the cores and GPUs it asks for. It plays a
few episodes at a time and sends each back as soon as it is done, so that the run directory here is the same as that of a
run on one machine, and a node that is lost takes with it only what it had in hand: that is played again elsewhere.
"""

import asyncio
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from toolyard.core.errors import ProviderError, RunMismatch, ToolyardError, UsageError
from toolyard.core.types import Completion, JsonValue, Record, Request, Transcript
from toolyard.models.request_costs import Budget
from toolyard.run.cost.estimate import load_model_of_run
from toolyard.run.play.environment import User, make_environment, playing_user
from toolyard.run.play.episodes import Unit, play_unit
from toolyard.run.play.side_models import USER, paid_answers, side_models
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.synth.engines.cluster import connect_ray

# the samples of an episode and its trial
EpisodeKey: TypeAlias = tuple[tuple[str, ...], int]
PlayedUnit: TypeAlias = tuple[EpisodeKey, tuple[Transcript, ...]]
Keep: TypeAlias = Callable[[Sequence[Transcript]], bool]

# Episodes of one hand-over: enough to keep a worker's requests in flight, few enough to lose.
ROUNDS_OF_A_SHARE = 4
MOST_LOSSES = 20
WAIT_SECONDS = 1.0


def refuse_on_ray(run: Run) -> None:
    """What only one process can keep account of is refused before anything is sent."""
    settings = run.settings
    one_process = {
        "--max-cost": settings.max_cost is not None,
        "--batch": settings.batch,
        "a model that plays the user or rewrites": bool(side_models(run)),
        "a Python callable": run.config.model.startswith("python/"),
    }
    refused = [name for name, given in one_process.items() if given]
    if refused:
        raise UsageError(f"--engine ray does not go with {', '.join(refused)}; leave out --engine ray")


def episode_key(unit: Unit) -> EpisodeKey:
    """What an episode is known by on every machine."""
    return tuple(sample.id for sample in unit.samples), unit.trial


class EpisodePlayer:
    """One worker: the run as its settings lead to it on that machine, and its model, both loaded once."""

    def __init__(self, settings: Record) -> None:
        self._settings = settings

    def ready(self, digest: str) -> bool:
        """Loads everything; a node that would play another run is refused."""
        try:
            settings = Settings(**self._settings)
        except TypeError as error:
            raise RunMismatch(f"a node of the cluster has another release of toolyard ({error})") from None
        self._loop = asyncio.new_event_loop()
        # Only planned there, as a new run: Ray kills its workers, and what they hold then stays behind.
        with tempfile.TemporaryDirectory(prefix="toolyard-worker-") as folder:
            run = self._run = Run.plan(replace(settings, runs=Path(folder)))
        if run.config.digest() != digest:
            raise RunMismatch(
                f"a node of the cluster has other data or another version of {run.benchmark.name}; "
                "give --data a path that all nodes share, and install the same release everywhere"
            )
        self._units = {episode_key(unit): unit for unit in run.units}
        self._model = load_model_of_run(run)
        return True

    def play(self, keys: Sequence[EpisodeKey]) -> Iterator[PlayedUnit]:
        """The transcripts of each episode, as soon as it is over."""
        finished: asyncio.Queue[PlayedUnit] = asyncio.Queue()
        work = self._loop.create_task(self._play(iter(keys), finished))
        for _ in keys:
            yield self._loop.run_until_complete(self._next(finished, work))

    def serving(self) -> dict[str, JsonValue]:
        """How its answers came about so far, for the manifest."""
        return dict(getattr(self._model, "serving", {}))

    async def _next(self, finished: asyncio.Queue[PlayedUnit], work: asyncio.Task[None]) -> PlayedUnit:
        waiting = asyncio.ensure_future(finished.get())
        await asyncio.wait((waiting, work), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            work.result()
        return await waiting

    async def _play(self, keys: Iterator[EpisodeKey], finished: asyncio.Queue[PlayedUnit]) -> None:
        setup, budget = self._run.setup, Budget(None, 0.0)

        async def ask(request: Request) -> Completion:
            return await budget.ask(self._model, request)

        async def work(user: User) -> None:
            for key in keys:
                unit = self._units[key]
                await finished.put(
                    (key, await play_unit(unit, setup, ask, make_environment(setup, unit, user)))
                )

        async with playing_user(setup, partial(paid_answers, self._run, USER, budget=budget)) as user:
            await asyncio.gather(*(work(user) for _ in range(self._run.settings.concurrency)))


@dataclass(slots=True)
class WorkerShare:
    """The episodes that one worker has in hand."""

    worker: Any
    left: dict[EpisodeKey, None]


class RayRun:
    """The driver's side: hands out episodes, keeps what comes back, hands out again what was lost."""

    def __init__(self, run: Run, keep: Keep) -> None:
        self._run, self._keep = run, keep
        self._ray = connect_ray(run.settings.ray_address)
        self._workers = run.settings.workers or self._room()
        limits = _shared_limits(run.settings, self._workers)
        self._settings = replace(run.settings, data=_absolute_data(run.settings.data), **limits)
        self._digest = run.config.digest()
        self._waiting: deque[EpisodeKey] = deque()
        self._size = 1
        self._starting: dict[object, object] = {}
        self._idle: list[Any] = []
        self._playing: dict[object, WorkerShare] = {}
        self._losses = 0

    def _room(self) -> int:
        """As many workers as the cluster has cores, or GPUs where each takes some."""
        found, gpus = self._ray.cluster_resources(), self._run.settings.gpus
        return max(1, int(found.get("GPU", 0) / gpus) if gpus else int(found.get("CPU", 1)))

    def _worker(self) -> Any:
        # By name: what one release has and another has not is then told as that.
        named = {item.name: getattr(self._settings, item.name) for item in fields(Settings)}
        options = {"num_cpus": 1, "num_gpus": self._run.settings.gpus, "scheduling_strategy": "SPREAD"}
        return self._ray.remote(**options)(EpisodePlayer).remote(named)

    def play(self, units: Sequence[Unit]) -> None:
        """Plays all episodes; returns early where `keep` says so."""
        self._waiting.extend(episode_key(unit) for unit in units)
        # No share larger than an even part: all workers end at about the same time.
        even = -(-len(self._waiting) // self._workers)
        self._size = max(1, min(self._settings.concurrency * ROUNDS_OF_A_SHARE, even))
        for _ in range(min(self._workers, -(-len(self._waiting) // self._size))):
            self._start()
        while self._waiting or self._playing:
            self._hand_out()
            ready, _ = self._ray.wait([*self._starting, *self._playing], timeout=WAIT_SECONDS)
            for found in ready:
                if found in self._starting:
                    self._began(found)
                elif not self._take(found):
                    return

    def serving(self) -> dict[str, JsonValue]:
        """How the answers came about, as a worker that is left says it."""
        return self._ray.get(self._idle[0].serving.remote()) if self._idle else {}

    def _start(self) -> None:
        """One more worker, which gets episodes once a node has room for it."""
        worker = self._worker()
        self._starting[worker.ready.remote(self._digest)] = worker

    def _began(self, ready: object) -> None:
        worker = self._starting.pop(ready)
        try:
            self._ray.get(ready)
        except self._ray.exceptions.RayTaskError as error:
            raise _root_error(error) from None
        except self._ray.exceptions.RayError as error:
            self._lose(error)
            return
        self._idle.append(worker)

    def _hand_out(self) -> None:
        while self._idle and self._waiting:
            worker = self._idle.pop()
            keys = [self._waiting.popleft() for _ in range(min(self._size, len(self._waiting)))]
            stream = worker.play.options(num_returns="streaming").remote(keys)
            self._playing[stream] = WorkerShare(worker, dict.fromkeys(keys))

    def _take(self, stream: Iterator[object]) -> bool:
        """Keeps the next episode of a worker, or has it ready for more; whether the run goes on."""
        share = self._playing[stream]
        try:
            key, transcripts = self._ray.get(next(stream))
        except StopIteration:
            del self._playing[stream]
            self._waiting.extendleft(share.left)
            self._idle.append(share.worker)
            return True
        except self._ray.exceptions.RayTaskError as error:
            raise _root_error(error) from None
        except self._ray.exceptions.RayError as error:
            del self._playing[stream]
            self._waiting.extendleft(share.left)
            self._lose(error)
            return True
        if key not in share.left:
            return True
        del share.left[key]
        return self._keep(transcripts)

    def _lose(self, error: Exception) -> None:
        """Another worker for the one that was lost, as long as they are not lost all the time."""
        self._losses += 1
        if self._losses > MOST_LOSSES:
            raise ProviderError(
                "cluster",
                f"{self._losses} workers of the cluster were lost, the last with: {_last_line(error)}",
            )
        self._start()


def play_on_ray(run: Run, units: Sequence[Unit], keep: Keep) -> dict[str, JsonValue]:
    """Plays the episodes on a cluster; `keep` gets the transcripts of each. Tells how the answers came about."""
    cluster = RayRun(run, keep)
    cluster.play(units)
    return cluster.serving()


def _shared_limits(settings: Settings, workers: int) -> Record:
    """Each worker's part of what is limited for all of them together."""
    return {
        "concurrency": max(1, -(-settings.concurrency // workers)),
        "rpm": None if settings.rpm is None else settings.rpm / workers,
        "tpm": None if settings.tpm is None else settings.tpm / workers,
    }


def _absolute_data(data: str) -> str:
    """A path that means the same in another folder; names of data sets stay."""
    return str(Path(data).resolve()) if Path(data).exists() else data


def _root_error(error: Exception) -> Exception:
    """What went wrong in a worker, as it would be raised here."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, ToolyardError) else ProviderError("cluster", _last_line(error))


def _last_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__
