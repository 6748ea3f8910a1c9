"""Fine-tuning through the public call of the client, which stores the conversations through its tracking client."""

from __future__ import annotations

import asyncio

import art
import pytest
from conftest import API_KEY, SERVER_URL, Open


def conversation(word: str) -> art.Trajectory:
    messages = [{"role": "user", "content": f"Say {word}."}, {"role": "assistant", "content": word}]
    return art.Trajectory(messages_and_choices=messages, reward=0.0)


def test_conversations_are_learned_from_and_the_next_chat_is_of_the_new_step(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANDB_BASE_URL", SERVER_URL)
    monkeypatch.setenv("WANDB_API_KEY", API_KEY)

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
