"""A taskset of verifiers for tests: the more of an answer are vowels, the better."""

from __future__ import annotations

import verifiers.v1 as vf


class VowelConfig(vf.TasksetConfig):
    num_tasks: int = 2
    broken: bool = False
    """Whether the reward fails."""


class VowelTask(vf.Task[vf.TaskData]):
    @vf.reward
    async def vowels(self, trace: vf.Trace) -> float:
        """The share of vowels in what the model said."""
        if self.data.description == "broken":
            raise RuntimeError("no reward today")
        text = answer_of(trace)
        return sum(character in "aeiou" for character in text) / max(1, len(text))

    @vf.metric
    async def characters(self, trace: vf.Trace) -> float:
        return float(len(answer_of(trace)))


def answer_of(trace: vf.Trace) -> str:
    return "".join(str(message.content or "") for message in trace.assistant_messages)


class VowelTaskset(vf.Taskset[VowelTask, VowelConfig]):
    def load(self) -> list[VowelTask]:
        description = "broken" if self.config.broken else None
        return [
            VowelTask(vf.TaskData(name=f"word-{n}", prompt=f"Say word {n}.", description=description), self.config.task)
            for n in range(self.config.num_tasks)
        ]


__all__ = ["VowelTaskset"]
