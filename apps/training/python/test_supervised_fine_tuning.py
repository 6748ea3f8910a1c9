"""Fine-tuning through the public call of the client, which stores the conversations through its tracking client."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator

import art
import pytest
import wandb
from conftest import Open
from started_server import API_KEY, SERVER_URL


@pytest.fixture
def tracking_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tracking client sends to this server, as the two variables say, until the test ends; its run ends with it."""
    monkeypatch.setenv("WANDB_BASE_URL", SERVER_URL)
    monkeypatch.setenv("WANDB_API_KEY", API_KEY)
    yield
    wandb.finish()


def conversation(word: str) -> art.Trajectory:
    messages = [{"role": "user", "content": f"Say {word}."}, {"role": "assistant", "content": word}]
    return art.Trajectory(messages_and_choices=messages, reward=0.0)


@pytest.mark.usefixtures("tracking_here")
def test_conversations_are_learned_from_and_the_next_chat_is_of_the_new_step(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, _):
            assert await model.get_step() == 0
            await model.train_sft([conversation(word) for word in ["yes", "no", "hi"]])
            assert await model.get_step() == 1
            answer = await model.openai_client().chat.completions.with_raw_response.create(
                model=model.get_inference_name(), messages=[{"role": "user", "content": "Say yes."}], max_tokens=4
            )
            assert answer.headers["x-model-step"] == "1"
            assert_run_has_the_metrics(model)

    asyncio.run(work())


@pytest.mark.usefixtures("tracking_here")
def test_a_model_that_was_fine_tuned_goes_on_with_rewards(open_model: Open) -> None:
    async def work() -> None:
        async with open_model() as (model, backend):
            question = [{"role": "user", "content": "Which colour has the sky?"}]
            taught = art.Trajectory(messages_and_choices=[*question, {"role": "assistant", "content": "blue"}], reward=0.0)
            await model.train_sft([taught] * 32, art.TrainSFTConfig(learning_rate=5e-3, batch_size=4))

            async def attempts() -> list[art.Trajectory]:
                asked = {"messages": question, "max_tokens": 8, "temperature": 1, "n": 8}
                completion = await model.openai_client().chat.completions.create(model=model.get_inference_name(), **asked)
                return [art.Trajectory(messages_and_choices=[*question, choice], reward=0.0) for choice in completion.choices]

            def blue(trajectories: list[art.Trajectory]) -> float:
                return sum("blue" in str(one.messages_and_choices[-1].message.content) for one in trajectories) / len(trajectories)

            after_fine_tuning = await attempts()
            assert blue(after_fine_tuning) > 0.5
            for place, one in enumerate(after_fine_tuning):
                one.reward = place % 2
            result = await backend.train(model, [art.TrajectoryGroup(after_fine_tuning)], learning_rate=1e-4)
            assert (result.step, result.metrics["data/step_num_gradient_steps"]) == (2, 1)
            # A small step from there: what it was taught is still known.
            assert blue(await attempts()) > 0.5

    asyncio.run(work())


def assert_run_has_the_metrics(model: art.TrainableModel) -> None:
    """The newest release leaves its metrics to the server; the older one logs them itself."""
    name = getattr(model, "run_name", model.name)
    path = f"{wandb.Api().default_entity}/{model.project}/{name}"
    if "log_metrics" not in inspect.signature(model.train_sft).parameters:
        with pytest.raises(wandb.errors.CommError, match="Could not find run"):
            wandb.Api().run(path)
        return
    run = wandb.Api().run(path)
    rows = run.history(pandas=False)
    assert [(row["training_step"], row["sft/gradient_step"]) for row in rows] == [(1, 1), (1, 2)]
    assert all(row["sft/loss"] > 0 for row in rows)
    assert [row["sft/loss"] for row in run.scan_history(keys=["sft/loss"])] == [row["sft/loss"] for row in rows]
    assert run.state == "finished"
    assert run.summary["sft/gradient_step"] == 2
