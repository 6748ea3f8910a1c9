"""Attempts of a model at tasks of an environment, which the server records as trajectories.

Every model call of an attempt, in whichever of the three API dialects its program speaks, reaches the server with the headers of
its trajectory. So the server has the tokens that were sampled, and the environment only adds the reward.
"""

from __future__ import annotations

import asyncio
import math
import uuid
from typing import Any

import verifiers.v1 as vf

from heddle_environments.model import MAX_ERROR_TEXT, HeddleModel, Server
from heddle_environments.steps import Attempt, UnsupportedEnvironment


def assert_one_agent(block: dict[str, Any]) -> None:
    """Refuses an environment with several agents, whose calls would all be learned from with one reward."""
    taskset_id, environment_id = block["taskset"]["id"], block.get("id", "")
    config = vf.env_config_type(taskset_id, environment_id)
    agents = [name for name, declared in config.model_fields.items() if isinstance(declared.default, vf.AgentConfig)]
    if agents != ["agent"]:
        raise UnsupportedEnvironment(
            f"{environment_id or taskset_id} has the agents {', '.join(agents)}; only environments with one agent, named agent, are supported"
        )


class Rollouts:
    """Runs attempts in an environment that is being served: `async with environment.serving()`."""

    def __init__(self, environment: vf.Env[Any], model: HeddleModel, server: Server, sampling: vf.SamplingConfig, concurrency: int) -> None:
        self._environment = environment
        self._model = model
        self._server = server
        self._sampling = sampling
        self._permits = asyncio.Semaphore(concurrency)

    async def run(self, tasks: list[vf.Task], attempts: int, rollout_id: str) -> list[list[Attempt]]:
        groups = [(task, f"{rollout_id}-{position}") for position, task in enumerate(tasks)]
        running = [asyncio.gather(*(self._attempt(task, group, rollout_id) for _ in range(attempts))) for task, group in groups]
        return list(await asyncio.gather(*running))

    async def _attempt(self, task: vf.Task, group_id: str, rollout_id: str) -> Attempt:
        trajectory_id = str(uuid.uuid4())
        headers = {"x-heddle-trajectory-id": trajectory_id, "x-heddle-group-id": group_id, "x-heddle-rollout-id": rollout_id}
        client = vf.EvalClientConfig(base_url=f"{self._server.base_url}/v1", api_key_var=self._server.key_variable, headers=headers)
        context = vf.ModelContext(model=self._model.address, client=client, sampling=self._sampling)
        repeated: list[vf.Trace] = []
        async with self._permits:
            episode = await self._environment.run_episode(task, context, on_discard=repeated.append)
        reward, error = outcome_of(episode, repeated)
        said = {"reward": reward, "error": error, "metrics": metrics_of(episode), "metadata": metadata_of(episode, task)}
        return Attempt(trajectory_id, reward, error, await self._model.finish(trajectory_id, said))


def outcome_of(episode: vf.Episode, repeated: list[vf.Trace]) -> tuple[float | None, str | None]:
    """The reward of an attempt, or why it cannot be trained on."""
    if repeated:
        return None, "the agent was started again after a failure; set the environment's retries to 0"
    if len(episode.traces) > 1:
        raise UnsupportedEnvironment(f"{episode.env.id} ran {len(episode.traces)} agents for one task; only environments that run one are supported")
    errors = [*episode.errors, *(error for trace in episode.traces for error in trace.errors)]
    if errors or not episode.ok:
        return None, "; ".join(f"{error.type}: {error.message}" for error in errors)[:MAX_ERROR_TEXT] or "the episode failed"
    (trace,) = episode.traces
    if all(reward is None for reward in trace.rewards.values()):
        return None, "the environment gave no reward"
    return (trace.reward, None) if math.isfinite(trace.reward) else (None, f"the reward is {trace.reward}")


def metrics_of(episode: vf.Episode) -> dict[str, float]:
    """Metrics and the single rewards of an attempt, where they are finite numbers."""
    named: dict[str, float | None] = {}
    for trace in episode.traces:
        named |= {f"reward/{name}": reward and reward.score for name, reward in trace.rewards.items()} | trace.metrics
    return {name: float(value) for name, value in named.items() if value is not None and math.isfinite(value)}


def metadata_of(episode: vf.Episode, task: vf.Task) -> dict[str, str | int | None]:
    return {"environment": episode.env.id, "task": task.data.name or task.data.id, "task_index": task.data.idx, "task_key": task.key}
