"""Steps of reinforcement learning in an environment: attempts, rewards, a job, and again with the new weights."""

from __future__ import annotations

import itertools
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import verifiers.v1 as vf

from heddle_environments.model import HeddleError, HeddleModel, Server
from heddle_environments.rollouts import Rollouts, assert_one_agent
from heddle_environments.steps import Step, UnsupportedEnvironment, take_step


@dataclass(frozen=True)
class Settings:
    """What is trained, on what, and for how long."""

    project: str
    model: str
    environment: dict[str, Any]
    """The environment as in the `env` block of verifiers: `taskset` with its `id`, and the agent's `runtime`, `harness` and others."""
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


async def train(settings: Settings, server: Server) -> AsyncIterator[Step]:
    """Runs the steps, and reports each once its job has succeeded. Raises HeddleError or UnsupportedEnvironment."""
    key = os.environ.get(server.key_variable)
    if not key:
        raise HeddleError(f"{server.key_variable} is not set: it holds the API key of {server.base_url}")
    environment = vf.load_environment(resolve_environment(settings.environment))
    tasks = endless_tasks(environment, settings.seed)
    run_id = str(uuid.uuid4())
    async with httpx.AsyncClient(base_url=server.base_url, headers={"authorization": f"Bearer {key}"}) as http, environment.serving():
        model = await HeddleModel.open(http, settings.project, settings.model, settings.base_model)
        sampling = vf.SamplingConfig.model_validate(settings.sampling)
        rollouts = Rollouts(environment, model, server, sampling, settings.concurrency)
        for number in range(1, settings.steps + 1):
            some = list(itertools.islice(tasks, settings.tasks))
            yield await take_step(rollouts, model, some, f"{run_id}-{number}", attempts=settings.attempts, config=settings.config)


def resolve_environment(block: dict[str, Any]) -> vf.EnvConfig:
    """The block with defaults, where mistakes are named as verifiers names them."""
    try:
        assert_one_agent(block)
        return vf.resolve_env_config(block)
    except (ValueError, ModuleNotFoundError) as error:
        raise UnsupportedEnvironment(str(error)) from error


def endless_tasks(environment: vf.Env[Any], seed: int) -> Iterator[vf.Task]:
    """The tasks in another order in each pass; in their own order where the environment makes them without end."""
    if not environment.taskset.bounded:
        yield from environment.taskset
    for number in itertools.count(seed):
        empty = True
        for task in environment.taskset.shuffle(number):
            empty = False
            yield task
        if empty:
            raise UnsupportedEnvironment(f"{environment.config.env_id} has no tasks")
