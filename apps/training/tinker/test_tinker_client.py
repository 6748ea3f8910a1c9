"""A loop of the Tinker API from its first request to its last: what the published client sends and reads is all there."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import urllib.request
import uuid
from pathlib import Path

import pytest
import tinker
import torch
from conftest import CLIENT_KEY
from started_server import API_KEY, SERVER_URL
from tinker import types

TOKENS = [5, 9, 12, 40, 41, 42, 9, 7]
PROMPT = types.ModelInput.from_ints(TOKENS[:3])


def a_datum(tokens: list[int] = TOKENS, **inputs: list[float]) -> types.Datum:
    weights = {} if inputs else {"weights": [0.0, 0.0] + [1.0] * (len(tokens) - 3)}
    return types.Datum(
        model_input=types.ModelInput.from_ints(tokens[:-1]), loss_fn_inputs={"target_tokens": tokens[1:], **weights, **inputs}
    )


def a_trainer(service: tinker.ServiceClient, name: str = "stepwise") -> tinker.TrainingClient:
    return service.create_lora_training_client("heddle-nano", rank=8, seed=1, user_metadata={"heddle_model": name}).result()


def train(trainer: tinker.TrainingClient, steps: int) -> list[float]:
    losses = []
    for _ in range(steps):
        loss = trainer.forward_backward([a_datum(), a_datum()], "cross_entropy")
        trainer.optim_step(types.AdamParams(learning_rate=1e-3)).result()
        losses.append(loss.result().metrics["loss:sum"])
    return losses


def logprobs_of(trainer: tinker.TrainingClient) -> list[float]:
    return trainer.forward([a_datum()], "cross_entropy").result().loss_fn_outputs[0]["logprobs"].tolist()


def test_the_loss_falls_and_what_was_learned_is_sampled_and_served(service: tinker.ServiceClient) -> None:
    trainer = a_trainer(service)
    info = trainer.get_info()
    assert (info.model_data.model_name, info.is_lora, info.lora_rank) == ("heddle-nano", True, 8)
    losses = train(trainer, 40)
    assert losses[-1] < 0.1 * losses[0]
    sampler = trainer.save_weights_and_get_sampling_client().result()
    learned = sampler.sample(PROMPT, 2, types.SamplingParams(max_tokens=5, temperature=0.0, stop=[])).result()
    assert [list(sequence.tokens) for sequence in learned.sequences] == [TOKENS[3:]] * 2
    assert all(sequence.sequence_id for sequence in learned.sequences)
    (run,) = [run for run in runs() if run.training_run_id == info.model_id]
    body = {"model": run["heddle_model"], "messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}
    assert post("/v1/chat/completions", body)["usage"]["completion_tokens"] == 1


class Run(dict):
    @property
    def training_run_id(self) -> str:
        return self["training_run_id"]


def runs() -> list[Run]:
    return [Run(run) for run in get("/api/v1/training_runs?limit=1000")["training_runs"]]


def get(path: str) -> dict:
    request = urllib.request.Request(f"{SERVER_URL}{path}", headers={"x-api-key": CLIENT_KEY})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def post(path: str, body: dict) -> dict:
    headers = {"authorization": f"Bearer {API_KEY}", "content-type": "application/json"}
    request = urllib.request.Request(f"{SERVER_URL}{path}", data=json.dumps(body).encode(), headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_training_continues_to_the_bit_from_what_was_saved(service: tinker.ServiceClient) -> None:
    trainer = a_trainer(service)
    train(trainer, 2)
    path = trainer.save_state("between").result().path
    train(trainer, 1)
    expected = logprobs_of(trainer)
    resumed = service.create_training_client_from_state_with_optimizer(path).result()
    train(resumed, 1)
    assert logprobs_of(resumed) == expected
    fresh = service.create_training_client_from_state(path).result()
    train(fresh, 1)
    assert logprobs_of(fresh) != expected


@pytest.mark.parametrize(
    "loss_fn, config", [("importance_sampling", None), ("ppo", {"clip_high_threshold": 1.3}), ("cispo", None), ("gspo", None)]
)
def test_a_policy_loss_moves_towards_what_has_an_advantage(service: tinker.ServiceClient, loss_fn: str, config: dict | None) -> None:
    trainer = a_trainer(service)
    before = logprobs_of(trainer)
    advantages = [0.0] * (len(before) - 1) + [1.0]
    inputs = {"sequence_ratio_mask": advantages} if loss_fn == "gspo" else {}
    loss = trainer.forward_backward([a_datum(logprobs=before, advantages=advantages, **inputs)], loss_fn, config)
    step = trainer.optim_step(types.AdamParams(learning_rate=1e-3, grad_clip_norm=1.0)).result()
    expected = -before[-1] if loss_fn == "cispo" else -1.0
    assert math.isclose(loss.result().metrics["loss:sum"], expected, rel_tol=1e-4)
    assert step.metrics["grad_norm"] > 0
    assert logprobs_of(trainer)[-1] > before[-1]


def test_several_targets_of_a_token_are_learned_by_their_weights(service: tinker.ServiceClient) -> None:
    trainer = a_trainer(service)
    inputs, likely, unlikely = TOKENS[:-1], TOKENS[1:], [3] * 7
    targets = torch.tensor(list(zip(likely, unlikely, [0] * 7)))
    weights = torch.tensor([[0.8, 0.2, 0.0]] * 7)
    assert types.Datum(types.ModelInput.from_ints(inputs), {"weights": torch.eye(20)}).loss_fn_inputs["weights"].sparse_crow_indices
    datum = types.Datum(model_input=types.ModelInput.from_ints(inputs), loss_fn_inputs={"target_tokens": targets, "weights": weights})
    losses = []
    for _ in range(10):
        result = trainer.forward_backward([datum, a_datum()], "cross_entropy").result()
        trainer.optim_step(types.AdamParams(learning_rate=1e-3)).result()
        losses.append(result.metrics["loss:sum"])
    rows, row = [output["logprobs"] for output in result.loss_fn_outputs]
    assert (rows.shape, row.shape) == ([7, 3], [7])
    expected = -(rows.to_torch() * weights).sum() - row.to_torch()[2:].sum()
    assert math.isclose(losses[-1], expected.item(), rel_tol=1e-4)
    assert losses[-1] < losses[0]


def test_a_custom_loss_is_computed_by_the_client(service: tinker.ServiceClient) -> None:
    trainer = a_trainer(service)
    before = logprobs_of(trainer)

    def squared(_data: list[types.Datum], logprobs: list[torch.Tensor]) -> tuple[torch.Tensor, dict[str, float]]:
        loss = sum((row**2).sum() for row in logprobs)
        return loss, {"squared": loss.item()}

    result = trainer.forward_backward_custom([a_datum()], squared).result()
    assert math.isclose(result.metrics["squared"], sum(value**2 for value in before), rel_tol=1e-4)
    trainer.optim_step(types.AdamParams(learning_rate=1e-3)).result()
    assert sum(value**2 for value in logprobs_of(trainer)) < sum(value**2 for value in before)


def test_samples_and_their_log_probabilities_follow_the_request(service: tinker.ServiceClient) -> None:
    sampler = service.create_sampling_client(base_model="heddle-nano").result()
    params = types.SamplingParams(max_tokens=6, seed=4, stop=[])
    first, second = [sampler.sample(PROMPT, 2, params, True, 2, 3).result() for _ in range(2)]
    assert [list(one.tokens) for one in first.sequences] == [list(one.tokens) for one in second.sequences]
    assert [len(one.topk_logprobs[0]) for one in first.sequences] == [3, 3]
    assert first.prompt_logprobs[0] is None and all(value < 0 for value in first.prompt_logprobs[1:])
    assert [row and len(row) for row in first.topk_prompt_logprobs] == [None, 2, 2]
    scored = sampler.compute_logprobs(types.ModelInput.from_ints(TOKENS), prompt_logprobs_last_n=2).result()
    assert scored[:-2] == [None] * 6 and all(value < 0 for value in scored[-2:])
    stop = int(first.sequences[0].tokens[2])
    stopped = sampler.sample(PROMPT, 1, types.SamplingParams(max_tokens=6, seed=4, stop=[stop])).result().sequences[0]
    assert stopped.stop_reason == "stop" and stopped.tokens[-1] == stop


def test_saved_weights_are_listed_sampled_from_and_deleted(service: tinker.ServiceClient, rest: tinker.RestClient) -> None:
    trainer = a_trainer(service)
    train(trainer, 1)
    state = trainer.save_state("state", user_metadata={"note": "first"}).result().path
    weights = trainer.save_weights_for_sampler("weights").result().path
    run = trainer.get_info().model_id
    listed = rest.list_checkpoints(run).result().checkpoints
    assert {(one.tinker_path, one.checkpoint_type) for one in listed} == {(state, "training"), (weights, "sampler")}
    assert rest.get_training_run(run).result().last_checkpoint.user_metadata == {"note": "first"}
    assert rest.get_weights_info_by_tinker_path(state).result().lora_rank == 8
    assert run in [one.training_run_id for one in rest.list_training_runs().result().training_runs]
    sampler = service.create_sampling_client(model_path=weights).result()
    assert sampler.get_base_model() == "heddle-nano"
    assert len(sampler.sample(PROMPT, 1, types.SamplingParams(max_tokens=2, stop=[])).result().sequences[0].tokens) == 2
    rest.delete_checkpoint_from_tinker_path(state).result()
    assert [one.tinker_path for one in rest.list_checkpoints(run).result().checkpoints] == [weights]


def test_what_is_not_supported_is_refused_by_its_name(service: tinker.ServiceClient) -> None:
    with pytest.raises(tinker.BadRequestError, match="train_mlp=False is not supported"):
        service.create_lora_training_client("heddle-nano", rank=8, train_mlp=False).result()
    with pytest.raises(tinker.BadRequestError, match="is not a base model; this server has"):
        service.create_lora_training_client("Qwen/Qwen3-8B").result()
    trainer = a_trainer(service)
    with pytest.raises(tinker.BadRequestError, match="stable_reinforce.* use importance_sampling"):
        trainer.forward_backward([a_datum(logprobs=[0.0] * 7, advantages=[0.0] * 7)], "stable_reinforce").result()
    with pytest.raises(tinker.BadRequestError, match="model_input has a chunk of image"):
        image = types.ImageChunk(data=b"x", format="png", expected_tokens=1)
        pictured = types.Datum(model_input=types.ModelInput(chunks=[image]), loss_fn_inputs={"target_tokens": [1], "weights": [1.0]})
        trainer.forward_backward([pictured], "cross_entropy").result()


def test_a_wrong_key_is_refused(service: tinker.ServiceClient) -> None:
    with pytest.raises(tinker.AuthenticationError):
        tinker.ServiceClient(base_url=SERVER_URL, api_key="tml-" + "0" * len(API_KEY)).create_lora_training_client("heddle-nano").result()


def test_the_program_of_the_documentation_runs_with_the_settings_of_its_page() -> None:
    page = (Path(__file__).parents[3] / "docs" / "tinker-api.md").read_text()
    (setup,) = [block for block in re.findall(r"```sh\n(.*?)```", page, re.S) if "TINKER_BASE_URL" in block]
    assert f"pip install tinker=={tinker.__version__}" in setup
    assert 'TINKER_API_KEY="tml-$HEDDLE_API_KEY"' in setup and "TINKER_BASE_URL=" in setup
    (program,) = re.findall(r"```python\n(.*?)```", page, re.S)
    own = program.replace('"stepwise"', f'"stepwise-{uuid.uuid4().hex[:8]}"')
    settings = {**os.environ, "TINKER_BASE_URL": SERVER_URL, "TINKER_API_KEY": CLIENT_KEY}
    ran = subprocess.run([sys.executable, "-c", own], env=settings, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    *losses, saved, sampled = ran.stdout.splitlines()
    assert float(losses[-1]) < float(losses[0])
    assert saved.startswith("tinker://") and saved.endswith("/weights/after-ten")
    assert sampled.startswith("SampleResponse(")
