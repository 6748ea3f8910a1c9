"""Completions of a real vLLM through Heddle: the same distributions, forms and adapters as those of Heddle's own engine, which trains on them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import BASE as BASE_FOLDER
from conftest import PROCESSED, Vllm, sampled_by
from heddle_client import Client
from heddle_process import wait_for

BASE = BASE_FOLDER.name
PROMPT = "Reply with a word of 4 letters that begins with b."
COLOUR = [{"role": "user", "content": "Which colour?"}, {"role": "assistant", "content": "blue"}]
SCHEMA = {"type": "object", "properties": {"count": {"type": "integer", "minimum": 0, "maximum": 99}}, "required": ["count"], "additionalProperties": False}
ADD = {"type": "function", "function": {"name": "add", "description": "Adds", "parameters": SCHEMA, "strict": True}}
NOW = {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}, "strict": True}}

Choice = dict[str, Any]


def choose(client: Client, model: str, prompt: str = PROMPT, **options: Any) -> Choice:
    [choice] = client.chat(model, prompt, **options)
    return choice


def logprobs_of(choice: Choice) -> list[float]:
    return [entry["logprob"] for entry in choice["logprobs"]["content"]]


def tops_of(choice: Choice) -> list[dict[str, float]]:
    return [{top["token"]: top["logprob"] for top in entry["top_logprobs"]} for entry in choice["logprobs"]["content"]]


def own_logprobs(client: Client, model: str, choice: Choice) -> list[float]:
    """Log-probabilities of the tokens of a choice by Heddle's engine."""
    tokens, prompt = choice["token_ids"], choice["prompt_token_ids"]
    body = {"model": model, "prompt": [*prompt, *tokens], "echo": True, "logprobs": 0, "max_tokens": 1}
    [scored] = client.call("POST", "/v1/completions", json=body)["choices"]
    return list(scored["logprobs"]["token_logprobs"][len(prompt) : len(prompt) + len(tokens)])


def assert_own(client: Client, model: str, choice: Choice) -> None:
    """The choice has the log-probabilities that Heddle's engine computes."""
    sampled, own = logprobs_of(choice), own_logprobs(client, model, choice)
    differences = [abs(a - b) for a, b in zip(sampled, own, strict=True)]
    assert max(differences) < 1e-3
    assert sum(differences) / len(differences) < 1e-4


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"temperature": 0.6},
        {"temperature": 1.5, "top_p": 0.7},
        {"top_k": 3},
        {"min_p": 0.1},
        {"temperature": 0.8, "top_k": 12, "top_p": 0.9},
        {"logit_bias": {"98": -100, "99": 5}},
    ],
    ids=str,
)
def test_a_first_token_has_the_distribution_that_heddle_samples_from(client: Client, plain: Client, settings: dict[str, Any]) -> None:
    asked = {"max_tokens": 1, "top_logprobs": 8, **settings}
    [sampled], [own] = (tops_of(choose(each, BASE, **asked)) for each in (client, plain))
    assert sampled == pytest.approx(own, abs=1e-3)


@pytest.mark.parametrize("settings", [{}, {"frequency_penalty": 1.5}, {"presence_penalty": 1.5}, {"repetition_penalty": 1.5}, {"min_tokens": 20}], ids=str)
def test_the_likeliest_answer_is_heddles_own(client: Client, plain: Client, settings: dict[str, Any]) -> None:
    asked = {"prompt": "Spell the word banana.", "temperature": 0, "max_tokens": 24, "top_logprobs": 3, **settings}
    sampled, own = (choose(each, BASE, **asked) for each in (client, plain))
    assert sampled["message"]["content"] == own["message"]["content"]
    for ours, theirs in zip(tops_of(own), tops_of(sampled), strict=True):
        assert theirs == pytest.approx(ours, abs=1e-3)


def test_log_probabilities_are_those_of_heddles_engine(client: Client) -> None:
    for seed in range(4):
        assert_own(client, BASE, choose(client, BASE, seed=seed, max_tokens=40, return_token_ids=True))


def test_choices_of_a_request_differ_and_equal_seeds_give_equal_ones(client: Client) -> None:
    texts = [[choice["message"]["content"] for choice in client.chat(BASE, PROMPT, n=6, seed=7)] for _ in range(2)]
    assert len(set(texts[0])) > 1
    assert texts[0] == texts[1]


def streamed(client: Client, body: dict[str, Any]) -> list[dict[str, Any]]:
    chunks = []
    with client.http.stream("POST", "/v1/chat/completions", json={**body, "stream": True}) as response:
        assert response.status_code == 200, response.read()
        for line in response.iter_lines():
            if line.startswith("data: {"):
                chunks.append(json.loads(line.removeprefix("data: ")))
    return chunks


def test_a_stream_brings_token_by_token_what_the_completion_has_at_once(client: Client) -> None:
    body = {"model": BASE, "messages": [{"role": "user", "content": PROMPT}], "max_tokens": 24, "temperature": 0}
    texts = [chunk["choices"][0]["delta"].get("content") for chunk in streamed(client, body) if chunk["choices"]]
    parts = [text for text in texts if text]
    assert len(parts) > 2
    assert "".join(parts) == choose(client, BASE, temperature=0, max_tokens=24)["message"]["content"]


def test_a_stream_that_is_left_ends_at_the_sampler(client: Client, vllm: Vllm) -> None:
    body = {"model": BASE, "messages": [{"role": "user", "content": PROMPT}], "max_tokens": 450, "min_tokens": 450, "stream": True}
    with client.http.stream("POST", "/v1/chat/completions", json=body) as response:
        next(line for line in response.iter_lines() if '"content":"' in line)
    wait_for("vLLM samples nothing", lambda: vllm.running() == 0, vllm.lines)


def test_an_answer_has_the_schema_of_the_request(client: Client) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "counted", "strict": True, "schema": SCHEMA}}
    choice = choose(client, BASE, response_format=form, max_tokens=100, seed=3)
    assert choice["finish_reason"] == "stop"
    answer = json.loads(choice["message"]["content"])
    assert list(answer) == ["count"] and 0 <= answer["count"] <= 99


def test_an_answer_is_json(client: Client) -> None:
    choice = choose(client, BASE, response_format={"type": "json_object"}, max_tokens=300, temperature=0.5, seed=3)
    if choice["finish_reason"] == "stop":
        assert isinstance(json.loads(choice["message"]["content"]), dict)


def called(choice: Choice) -> list[tuple[str, Any]]:
    calls = [call["function"] for call in choice["message"].get("tool_calls", [])]
    return [(call["name"], json.loads(call["arguments"])) for call in calls]


@pytest.mark.parametrize("seed", range(3))
def test_a_tool_is_called_that_must_be(client: Client, seed: int) -> None:
    options: dict[str, Any] = {"tools": [ADD, NOW], "tool_choice": "required", "parallel_tool_calls": False, "max_tokens": 200, "seed": seed}
    [(name, arguments)] = called(choose(client, BASE, **options))
    assert name in ("add", "now")
    assert set(arguments) == ({"count"} if name == "add" else set())
    named = {"type": "function", "function": {"name": "now"}}
    assert called(choose(client, BASE, **{**options, "tool_choice": named})) == [("now", {})]


def test_text_or_calls_of_strict_tools(client: Client) -> None:
    for seed in range(4):
        for name, arguments in called(choose(client, BASE, "Add 3", tools=[ADD], max_tokens=100, seed=seed)):
            assert name == "add" and list(arguments) == ["count"]


@pytest.fixture(scope="module")
def trained(client: Client) -> str:
    """A model that was trained to give one answer, from the weights that vLLM serves."""
    model = client.register("colours", BASE)
    client.fine_tune(model, (json.dumps({"messages": COLOUR}) + "\n") * 32, batch_size=4)
    return model


def test_a_trained_model_is_sampled_with_its_adapter(client: Client, trained: str) -> None:
    choice = choose(client, trained, "Which colour?", temperature=0, return_token_ids=True)
    assert choice["message"]["content"] == "blue"
    assert_own(client, trained, choice)
    for seed in range(4):
        assert_own(client, trained, choose(client, trained, seed=seed, return_token_ids=True))


def test_what_it_sampled_is_trained_on(client: Client, trained: str, vllm: Vllm) -> None:
    turn = {"role": "user", "content": PROMPT}
    choices = client.chat(trained, PROMPT, n=4, seed=1, return_token_ids=True)
    trajectories = [{"messages_and_choices": [turn, choice], "reward": float(place % 2)} for place, choice in enumerate(choices)]
    before = choose(client, trained, temperature=0)
    [step] = client.train(trained, [{"trajectories": trajectories}])
    assert step["probs_corr"] == pytest.approx(1, abs=1e-3)
    after = choose(client, trained, temperature=0, return_token_ids=True)
    assert logprobs_of(after) != pytest.approx(logprobs_of(before), abs=1e-3)
    assert_own(client, trained, after)
    assert len([name for name in vllm.adapters() if trained in name]) == 2


def test_a_deleted_model_leaves_no_adapter(client: Client, vllm: Vllm) -> None:
    model = client.register("left", BASE)
    client.fine_tune(model, (json.dumps({"messages": COLOUR}) + "\n") * 4, batch_size=4)
    choose(client, model, max_tokens=1)
    assert any(model in name for name in vllm.adapters())
    client.call("DELETE", f"/v1/preview/models/{model}")
    wait_for("vLLM unloads the adapter", lambda: not any(model in name for name in vllm.adapters()), vllm.adapters)


def test_a_prompt_beyond_its_context_is_refused(client: Client) -> None:
    body = {"model": BASE, "messages": [{"role": "user", "content": "x" * 2_000}]}
    response = client.http.post("/v1/chat/completions", json=body)
    assert response.status_code == 400, response.text


def test_after_a_restart_an_adapter_is_loaded_again(client: Client, trained: str, vllm: Vllm) -> None:
    before = choose(client, trained, temperature=0)
    vllm.kill()
    vllm.start(PROCESSED)
    assert vllm.adapters() == []
    after = choose(client, trained, temperature=0)
    assert after["message"]["content"] == before["message"]["content"]
    assert logprobs_of(after) == pytest.approx(logprobs_of(before), abs=1e-4)


def test_log_probabilities_of_another_distribution_are_refused(tmp_path_factory: pytest.TempPathFactory, vllm: Vllm) -> None:
    vllm.kill()
    vllm.start([])
    with sampled_by(vllm, tmp_path_factory.mktemp("raw")) as other:
        response = other.http.post("/v1/chat/completions", json={"model": BASE, "messages": COLOUR[:1]})
    assert response.status_code == 503
    assert "--logprobs-mode processed_logprobs" in response.text
