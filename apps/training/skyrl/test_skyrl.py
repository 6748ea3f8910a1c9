"""Training and sampling on a real SkyRL: the weights are its own, and everything else is Heddle's."""

from __future__ import annotations

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import BASE, SkyRL
from heddle_client import Client

JOBS = 6
PROMPTS = ATTEMPTS = 8


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def reward_of(letter: str, choice: dict[str, Any]) -> float:
    """1 for a word of four letters that begins with this one."""
    text = choice["message"]["content"] or ""
    return float(choice["finish_reason"] == "stop" and re.fullmatch(f"{letter}[a-z]{{3}}", text) is not None and re.search("[aeiouy]", text) is not None)


def attempt(client: Client, model: str, letter: str, seed: int) -> dict[str, Any]:
    """A group of attempts at one prompt with their rewards."""
    prompt = f"Reply with a word of 4 letters that begins with {letter}."
    choices = client.chat(model, prompt, n=ATTEMPTS, seed=seed)
    assert len(choices) == ATTEMPTS
    turn = {"role": "user", "content": prompt}
    return {"trajectories": [{"messages_and_choices": [turn, choice], "reward": reward_of(letter, choice)} for choice in choices]}


def greedy(client: Client, model: str) -> tuple[str, list[float]]:
    """The likeliest answer of a model, with its log-probabilities."""
    [choice] = client.chat(model, "Reply with a word of 4 letters that begins with b.", temperature=0)
    return choice["message"]["content"], [entry["logprob"] for entry in choice["logprobs"]["content"]]


@pytest.fixture(scope="module")
def trained(client: Client) -> tuple[str, list[float]]:
    """A model after its jobs, with the mean reward of the attempts before each."""
    model = client.register("words", BASE)
    letters = random.Random(1)
    rewards: list[float] = []
    for job in range(JOBS):
        asked = [letters.choice("abcdfghlmprst") for _ in range(PROMPTS)]
        with ThreadPoolExecutor(PROMPTS) as threads:
            groups = list(threads.map(lambda place, job=job, asked=asked: attempt(client, model, asked[place], 1_000 * job + 50 * place), range(PROMPTS)))
        rewards.append(mean([trajectory["reward"] for group in groups for trajectory in group["trajectories"]]))
        steps = client.train(model, groups)
        print(f"job {job}: mean reward {rewards[-1]:.3f}, {len(steps)} gradient steps")
        assert all(step["grad_norm"] > 0 for step in steps)
        # The first step of a job has the weights that were sampled from. There is none where all attempts are equally good.
        assert all(step["probs_corr"] == pytest.approx(1, abs=1e-3) for step in steps[:1])
    return model, rewards


def test_the_mean_reward_rises_by_three_tenths(trained: tuple[str, list[float]]) -> None:
    _, rewards = trained
    assert mean(rewards[-2:]) - rewards[0] > 0.3


def test_each_step_is_sampled_from_its_own_weights(client: Client, trained: tuple[str, list[float]]) -> None:
    model, _ = trained
    first, last = greedy(client, f"{model}:step0"), greedy(client, model)
    assert last == greedy(client, f"{model}:step{JOBS}")
    # Three steps that are all sampled from, where the server has places for two.
    middle = greedy(client, f"{model}:step{JOBS // 2}")
    assert first[1] != middle[1] != last[1] != first[1]
    assert greedy(client, f"{model}:step{JOBS // 2}")[1] == pytest.approx(middle[1], abs=1e-4)


def test_fine_tuning_teaches_an_answer(client: Client) -> None:
    model = client.register("colours", BASE)
    turns = [{"role": "user", "content": "Which colour?"}, {"role": "assistant", "content": "blue"}]
    steps = client.fine_tune(model, (json.dumps({"messages": turns}) + "\n") * 32, batch_size=4)
    assert steps[-1]["loss"] < steps[0]["loss"] / 2
    assert client.chat(model, "Which colour?", temperature=0)[0]["message"]["content"] == "blue"


def test_after_a_restart_of_skyrl_the_steps_are_there_and_training_goes_on(client: Client, skyrl: SkyRL, trained: tuple[str, list[float]]) -> None:
    model, _ = trained
    before = greedy(client, model)
    skyrl.kill()
    skyrl.start()
    word, logprobs = greedy(client, model)
    assert word == before[0]
    assert logprobs == pytest.approx(before[1], abs=1e-4)
    group = attempt(client, model, "b", 5_000)
    # Whatever was said: attempts that are equally good teach nothing.
    for place, trajectory in enumerate(group["trajectories"]):
        trajectory["reward"] = float(place % 2)
    assert client.train(model, [group])
    assert greedy(client, f"{model}:step{JOBS + 1}")[0]
