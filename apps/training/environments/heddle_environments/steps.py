"""Steps of reinforcement learning: attempts, rewards, a job."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from heddle_environments.model import HeddleError, HeddleModel

TaskOf = TypeVar("TaskOf", contravariant=True)


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """What is trained, and for how long."""

    project: str
    model: str
    base_model: str | None = None
    """Where a model begins that is not registered yet."""
    steps: int = 1
    tasks: int = 8
    """Tasks of a step. Each is a group of attempts."""
    attempts: int = 8
    concurrency: int = 8
    """Attempts that run at a time."""
    seed: int = 0
    """Of the order of the tasks."""
    sampling: dict[str, Any] = field(default_factory=dict)
    """Such as `max_tokens` and `temperature`, for every model call."""
    config: dict[str, Any] = field(default_factory=dict)
    """Settings of the jobs, such as `learning_rate`: see the training objective."""


class UnsupportedEnvironment(Exception):
    """The environment cannot be trained in. The message says why."""


@dataclass(frozen=True)
class Attempt:
    """One attempt at a task: its reward, or why it failed."""

    trajectory_id: str
    reward: float | None
    error: str | None
    recorded: bool
    """Whether the server has recorded a model call of it."""


class Runs(Protocol[TaskOf]):
    """Attempts of a model, which the server records."""

    async def run(self, tasks: list[TaskOf], attempts: int, rollout_id: str) -> list[list[Attempt]]:
        """`attempts` attempts at each task, in the order of the tasks. Attempts at one task are a group, whose rewards are compared."""


@dataclass(frozen=True)
class Step:
    """What one step did."""

    rollout_id: str
    """The id under which the server keeps its trajectories."""
    checkpoint: int | None
    """The checkpoint that the job made."""
    note: str | None
    """Why the job trained nothing, where it did not."""
    attempts: list[Attempt]

    @property
    def reward(self) -> float | None:
        """The mean reward; None where no attempt has one."""
        rewards = [one.reward for one in self.attempts if one.reward is not None]
        return sum(rewards) / len(rewards) if rewards else None

    @property
    def failed(self) -> list[Attempt]:
        return [one for one in self.attempts if one.error is not None]


async def take_steps(runs: Runs[TaskOf], model: HeddleModel, tasks: Iterator[TaskOf], settings: TrainingSettings) -> AsyncIterator[Step]:
    """The steps, each once its job has succeeded. Raises what `take_step` raises."""
    run_id = str(uuid.uuid4())
    for number in range(1, settings.steps + 1):
        some = list(itertools.islice(tasks, settings.tasks))
        yield await take_step(runs, model, some, f"{run_id}-{number}", attempts=settings.attempts, config=settings.config)


async def take_step(runs: Runs[TaskOf], model: HeddleModel, tasks: list[TaskOf], rollout_id: str, *, attempts: int, config: dict[str, Any]) -> Step:
    """Raises HeddleError where nothing was recorded, or the job failed."""
    made = [attempt for group in await runs.run(tasks, attempts, rollout_id) for attempt in group]
    if not any(attempt.recorded for attempt in made):
        raise HeddleError(f"no attempt called the model; the first one: {made[0].error or 'it ended without a model call'}")
    job = await model.train(rollout_id, config)
    return Step(rollout_id, job["step"], job["message"], made)
