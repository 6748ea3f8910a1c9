"""Attempts at tasks of Harbor by its own runner, whose rewards come back to the trajectories that the server has recorded."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import random
import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harbor.models.environment_type import EnvironmentType
from harbor.models.task.task import Task
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.trial import Trial

from heddle_environments.model import MAX_ERROR_TEXT, HeddleModel, Server
from heddle_environments.steps import Attempt, Step, TrainingSettings, UnsupportedEnvironment, take_steps

SANDBOX = "heddle_environments.harbor.sandbox:SandboxEnvironment"
CHAT_AGENT = "heddle_environments.harbor.agent:ChatAgent"
AGENTS = ("chat", "terminus-2")
TERMINUS_KEY_VARIABLE = "OPENAI_API_KEY"
"""From which the client of Terminus 2 reads its key."""


@dataclass(frozen=True, kw_only=True)
class HarborSettings(TrainingSettings):
    """What is trained, on which tasks, and for how long."""

    tasks_at: list[Path]
    """Folders of tasks, or folders with these in them."""
    environment: str = "docker"
    """`sandbox`, an environment of Harbor, or `module:Class`."""
    agent: str = "chat"
    agent_settings: dict[str, Any] = field(default_factory=dict)
    """Arguments of the agent, such as `max_turns`."""
    reward: str = "reward"
    """Which of several rewards of a verifier is learned from."""
    trials_dir: Path = Path("harbor-trials")


async def train_on_tasks(settings: HarborSettings, server: Server) -> AsyncIterator[Step]:
    """Runs the steps, and reports each once its job has succeeded. Raises HeddleError or UnsupportedEnvironment."""
    async with server.connect() as http:
        tasks = endless(find_tasks(settings.tasks_at), settings.seed)
        model = await HeddleModel.open(http, settings.project, settings.model, settings.base_model)
        async for step in take_steps(Trials(settings, model, server), model, tasks, settings):
            yield step


def find_tasks(places: list[Path]) -> list[Path]:
    """Folders with a `task.toml`, in the order of their names. Each is read, so that a wrong one is named before anything runs."""
    found = [folder for place in places for folder in ([place] if (place / "task.toml").is_file() else sorted(p.parent for p in place.glob("*/task.toml")))]
    if not found:
        raise UnsupportedEnvironment(f"no task in {', '.join(map(str, places))}: name folders with a task.toml, or folders of such folders")
    for folder in found:
        try:
            Task(folder)
        except (ValueError, OSError) as error:
            raise UnsupportedEnvironment(f"{folder}: {error}") from error
    return found


def endless(tasks: list[Path], seed: int) -> Iterator[Path]:
    """The tasks in another order in each pass."""
    for number in itertools.count(seed):
        yield from random.Random(number).sample(tasks, len(tasks))


class Trials:
    """Runs attempts by Harbor's runner: environment, agent, verifier."""

    def __init__(self, settings: HarborSettings, model: HeddleModel, server: Server) -> None:
        self._settings = settings
        self._model = model
        self._server = server
        self._environment = environment_of(settings.environment)
        self._permits = asyncio.Semaphore(settings.concurrency)
        if settings.agent not in AGENTS:
            known = " and ".join(AGENTS)
            raise UnsupportedEnvironment(
                f"the agent {settings.agent!r} is not known to send the headers of a trajectory: {known} are; record others by a key, or run them by harbor run and read their trajectories by heddle trajectories from-atif"
            )
        if settings.agent == "terminus-2" and settings.environment == "sandbox" and shutil.which("tmux") is None:
            raise UnsupportedEnvironment("the agent 'terminus-2' types into tmux, which the sandbox has from this machine: install tmux, or name another environment")

    async def run(self, tasks: list[Path], attempts: int, rollout_id: str) -> list[list[Attempt]]:
        groups = [(task, f"{rollout_id}-{position}") for position, task in enumerate(tasks)]
        running = [asyncio.gather(*(self._attempt(task, group, rollout_id) for _ in range(attempts))) for task, group in groups]
        return list(await asyncio.gather(*running))

    async def _attempt(self, task: Path, group_id: str, rollout_id: str) -> Attempt:
        trajectory_id = str(uuid.uuid4())
        headers = {"x-heddle-trajectory-id": trajectory_id, "x-heddle-group-id": group_id, "x-heddle-rollout-id": rollout_id}
        config = TrialConfig(
            task=TaskConfig(path=task.resolve()),
            trials_dir=self._settings.trials_dir,
            agent=agent_of(self._settings, self._server, self._model.address, headers),
            environment=self._environment,
        )
        async with self._permits:
            result = await run_trial(config)
        reward, error = outcome_of(result, self._settings.reward)
        said = {"reward": reward, "error": error, "metrics": metrics_of(result), "metadata": {"task": result.task_name, "trial": result.trial_name}}
        return Attempt(trajectory_id, reward, error, await self._model.finish(trajectory_id, said))


def agent_of(settings: HarborSettings, server: Server, model: str, headers: dict[str, str]) -> AgentConfig:
    """The agent of an attempt, on a model by its address. The key is named, never written: Harbor keeps the settings of each trial in a file."""
    if settings.agent == "chat":
        own = {"server": server.base_url, "key_variable": server.key_variable, "headers": headers, "sampling": settings.sampling}
        return AgentConfig(import_path=CHAT_AGENT, model_name=model, skip_model_parsing=True, kwargs={**own, **settings.agent_settings})
    os.environ[TERMINUS_KEY_VARIABLE] = os.environ[server.key_variable]
    calls = {"extra_headers": headers, **settings.sampling}
    own = {"api_base": f"{server.base_url}/v1", "llm_call_kwargs": calls, "record_terminal_session": False}
    return AgentConfig(name=settings.agent, model_name=f"openai/{model}", kwargs={**own, **settings.agent_settings})


def environment_of(name: str) -> EnvironmentConfig:
    if name == "sandbox":
        return EnvironmentConfig(import_path=SANDBOX)
    if ":" in name:
        return EnvironmentConfig(import_path=name)
    known = [one.value for one in EnvironmentType]
    if name not in known:
        raise UnsupportedEnvironment(f"{name!r} is no environment: sandbox, {', '.join(known)}, or module:Class")
    return EnvironmentConfig(type=EnvironmentType(name))


async def run_trial(config: TrialConfig) -> TrialResult:
    try:
        trial = await Trial.create(config)
    except (ValueError, OSError, RuntimeError) as error:
        raise UnsupportedEnvironment(f"{config.task.path}: {error}") from error
    return await trial.run()


def outcome_of(result: TrialResult, name: str) -> tuple[float | None, str | None]:
    """The reward of an attempt, or why it cannot be trained on."""
    exceptions = [one for one in [result.exception_info, *(step.exception_info for step in result.step_results or [])] if one is not None]
    rewards = (result.verifier_result and result.verifier_result.rewards) or {}
    if not result.reward_valid:
        said = "; ".join(f"{one.exception_type}: {one.exception_message}" for one in exceptions)
        return None, said[:MAX_ERROR_TEXT] or "the verifier gave no reward"
    reward = rewards.get(name, next(iter(rewards.values())) if len(rewards) == 1 else None)
    if reward is None:
        raise UnsupportedEnvironment(f"the verifier of {result.task_name} gives {', '.join(rewards)} and no {name!r}: choose one by --reward")
    return float(reward), None


def metrics_of(result: TrialResult) -> dict[str, float]:
    rewards = (result.verifier_result and result.verifier_result.rewards) or {}
    return {f"reward/{name}": float(value) for name, value in rewards.items() if math.isfinite(value)}
