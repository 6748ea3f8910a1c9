"""
Records what PyTorch computes for the losses of the Tinker API: the value of each, and its derivative by the log-probability of each target. Each is written as
its formula, with `detach` where a factor has no gradient, so that the derivative is that of autograd and of nothing here.

Run with torch 2.15 in this folder: python losses.py
"""

import json
from pathlib import Path

import torch

TARGETS = 12
PPO = {"clip_low_threshold": 0.8, "clip_high_threshold": 1.2}
GSPO = {"clip_low_threshold": 1 - 3e-4, "clip_high_threshold": 1 + 4e-4}


def clipped(ratio: torch.Tensor, inputs: dict, config: dict, defaults: dict) -> torch.Tensor:
    """Between thresholds of the config, or of each target where its inputs have them."""
    low, high = (inputs.get(name, torch.tensor(config.get(name, value), dtype=torch.float64)) for name, value in defaults.items())
    return torch.minimum(torch.maximum(ratio, low), high)


def cross_entropy(now: torch.Tensor, inputs: dict, _config: dict) -> torch.Tensor:
    return -(now * inputs["weights"]).sum()


def importance_sampling(now: torch.Tensor, inputs: dict, _config: dict) -> torch.Tensor:
    return -(torch.exp(now - inputs["logprobs"]) * inputs["advantages"]).sum()


def ppo(now: torch.Tensor, inputs: dict, config: dict) -> torch.Tensor:
    ratio = torch.exp(now - inputs["logprobs"])
    advantages = inputs["advantages"]
    return -torch.minimum(ratio * advantages, clipped(ratio, inputs, config, PPO) * advantages).sum()


def cispo(now: torch.Tensor, inputs: dict, config: dict) -> torch.Tensor:
    ratio = torch.exp(now - inputs["logprobs"])
    return -(clipped(ratio, inputs, config, PPO).detach() * now * inputs["advantages"]).sum()


def dro(now: torch.Tensor, inputs: dict, config: dict) -> torch.Tensor:
    penalty = 0.5 * config["beta"] * (now - inputs["logprobs"]) ** 2
    return -(now * inputs["advantages"] - penalty).sum()


def gspo(now: torch.Tensor, inputs: dict, config: dict) -> torch.Tensor:
    """The token-level variant: each target has the ratio of its sequence, with the gradient of its own log-probability."""
    in_ratio = inputs["sequence_ratio_mask"] != 0
    of_sequence = (now.detach() - inputs["logprobs"])[in_ratio].mean()
    ratio = torch.exp(of_sequence + now - now.detach())
    advantages = inputs["advantages"]
    return -torch.minimum(ratio * advantages, clipped(ratio, inputs, config, GSPO) * advantages).sum()


LOSSES = {each.__name__: each for each in [cross_entropy, importance_sampling, ppo, cispo, dro, gspo]}
CASES = [
    {"loss_fn": "cross_entropy"},
    {"loss_fn": "importance_sampling"},
    {"loss_fn": "ppo"},
    {"loss_fn": "ppo", "config": {"clip_low_threshold": 0.9, "clip_high_threshold": 1.05}},
    {"loss_fn": "ppo", "own_thresholds": True},
    {"loss_fn": "cispo"},
    {"loss_fn": "cispo", "config": {"clip_low_threshold": 0, "clip_high_threshold": 5}},
    {"loss_fn": "cispo", "own_thresholds": True},
    {"loss_fn": "dro", "config": {"beta": 0.05}},
    # Far from the old policy, near it, and at it.
    {"loss_fn": "gspo", "drift": 0.5},
    {"loss_fn": "gspo", "drift": 1e-4},
    {"loss_fn": "gspo", "drift": 0.0},
    {"loss_fn": "gspo", "drift": 0.2, "config": {"clip_low_threshold": 0.8, "clip_high_threshold": 1.2}},
    {"loss_fn": "gspo", "drift": 0.2, "own_thresholds": True},
]


def record(seed: int, case: dict) -> dict:
    generator = torch.Generator().manual_seed(seed)

    def numbers(low: float, high: float) -> torch.Tensor:
        # What travels are floats of 32 bits.
        return (low + (high - low) * torch.rand(TARGETS, generator=generator, dtype=torch.float64)).float().double()

    now = numbers(-3, -0.1)
    old = (now + case.get("drift", 0.4) * torch.randn(TARGETS, generator=generator, dtype=torch.float64)).float().double()
    sampled = torch.tensor([0.0] * 4 + [1.0] * (TARGETS - 4), dtype=torch.float64)
    inputs = {"logprobs": old, "advantages": numbers(-1, 1) * sampled, "weights": numbers(0, 1) * sampled, "sequence_ratio_mask": sampled}
    if case.get("own_thresholds"):
        inputs |= {"clip_low_threshold": numbers(0.7, 1), "clip_high_threshold": numbers(1, 1.3)}
    now.requires_grad_()
    config = case.get("config", {})
    loss = LOSSES[case["loss_fn"]](now, inputs, config)
    (gradient,) = torch.autograd.grad(loss, now)
    return {
        "loss_fn": case["loss_fn"],
        "config": config,
        "now": now.detach().tolist(),
        "given": {name: values.tolist() for name, values in inputs.items()},
        "expect": {"loss": loss.item(), "gradient": gradient.tolist()},
    }


vectors = {"cases": [record(seed, case) for seed, case in enumerate(CASES)]}
(Path(__file__).parent / "losses.json").write_text(json.dumps(vectors) + "\n")
