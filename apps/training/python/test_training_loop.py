"""The loop that users write: register, roll out, reward, train, and roll out with the new weights."""

from __future__ import annotations

import asyncio
from typing import Any

import art
import openai
import pytest
from conftest import Open

MESSAGES = [{"role": "user", "content": "Say a word."}]


def run(work: Any) -> Any:
    return asyncio.run(work)


async def sample(model: art.TrainableModel, name: str | None = None) -> Any:
    """A completion as rollouts ask for it: without a word about log-probabilities."""
    client = model.openai_client()
    return await client.chat.completions.create(model=name or model.get_inference_name(), messages=MESSAGES, max_tokens=8, temperature=1)


async def group_of(model: art.TrainableModel, rewards: list[float]) -> art.TrajectoryGroup:
    completions = await asyncio.gather(*[sample(model) for _ in rewards])
    attempts = zip(completions, rewards, strict=True)
    return art.TrajectoryGroup(
        [art.Trajectory(messages_and_choices=[*MESSAGES, completion.choices[0]], reward=reward) for completion, reward in attempts]
    )


def test_choices_of_a_trained_model_carry_the_tokens_that_were_sampled(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, _):
            completion = await sample(model)
            entries = completion.choices[0].logprobs.content
            assert len(entries) == completion.usage.completion_tokens > 0
            assert all(entry.token.startswith("token_id:") and entry.logprob <= 0 for entry in entries)

    run(work())


def test_each_job_makes_the_next_step_and_a_restart_goes_on_where_it_ended(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, backend):
            assert await model.get_step() == 0
            result = await backend.train(model, [await group_of(model, [0, 1, 0, 1]), await group_of(model, [1, 0])], learning_rate=1e-3)
            assert result.step == 1
            assert result.metrics["loss/learning_rate"] == pytest.approx(1e-3)
            assert result.metrics["data/step_num_gradient_steps"] == 1
            assert result.metrics["probs_corr"] == pytest.approx(1, abs=1e-3)
            assert result.artifact_name.endswith(":step1")
        async with open_model() as (again, backend):
            assert again.id == model.id
            assert await again.get_step() == 1
            assert (await backend.train(again, [await group_of(again, [0, 1])], learning_rate=1e-3)).step == 2

    run(work())


def test_groups_with_equal_rewards_advance_the_step_without_training(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, backend):
            result = await backend.train(model, [await group_of(model, [1, 1])], learning_rate=1e-3)
            assert result.step == 1
            assert result.metrics["data/step_num_groups_trainable"] == 0

    run(work())


def test_pruned_steps_are_gone_and_the_newest_stays(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, backend):
            for _ in range(2):
                await backend.train(model, [await group_of(model, [0, 1])], learning_rate=1e-3)
            await model.delete_checkpoints()
            assert await model.get_step() == 2
            assert (await sample(model)).choices
            with pytest.raises(openai.NotFoundError):
                await sample(model, f"{model.get_inference_name()}:step1")

    run(work())


def test_a_deleted_model_is_gone_and_its_name_is_free(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, backend):
            await backend.train(model, [await group_of(model, [0, 1])], learning_rate=1e-3)
            await backend.delete(model)
            with pytest.raises(openai.NotFoundError):
                await sample(model)
        async with open_model() as (again, _):
            assert again.id != model.id
            assert await again.get_step() == 0

    run(work())
