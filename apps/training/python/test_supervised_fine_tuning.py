"""Fine-tuning through the public call of the client, which stores the conversations through its tracking client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import art
import pytest
import wandb
from conftest import API_KEY, SERVER_URL, Open


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

    asyncio.run(work())
