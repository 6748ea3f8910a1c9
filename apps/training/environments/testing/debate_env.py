"""An environment of verifiers with two agents, for a test that it is refused."""

from __future__ import annotations

import verifiers.v1 as vf


class DebateConfig(vf.EnvConfig):
    solver: vf.AgentConfig = vf.AgentConfig()
    critic: vf.AgentConfig = vf.AgentConfig()


class DebateEnv(vf.Env[DebateConfig]):
    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.solver.run(task)
        await agents.critic.run(task)


__all__ = ["DebateEnv"]
