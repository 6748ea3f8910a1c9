"""Steps of reinforcement learning in an environment: attempts, rewards, a job, and again with the new weights."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import verifiers.v1 as vf

from heddle_environments.model import HeddleModel, Server
from heddle_environments.rollouts import Rollouts, assert_one_agent
from heddle_environments.steps import Step, TrainingSettings, UnsupportedEnvironment, take_steps


@dataclass(frozen=True, kw_only=True)
class Settings(TrainingSettings):
    """What is trained, on what, and for how long."""

    environment: dict[str, Any]
    """The environment as in the `env` block of verifiers: `taskset` with its `id`, and the agent's `runtime`, `harness` and others."""


async def train(settings: Settings, server: Server) -> AsyncIterator[Step]:
    """Runs the steps, and reports each once its job has succeeded. Raises HeddleError or UnsupportedEnvironment."""
    async with server.connect() as http:
        environment = vf.load_environment(resolve_environment(settings.environment))
        async with environment.serving():
            model = await HeddleModel.open(http, settings.project, settings.model, settings.base_model)
            sampling = vf.SamplingConfig.model_validate(settings.sampling)
            rollouts = Rollouts(environment, model, server, sampling, settings.concurrency)
            async for step in take_steps(rollouts, model, endless_tasks(environment, settings.seed), settings):
                yield step


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
