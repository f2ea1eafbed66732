"""What agents without a model earn in an environment: the floor that trivial ones stay on, and the oracle's 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toolyard.core.metrics import Row, mean
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Score
from toolyard.env.environment import Environment
from toolyard.env.gym_task import EnvironmentTask, Split
from toolyard.env.rewards import FAMILIES, Rewards
from toolyard.env.task_agents import AGENTS, Agent
from toolyard.env.task_pool import SHARED, TaskPool
from toolyard.stats.bootstrap import Estimate, estimate

REWARD = "reward"
COLUMNS = (REWARD, *FAMILIES)
Estimates = Mapping[str, Mapping[str, Estimate]]


class AgentEarnings:
    """What agents have earned, task by task."""

    def __init__(self, agents: Iterable[str]) -> None:
        self.earned: dict[str, list[Rewards]] = {name: [] for name in agents}

    def add(self, environment: Environment, task: EnvironmentTask, name: str, agent: Agent) -> None:
        """Plays the task with the agent."""
        observation, act = environment.play(task), agent(task)
        while not environment.over:
            observation = environment.step(act(observation)).observation
        self.earned[name].append(environment.earned)


def try_agents(
    benchmark: str,
    split: Split,
    tasks: int,
    agents: Mapping[str, Agent] = AGENTS,
    world_seed: int = 0,
    pool: TaskPool = SHARED,
) -> Estimates:
    """The mean reward and families of each agent over the first tasks of a split, with intervals."""
    environment = Environment(benchmark, split, world_seed, pool=pool)
    played = AgentEarnings(agents)
    for seed in range(tasks):
        environment.reset(seed)
        task = environment.task
        for name, agent in agents.items():
            played.add(environment, task, name, agent)
    return agent_estimates(played)


def agent_estimates(played: AgentEarnings) -> Estimates:
    """Every agent's means with their intervals."""
    return {name: _estimate_agent(found) for name, found in played.earned.items()}


def _estimate_agent(earned: Sequence[Rewards]) -> Mapping[str, Estimate]:
    rows = []
    for number, found in enumerate(earned):
        score = Score(str(number), values={REWARD: found.total, **found.families})
        rows.append(Row(score, cluster=score.sample))
    return estimate([mean(name) for name in COLUMNS], rows)


def tried_table(benchmark: str, split: Split, tasks: int, found: Estimates) -> Table:
    """The estimates as people read them."""
    rows = tuple((name, *(_cell(values[column]) for column in COLUMNS)) for name, values in found.items())
    return Table(f"{benchmark}, {split} split, {tasks} tasks", ("agent", *COLUMNS), rows)


def _cell(value: Estimate) -> str | None:
    if value.value is None or value.low is None or value.high is None:
        return None
    return f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"


def tried_json(benchmark: str, split: Split, tasks: int, found: Estimates) -> JsonValue:
    """The estimates as one object."""
    agents = {
        name: {
            column: {"value": value.value, "interval": [value.low, value.high]}
            for column, value in values.items()
        }
        for name, values in found.items()
    }
    return {"benchmark": benchmark, "split": split, "tasks": tasks, "agents": agents}
